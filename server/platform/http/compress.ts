import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'

export const COMPRESS_FROM_BYTES = 1_024

const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity']

/**
 * Returns the encoding that an Accept-Encoding header prefers (RFC 9110 §12.5.3). For a header with `*`, returns
 * `identity`, because the library would let `*` match even encodings that the header excludes by name.
 */
export function encodingFor(accepted: unknown): Encoding {
  if (typeof accepted !== 'string' || accepted.includes('*')) return 'identity'
  return negotiate(accepted.toLowerCase(), ENCODINGS) ?? 'identity'
}

/** @param level 0 to 9, from fast to small */
export function compress(
  body: Buffer | string,
  encoding: Exclude<Encoding, 'identity'>,
  level: number,
): Promise<Buffer> {
  return encoding === 'br'
    ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : promisify(gzip)(body, { level })
}

const ANSWER_LEVEL = 4

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' || payload.length < COMPRESS_FROM_BYTES) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === 'identity') return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return compress(payload, encoding, ANSWER_LEVEL)
  })
}
