import {
  type BetOutcome,
  decideSettlement,
  type SettlingBet,
  type SettlingRound,
  type TickPrice,
} from '#domain/game/settle.ts'
import { midnightBeforeMs } from '#domain/day.ts'
import { EVIDENCE_KEPT_SECONDS } from '#domain/market/tick.ts'
import { wallet as walletOf } from '#domain/ledger/accounts.ts'
import { closeBetTransfers } from '#domain/ledger/transfers.ts'
import { readBettingLimits } from '#server/features/limits/index.ts'
import { bookingStatement, lockAccounts, lockFreeAccounts, startBooking } from '#server/features/wallet/index.ts'
import type { Database, Row, Tx } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { sql } from '#server/platform/database/sql.ts'
import { msSql } from '#server/platform/database/rows.ts'
import type { GameHints, RoundPrices } from './ports.ts'
import { type LimitUse, notifyLimits } from './notify-limits.ts'
import type { SettlementWatch } from './watch-settlement.ts'

/** Bets per transaction. A larger chunk would block the event loop for longer. */
const CHUNK = { embedded: 200, native: 500 } as const
/** Chunks in progress at once: while one is written, another is decided. The embedded engine has one connection. */
const LANES = { embedded: 1, native: 2 } as const

type OpenBet = SettlingBet & { readonly id: string; readonly userId: string }

export interface CloseBetsDeps {
  readonly db: Database
  readonly prices: RoundPrices
  readonly hints: GameHints
  readonly watch?: SettlementWatch
  readonly chunkSize?: number
}

/** A round whose bets can be closed: its ticks are complete, or it was deleted. */
export interface ClosingRound extends SettlingRound {
  readonly id: string
  readonly priceSource: string
  readonly ticks: ReadonlyMap<number, TickPrice>
}

/**
 * Closes a round's open bets in chunks, each in its own transaction. Skips bets whose rows another transaction locks.
 * Bets whose accounts are locked come last, so that they delay no other bets. Returns how many bets this call closed.
 * @throws LOCK_NOT_FREE if an account stays locked for too long; the bets whose accounts were free are closed by then
 */
export async function closeBets(deps: CloseBetsDeps, round: ClosingRound): Promise<number> {
  const chunkSize = deps.chunkSize ?? CHUNK[deps.db.engine]
  // Each bet up to this id is closed, has a locked row, or was passed over because an account of its owner is locked.
  let lastId = NO_ID
  let passedOver = 0
  const lane = async (lockOwners: typeof lockAccounts): Promise<number> => {
    let closed = 0
    for (;;) {
      const afterId = lastId
      const chunk = await closeChunk(deps, round, { size: chunkSize, afterId, lockOwners }, (id) => {
        if (id > lastId) lastId = id
      })
      closed += chunk.closed
      passedOver += chunk.taken - chunk.closed
      if (chunk.taken < chunkSize) return closed
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES[deps.db.engine] }, () => lane(lockFreeAccounts)))
  // All lanes have ended, failed ones too: when this function throws, none uses a connection or holds a lock.
  let closed = 0
  for (const outcome of lanes) {
    if (outcome.status === 'rejected') throw outcome.reason
    closed += outcome.value
  }
  if (passedOver === 0) return closed
  lastId = NO_ID
  return closed + (await lane(lockAccounts))
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

async function closeChunk(
  deps: CloseBetsDeps,
  round: ClosingRound,
  { size, afterId, lockOwners }: { size: number; afterId: string; lockOwners: typeof lockAccounts },
  took: (lastId: string) => void,
): Promise<{ readonly taken: number; readonly closed: number }> {
  return retrying(deps.db, async (tx) => {
    const { rows: taken } = await tx.query<OpenBet & Row>(
      `select id, user_id as "userId", direction, stake as "stakeMinor", basis, seen_basis as "seenBasis",
              scripted_outcome as "scriptedOutcome", ${msSql('accepted_at')} as "acceptedAtMs" from bets
        where round_id = $1 and status = 'open' and id > $3 order by id limit $2 for update skip locked`,
      [round.id, size, afterId],
      { name: 'open-bets' },
    )
    const last = taken.at(-1)
    if (last === undefined) return { taken: 0, closed: 0 }
    took(last.id)
    const ownerIds = taken.map(({ userId }) => userId)
    const [accounts, limits, nowMs] = await Promise.all([
      lockOwners(tx, ownerIds),
      readBettingLimits(tx, ownerIds),
      readNowMs(tx),
    ])
    const locked = new Set(accounts.map(({ ownerId }) => ownerId))
    const bets = taken.filter(({ userId }) => locked.has(userId))
    if (bets.length === 0) return { taken: taken.length, closed: 0 }
    const booking = startBooking(accounts)
    const tickAt = (second: number) => round.ticks.get(second) ?? null
    const outcomes = bets.map((bet) => {
      const outcome = decideSettlement(round, bet, tickAt)
      for (const transfer of closeBetTransfers(bet.id, bet.userId, bet.stakeMinor, outcome.profitMinor))
        booking.book(transfer, nowMs)
      return outcome
    })
    await keepEvidence(deps.prices, tx, round, outcomes)
    await notifyLimits(deps.hints, tx, limits, lossesToday(bets, outcomes, nowMs), nowMs)
    for (const { id, userId } of bets) {
      const balanceMinor = booking.balanceMinor(walletOf(userId))
      tx.afterCommit(() => {
        deps.hints.betChanged(userId, id, true)
        deps.hints.balanceChanged(userId, balanceMinor)
      })
    }
    await tx.commitWith(
      ...CLOSE({
        ...booking.values(),
        betIds: bets.map((bet) => bet.id),
        statuses: outcomes.map((outcome) => outcome.status),
        voidReasons: outcomes.map((outcome) => outcome.voidReason),
        profits: outcomes.map((outcome) => outcome.profitMinor),
        entrySeconds: outcomes.map((outcome) => (outcome.entry === null ? null : BigInt(outcome.entry.second))),
        entryPrices: outcomes.map((outcome) => outcome.entry?.price ?? null),
        exitPrices: outcomes.map((outcome) => outcome.exit?.price ?? null),
        settledAt: new Date(nowMs),
      }),
    )
    return { taken: taken.length, closed: bets.length }
  })
}

/** Returns the losses of today's bets. A bet belongs to the day on which it was accepted, not settled. */
function lossesToday(bets: readonly OpenBet[], outcomes: readonly BetOutcome[], nowMs: number): LimitUse[] {
  const today = midnightBeforeMs(nowMs)
  return bets.flatMap(({ userId, acceptedAtMs }, at) => {
    const profitMinor = outcomes[at]?.profitMinor ?? 0n
    return profitMinor >= 0n || acceptedAtMs < today ? [] : [{ userId, stakeMinor: 0n, lossMinor: -profitMinor }]
  })
}

async function keepEvidence(prices: RoundPrices, tx: Tx, round: ClosingRound, outcomes: readonly BetOutcome[]) {
  if (round.isDeleted || !prices.isLive(round.priceSource)) return
  const seconds = outcomes.flatMap(({ entry, exit }) => [entry, exit]).flatMap((tick) => tick?.second ?? [])
  // Sorted, because two processes may write the same seconds of one round: in different orders they could deadlock.
  const sorted = [...new Set(seconds)].toSorted((a, b) => a - b)
  if (sorted.length > 0) await prices.keepEvidence(tx, round.priceSource, sorted)
}

/**
 * For each live source, stores the provider's signed bytes of the ticks from the first possible entry of an open bet
 * until now. Called when this process ends, because the processes that settle these bets may not have received the
 * bytes.
 */
export async function keepOpenEntries({ db, prices }: Pick<CloseBetsDeps, 'db' | 'prices'>): Promise<void> {
  const { rows } = await db.query<{ source: string; first: number; now: number }>(
    `select r.price_source as source, min(b.entry_from)::float8 as first,
            floor(extract(epoch from clock_timestamp()))::float8 as now
       from bets b join rounds r on r.id = b.round_id where b.status = 'open' group by r.price_source`,
  )
  for (const { source, first, now } of rows.filter((row) => prices.isLive(row.source))) {
    const from = Math.max(first, now - EVIDENCE_KEPT_SECONDS)
    const seconds = Array.from({ length: now - from + 1 }, (_, nth) => from + nth)
    await db.tx((tx) => prices.keepEvidence(tx, source, seconds))
  }
}

/** Closes bets and books their transfers in one statement. The whole statement fails if a bet is no longer open. */
const CLOSE = bookingStatement(
  {
    ctes: sql`closed as (
    update bets b set status = o.status, void_reason = o.void_reason, profit = o.profit, entry_second = o.entry_second,
        entry_price = o.entry_price, exit_price = o.exit_price, settled_at = ${'settledAt'}::timestamptz
      from unnest(${'betIds'}::uuid[], ${'statuses'}::text[], ${'voidReasons'}::text[], ${'profits'}::bigint[],
        ${'entrySeconds'}::bigint[], ${'entryPrices'}::integer[], ${'exitPrices'}::integer[])
        as o (id, status, void_reason, profit, entry_second, entry_price, exit_price)
     where b.id = o.id and b.status = 'open'
    returning 1
  )`,
    isWhole: sql`(select count(*) from closed) = cardinality(${'betIds'}::uuid[])`,
  },
  { name: 'close-bets' },
)
