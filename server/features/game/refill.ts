import type { Refilled, RefillOffer } from '#contract/refill.ts'
import { dayOf } from '#domain/day.ts'
import { decideRefill, type RefillRefusal } from '#domain/game/refill.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { refillId, refillTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { bettingLimitsAt, readBettingLimits } from '#server/features/limits/index.ts'
import {
  findRepeat,
  type IdempotencyClaim,
  keepAnswer,
  lockAccounts,
  postTransfers,
} from '#server/features/wallet/index.ts'
import { lockSubject } from '#server/platform/http/auth.ts'
import type { Database, Queryable, Tx } from '#server/platform/database/db.ts'
import { isRefused, type RefusedBy, refuse, refuseUntil } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { onlyRow } from '#server/platform/database/rows.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import type { GameHints } from './ports.ts'

export interface RefillDeps {
  readonly db: Database
  readonly hints: Pick<GameHints, 'balanceChanged'>
  readonly welcomePoints: number
}

const ROUTE = 'refill'

/**
 * Reads the player's limits and whether there was a refill today, and decides whether a refill is possible now.
 * `refill` calls this after it has locked the accounts (rules §3.9).
 */
async function read(q: Queryable, welcomePoints: number, { userId, role }: Subject, totalMinor: bigint) {
  const nowMs = await readNowMs(q)
  const day = dayOf(nowMs)
  const [limits, { rowCount }] = await Promise.all([
    readBettingLimits(q, [userId]),
    q.query('select 1 from ledger_transfers where id = $1', [refillId(userId, day)]),
  ])
  const limitsNow = bettingLimitsAt(limits.get(userId), nowMs)
  const decision = decideRefill({
    isStaff: role === 'admin',
    totalMinor,
    welcomeMinor: points(welcomePoints),
    wasRefilledToday: rowCount > 0,
    limits: limitsNow,
    nowMs,
  })
  return { decision, day, nowMs, timeoutUntilMs: limitsNow?.timeoutUntilMs ?? null }
}

const refused = (code: RefillRefusal, timeoutUntilMs: number | null) =>
  refuseUntil(code, code === 'TIMED_OUT' ? timeoutUntilMs : null)

/** Returns the amount of a possible refill, or why none is possible. Takes no lock, because `refill` decides again. */
export async function offerRefill({ db, welcomePoints }: RefillDeps, subject: Subject): Promise<RefillOffer> {
  const { total } = onlyRow(
    await db.query<{ total: bigint }>(
      'select coalesce(sum(balance), 0)::bigint as total from ledger_accounts where owner_id = $1',
      [subject.userId],
    ),
  )
  const { decision, timeoutUntilMs } = await read(db, welcomePoints, subject, total)
  return decision.ok
    ? { amountMinor: decision.amountMinor, reason: null }
    : { amountMinor: 0n, reason: refused(decision.refusal, timeoutUntilMs).message }
}

/**
 * Fills a player's points up to the welcome points (rules §3.7). The transfer's id contains the day in Vietnam, so no
 * second refill can be booked on one day. The text from `encode` is stored to answer a call with the same `claim`.
 */
export async function refill(
  { db, hints, welcomePoints }: RefillDeps,
  subject: Subject,
  claim: IdempotencyClaim,
  encode: (refilled: Refilled) => string,
): Promise<string | RefusedBy<'refill'>> {
  const { userId } = subject
  const fill = async (tx: Tx, attempt: number): Promise<string | RefusedBy<'refill'>> => {
    const actor = await lockSubject(tx, subject, 'player')
    if (isRefused(actor)) return actor
    const accounts = await lockAccounts(tx, [userId])
    const repeat = await findRepeat(tx, ROUTE, userId, claim)
    if (repeat.is === 'reused') return refuse('KEY_REUSED')
    const walletMinor = accounts.find(({ kind }) => kind === 'wallet')?.balanceMinor ?? 0n
    if (repeat.is === 'repeated') {
      // An earlier attempt has committed, but the answer to its COMMIT was lost, so it sent no hint.
      if (attempt > 1) tx.afterCommit(() => hints.balanceChanged(userId, walletMinor))
      return repeat.json
    }
    const totalMinor = accounts.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
    const { decision, day, nowMs, timeoutUntilMs } = await read(tx, welcomePoints, actor, totalMinor)
    if (!decision.ok) return refused(decision.refusal, timeoutUntilMs)
    const balanceMinor = walletMinor + decision.amountMinor
    await postTransfers(tx, [refillTransfer(userId, day, decision.amountMinor)], nowMs, accounts)
    const json = encode({ amountMinor: decision.amountMinor, balanceMinor })
    await keepAnswer(tx, ROUTE, userId, claim, json)
    tx.afterCommit(() => hints.balanceChanged(userId, balanceMinor))
    return json
  }
  return retrying(db, fill, { looksFirst: true })
}
