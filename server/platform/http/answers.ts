import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint, RefusalOf } from '#contract/endpoint.ts'
import type { Meta } from '#contract/envelope.ts'
import { type RefusalCode, refusals, type SharedRefusal } from '#contract/refusals.ts'
import { failureJson, isRefused, refusalIn, type Refused, refuse } from './errors.ts'
import { readInTime } from './slow-readers.ts'

declare module 'fastify' {
  interface FastifyReply {
    refusalCode: RefusalCode | null
  }
}

export type Answer<E extends Endpoint> = E extends { readonly isList: true }
  ? { readonly data: z.output<E['data']>; readonly meta: Meta }
  : z.output<E['data']>

export class Encoded {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

export type Caching = 'public, max-age=1' | 'public, max-age=5' | 'public, max-age=31536000, immutable'

/** An answer that is the same for everybody. Pages of other sites may read it, too. */
export class PublicAnswer<T> {
  readonly answer: T
  readonly caching: Caching
  constructor(answer: T, caching: Caching) {
    this.answer = answer
    this.caching = caching
  }
}

/** A public answer in the encoded form in which it is kept and sent. */
export class PublicText extends PublicAnswer<string> {}

export class RawAnswer {
  readonly body: string | Uint8Array
  readonly caching: Caching | null
  constructor(body: string | Uint8Array, caching: Caching | null) {
    this.body = body
    this.caching = caching
  }
}

export class ImageAnswer {
  readonly stream: Readable
  readonly mime: string
  constructor(stream: Readable, mime: string) {
    this.stream = stream
    this.mime = mime
  }
}

export class FileAnswer extends ImageAnswer {
  readonly name: string
  constructor(stream: Readable, mime: string, name: string) {
    super(stream, mime)
    this.name = name
  }
}

export type Handled<E extends Endpoint> =
  | (E extends { readonly isImage: true }
      ? ImageAnswer
      : E extends { readonly isFile: true }
        ? FileAnswer
        : E extends { readonly isRaw: string }
          ? RawAnswer
          : Answer<E> | Encoded | PublicAnswer<Answer<E>>)
  | Refused<RefusalOf<E>>

/** Returns a Content-Disposition (RFC 6266): a name in ASCII and, if that differs, in UTF-8. */
function attachmentAs(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_')
  const coded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${coded}`}`
}

export function sendAnswer(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
): FastifyReply {
  if (isRefused(answer)) return sendRefused(reply, answer)
  if (answer instanceof PublicText)
    return reply.headers(jsonHeaders).headers(publicHeaders(answer.caching)).send(answer.answer)
  if (answer instanceof ImageAnswer) {
    reply.headers(bytesHeaders).header('content-type', answer.mime)
    if (answer instanceof FileAnswer) reply.header('content-disposition', attachmentAs(answer.name))
    if (request.method === 'HEAD') answer.stream.destroy()
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : readInTime(answer.stream))
  }
  if (answer instanceof RawAnswer)
    return reply
      .headers(bytesHeaders)
      .header('content-type', endpoint.isRaw === 'text/plain' ? 'text/plain; charset=utf-8' : endpoint.isRaw)
      .headers(answer.caching === null ? {} : publicHeaders(answer.caching))
      .send(typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body))
  return reply
    .headers(jsonHeaders)
    .send(
      answer instanceof Encoded ? `{"statusCode":200,"message":"OK","data":${answer.json}}` : textOf(endpoint, answer),
    )
}

export function textOf({ data, isList }: Endpoint, answer: unknown): string {
  const list = isList === true ? (answer as { readonly data: unknown; readonly meta: Meta }) : null
  const text = JSON.stringify(z.encode(data, list === null ? answer : list.data))
  const meta = list === null ? '' : `,"meta":${JSON.stringify(list.meta)}`
  return `{"statusCode":200,"message":"OK","data":${text}${meta}}`
}

export const encodeData = <E extends Endpoint>(endpoint: E, data: z.output<E['data']>): string =>
  JSON.stringify(z.encode(endpoint.data, data))

export const decodeData = <E extends Endpoint>(endpoint: E, json: string): z.output<E['data']> =>
  z.decode(endpoint.data, JSON.parse(json)) as z.output<E['data']>

/** Answers may contain private data, so no cache may store them. Browsers must not sniff another type. */
const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/**
 * No cache may keep a user's bytes. Opened as a page, the bytes must not run scripts or load anything, and pages of
 * other sites must not show them (rules §7.7).
 */
const bytesHeaders = {
  'cache-control': 'private, no-store',
  'content-disposition': 'inline',
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'same-origin',
} as const

const publicHeaders = (caching: Caching) => ({
  'access-control-allow-origin': '*',
  'cache-control': caching,
  'cross-origin-resource-policy': 'cross-origin',
})

export function sendRefused(reply: FastifyReply, refused: Refused): FastifyReply {
  if (refused.retryAfterS !== undefined) reply.header('retry-after', refused.retryAfterS)
  reply.refusalCode = refused.code
  return reply.code(refusals[refused.code].status).headers(jsonHeaders).send(failureJson(refused))
}

const frameworkRefusals: Readonly<Record<string, SharedRefusal>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
}

export function toRefused(error: unknown): Refused {
  const expected = refusalIn(error)
  if (expected !== null) return expected
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? frameworkRefusals[code] : undefined
  if (known !== undefined) return refuse(known)
  const isClientsFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return refuse(isClientsFault ? 'BAD_REQUEST' : 'INTERNAL')
}
