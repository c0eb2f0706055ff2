import { createHash, randomBytes } from 'node:crypto'
import type { Direction } from '#domain/game/bet.ts'
import { decideSetResult } from '#domain/game/round.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { queueEntries } from '#server/features/book/index.ts'
import { recordRoundResult } from '#server/features/notices/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { lockRound } from './lock-round.ts'
import type { GameHints } from './ports.ts'
import type { RoundRow } from './rows.ts'

/** Returns SHA-256 of these bytes: `UP` or `DOWN` in ASCII, then the nonce (docs/open-book.md §2, announce). */
const commit = (direction: Direction, nonce: Uint8Array): Buffer =>
  createHash('sha256').update(direction.toUpperCase()).update(nonce).digest()

/**
 * Announces the result of a running round. This is possible once, while at least 10 s are left. The result decides only
 * bets that are placed later, by players who saw the announcement (rules §1.2).
 */
export const setResult = (
  { db, hints }: { db: Database; hints: GameHints },
  subject: Subject,
  roundId: string,
  direction: Direction,
) =>
  db.tx(async (tx) => {
    const locked = await lockRound(tx, subject, roundId)
    if (isRefused(locked)) return locked
    const { round, staff, nowMs } = locked
    const refusal = decideSetResult(staff, nowMs)
    if (refusal !== null || round === null) return refuse(refusal ?? 'ROUND_NOT_FOUND')
    const nonce = randomBytes(16)
    const commitment = commit(direction, nonce)
    const announced: RoundRow = {
      ...round,
      staff_direction: direction,
      staff_nonce: nonce,
      staff_commitment: commitment,
      announced_at: new Date(nowMs),
      announced_by: subject.userId,
    }
    await tx.query(
      `update rounds set staff_direction = $2, staff_nonce = $3, staff_commitment = $4, announced_at = $5, announced_by = $6
        where id = $1`,
      [roundId, direction, nonce, commitment, announced.announced_at, subject.userId],
    )
    if (round.book !== 'out') {
      const c = Buffer.from(commitment).toString('base64')
      await queueEntries(tx, [{ kind: 'announce', atMs: nowMs, fields: { round: roundId, c } }])
    }
    await recordAct(tx, subject.userId, 'round.set-result', `round:${roundId}`, {
      before: { staffDirection: null },
      after: { staffDirection: direction },
    })
    const told = await recordRoundResult(tx, roundId, nowMs)
    tx.afterCommit(() => {
      hints.roundChanged(round.type)
      for (const userId of told) hints.noticesChanged(userId)
    })
    return announced
  })
