import { bookEndpoints, RECEIPT_PAGE } from '#contract/book.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import { type Api, PublicAnswer, RawAnswer } from '#server/platform/http/http.ts'
import { readAnchors } from './anchors.ts'
import { readBetProof } from './read-proof.ts'
import { readReceipt, readReceiptBets } from './receipts.ts'

const codeOf = { outside: 'NOT_IN_BOOK', unsealed: 'NOT_SEALED_YET' } as const

/** Registers the routes of receipts, of anchors and of the proofs of own bets (docs/open-book.md §3, §4, §5). */
export function registerReceipts(
  api: Api,
  { db, publicReads }: { readonly db: Database; readonly publicReads: Database },
): void {
  api.handle(bookEndpoints.readReceipt, async ({ params }) => {
    const found = await readReceipt(publicReads, params.id)
    return found.is === 'receipt' ? new PublicAnswer(found.receipt, 'public, max-age=5') : refuse(codeOf[found.is])
  })

  api.handle(bookEndpoints.readReceiptBets, async ({ params, query }) => {
    const page = Math.max(1, query.page ?? 1)
    const found = await readReceiptBets(publicReads, params.id, page)
    if (found.is !== 'lines') return refuse(codeOf[found.is])
    const { lines, total } = found
    const meta = { total, page, limit: RECEIPT_PAGE, hasMore: total > page * RECEIPT_PAGE }
    return new PublicAnswer({ data: [...lines], meta }, 'public, max-age=31536000, immutable')
  })

  api.handle(bookEndpoints.readProof, async ({ params, subject }) => {
    const proof = await readBetProof(db, subject.userId, params.id)
    if (proof.is === 'proof') return new RawAnswer(proof.text, null)
    return refuse(proof.is === 'unknown' ? 'NOT_FOUND' : codeOf[proof.is])
  })

  api.handle(bookEndpoints.readAnchors, async ({ query }) => {
    const anchors = await readAnchors(publicReads, query.before, query.origin)
    return new PublicAnswer(anchors, 'public, max-age=5')
  })
}
