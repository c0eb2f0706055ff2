import { bookEndpoints, RECEIPT_PAGE } from '#contract/book.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { type Api, PublicAnswer, RawAnswer } from '#server/platform/http/http.ts'
import { readAnchors } from './anchors.ts'
import { readBetProof } from './read-proof.ts'
import { readReceipt, readReceiptBets } from './receipts.ts'

/** Receipts of rounds, for everybody, and proofs of the own bets (docs/open-book.md §3, §4). */
export function registerReceipts(
  api: Api,
  { db, publicReads }: { readonly db: Database; readonly publicReads: Database },
): void {
  api.handle(bookEndpoints.readReceipt, async ({ params }) => {
    const receipt = await readReceipt(publicReads, params.id)
    return receipt === null ? refuse('NOT_IN_BOOK') : new PublicAnswer(receipt, 'public, max-age=5')
  })

  api.handle(bookEndpoints.readReceiptBets, async ({ params, query }) => {
    const page = Math.max(1, query.page ?? 1)
    const found = await readReceiptBets(publicReads, params.id, page)
    if (found.is !== 'lines') return found.is === 'unknown' ? refuse('NOT_IN_BOOK') : refuse('NOT_SEALED_YET')
    const { lines, total } = found
    const meta = { total, page, limit: RECEIPT_PAGE, hasMore: total > page * RECEIPT_PAGE }
    return new PublicAnswer({ data: [...lines], meta }, 'public, max-age=31536000, immutable')
  })

  api.handle(bookEndpoints.readProof, async ({ params, subject }) => {
    const proof = await readBetProof(db, subject.userId, params.id)
    if (proof.is === 'proof') return new RawAnswer(proof.text, null)
    if (proof.is === 'unknown') return refuse('NOT_FOUND')
    return proof.is === 'outside' ? refuse('NOT_IN_BOOK') : refuse('NOT_SEALED_YET')
  })

  api.handle(bookEndpoints.readAnchors, async ({ query }) => {
    const anchors = await readAnchors(publicReads, query.before)
    return new PublicAnswer(anchors, 'public, max-age=5')
  })
}
