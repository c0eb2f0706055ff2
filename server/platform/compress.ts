import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'

/** Below this a compressed answer saves nothing. */
export const COMPRESS_FROM_BYTES = 1_024

/** In the order in which they are sent where a request likes several as much. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity']

/**
 * What a request likes best of these (RFC 9110 §12.5.3), by its Accept-Encoding header. Who names a star gets the answer as
 * it is: the star stands for what the header refuses by name as well, to the library that reads it.
 */
export function encodingFor(accepted: unknown): Encoding {
  if (typeof accepted !== 'string' || accepted.includes('*')) return 'identity'
  return negotiate(accepted.toLowerCase(), ENCODINGS) ?? 'identity'
}

/** @param level 0 to 9, the higher the smaller and the slower; both know these */
export function compress(
  body: Buffer | string,
  encoding: Exclude<Encoding, 'identity'>,
  level: number,
): Promise<Buffer> {
  return encoding === 'br'
    ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : promisify(gzip)(body, { level })
}

/** A fifth of the size in about a millisecond, and not on the event loop. */
const ANSWER_LEVEL = 4

/** Sends answers compressed that are texts of some length: lists and candles are a fifth of their size then. */
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
