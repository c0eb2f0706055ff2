import * as z from 'zod/mini'
import { answer, query, queryInt, text } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'

/** The largest number of settled bets on one page of a receipt (docs/open-book.md §4). */
export const RECEIPT_PAGE = 1_000

const sealed = z.nullable(z.object({ index: z.int(), entry: text }))

/** A round's entries in the log, and the note that signs them, with the field names of docs/open-book.md §4. */
const receipt = z.object({ round: sealed, result: sealed, closed: sealed, announce: sealed, note: text })
export type Receipt = z.output<typeof receipt>

/** The promise that a bet will be sealed (docs/open-book.md §3): a signed batch of bets, and the bet's place in it. */
export const betPromise = answer(() => ({
  note: text,
  index: z.int(),
  size: z.int(),
  /** The audit path (RFC 6962 section 2.1.1): hashes of 32 bytes in base64. */
  path: z.array(text),
}))
export type BetPromise = z.output<typeof betPromise>

/**
 * Indexes of the entries with the rules and seeds that a client needs to check rounds near the index that it asked
 * about. The indexes are only hints: the client has to verify the entries.
 */
const anchors = z.object({
  rules: z.nullable(z.int()),
  seeds: z.array(z.object({ day: z.int(), index: z.int() })),
})
export type Anchors = z.output<typeof anchors>

export const bookEndpoints = {
  readReceipt: endpoint('GET', '/api/v1/rounds/{id}/receipt', 'public', {
    data: receipt,
    refusals: ['NOT_IN_BOOK', 'NOT_SEALED_YET'],
    summary: 'What the public log says about a round',
  }),
  readReceiptBets: endpoint('GET', '/api/v1/rounds/{id}/receipt/bets', 'public', {
    query: query(() => ({ page: z.optional(queryInt) })),
    ...listOf(text),
    refusals: ['NOT_IN_BOOK', 'NOT_SEALED_YET'],
    summary: 'The settled bets of a closed round, each the exact text that the log’s root is computed from',
  }),
  readProof: endpoint('GET', '/api/v1/history/{id}/proof', 'own-data', {
    isRaw: 'text/plain',
    refusals: ['NOT_FOUND', 'NOT_IN_BOOK', 'NOT_SEALED_YET'],
    summary: 'A proof (c2sp.org/tlog-proof@v1) that an own bet stands in the public log',
  }),
  readEvidence: endpoint('GET', '/api/v1/market/evidence/{source}/{second}', 'public', {
    params: z.object({ source: text.check(z.maxLength(300)), second: queryInt }),
    isRaw: 'application/octet-stream',
    refusals: ['NOT_FOUND'],
    summary: 'The bytes that a price provider signed for one second',
  }),
  readAnchors: endpoint('GET', '/api/v1/book/anchors', 'public', {
    query: query(() => ({ before: queryInt, origin: z.optional(text) })),
    data: anchors,
    summary: 'Places in the log of the rules and the seeds that a round stands on',
  }),
} as const
