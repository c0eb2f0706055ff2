import type { BetPromise } from '#contract/book.ts'
import type { Bet } from '#contract/game.ts'
import { commitmentOf, encodeOpening } from '#domain/book/opening.ts'
import { promiseName, promiseText, promiseTree } from '#domain/book/promise.ts'
import { openingOf } from '#domain/book/spelling.ts'
import type { Queryable } from '#server/platform/database/db.ts'
import { type BookSigner, sha256 } from './key.ts'

export type PromiseSigner = Pick<BookSigner, 'origin' | 'signNote'>

/** Returns the commitment to a bet: SHA-256(salt ‖ opening), 32 bytes (docs/open-book.md §3). */
export const sealOf = (salt: Uint8Array, bet: Bet): Uint8Array =>
  commitmentOf(sha256, salt, encodeOpening(openingOf(bet)))

/**
 * Signs one note for all bets that were accepted together. Returns a promise for each bet: the note, and the path from
 * the bet to the root hash in the note (docs/open-book.md §3). Call this after the bets' transaction has committed.
 * @param commitments the commitments to the bets (`sealOf`), 32 bytes each
 * @param atMs the time at which the bets were accepted, Unix ms
 */
export function promiseBets(signer: PromiseSigner, commitments: readonly Uint8Array[], atMs: number): BetPromise[] {
  const { root, paths } = promiseTree(sha256, commitments)
  const note = signer.signNote(promiseName(signer.origin), promiseText(signer.origin, root, atMs))
  return paths.map((path, index) => ({ note, index, size: commitments.length, path }))
}

/**
 * Signs a promise for a bet that was accepted earlier. Null if the signer's log neither has the bet nor will have it,
 * because the bet lies in a log that has ended, or outside: such a promise would be proof against us.
 */
export async function promiseAgain(db: Queryable, signer: PromiseSigner | null, bet: Bet): Promise<BetPromise | null> {
  if (signer === null || bet.salt === undefined || bet.salt === null) return null
  const { rowCount } = await db.query(
    `select 1 from book_logs l
      where l.origin = $1 and (exists (select from book_places p where p.bet_id = $2 and p.generation = l.generation)
        or exists (select from book_queue q where $2 = any(q.bets)))`,
    [signer.origin, bet.id],
  )
  if (rowCount === 0) return null
  return promiseBets(signer, [sealOf(Buffer.from(bet.salt, 'base64'), bet)], bet.createdAtMs)[0] ?? null
}
