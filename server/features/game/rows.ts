import { type Bet, GAME_IDS, type Round } from '#contract/game.ts'
import type { BetDecision, BettableRound, Direction } from '#domain/game/bet.ts'
import { DURATION_S, type RoundType } from '#domain/game/calendar.ts'
import type { RoundStatus } from '#domain/game/round.ts'
import type { Subject } from '#domain/identity/permissions.ts'

export interface RoundRow extends Record<string, unknown> {
  id: string
  type: RoundType
  index: bigint
  attempt: number
  opens_at: Date
  locks_at: Date
  closes_at: Date
  status: RoundStatus
  price_source: string
  open_price: number | null
  close_price: number | null
  result: Direction | null
  staff_direction: Direction | null
  staff_nonce: Uint8Array | null
  staff_commitment: Uint8Array | null
  announced_at: Date | null
  announced_by: string | null
  deleted_at: Date | null
  /** `out`: the round is not in the public log. `closed`: its last log entry is queued or sealed. */
  book: 'out' | 'open' | 'closed'
}

/** Prices and result of a future second are null: they may have been stored while the clock was ahead (rules §2.1). */
export const ROUND_COLUMNS = `r.id, r.type, r.index, r.attempt, r.opens_at, r.locks_at, r.closes_at, r.status, r.price_source,
  case when r.opens_at <= clock_timestamp() then r.open_price end as open_price,
  case when r.closes_at <= clock_timestamp() then r.close_price end as close_price,
  case when r.closes_at <= clock_timestamp() then r.result end as result,
  r.staff_direction, r.staff_nonce, r.staff_commitment, r.announced_at, r.announced_by, r.deleted_at, r.book`

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Until a round is `ended`, only the admin who announced its result gets the direction; nobody gets the nonce. */
export function toRound(row: RoundRow, reader: Subject, labelOf: (source: string) => string): Round {
  const isEnded = row.status === 'ended'
  const isAnnouncer = reader.role === 'admin' && reader.userId === row.announced_by
  const announced = row.announced_at !== null && row.staff_commitment !== null
  return {
    id: row.id,
    gameId: GAME_IDS[row.type],
    type: row.type,
    roundNumber: Number(row.index) + 1,
    attempt: row.attempt,
    status: row.status,
    openPrice: row.open_price,
    closePrice: row.close_price,
    result: isEnded ? row.result : isAnnouncer ? row.staff_direction : null,
    resultSource: announced ? 'ADMIN' : 'PRICE',
    announcement:
      row.announced_at === null || row.staff_commitment === null
        ? null
        : {
            commitment: hex(row.staff_commitment),
            announcedAt: row.announced_at.getTime(),
            direction: isEnded || isAnnouncer ? row.staff_direction : null,
            nonce: isEnded && row.staff_nonce !== null ? hex(row.staff_nonce) : null,
          },
    priceSource: row.price_source,
    priceSourceLabel: labelOf(row.price_source),
    opensAtMs: row.opens_at.getTime(),
    locksAtMs: row.locks_at.getTime(),
    closesAtMs: row.closes_at.getTime(),
    durationS: DURATION_S[row.type],
    isDeleted: row.deleted_at !== null,
  }
}

export const toBettable = (
  row: RoundRow,
  { isFeedOpen, isEntryTold }: Pick<BettableRound, 'isFeedOpen' | 'isEntryTold'>,
): BettableRound => ({
  id: row.id,
  type: row.type,
  isRunning: row.status === 'running',
  isDeleted: row.deleted_at !== null,
  opensAtMs: row.opens_at.getTime(),
  locksAtMs: row.locks_at.getTime(),
  closesAtMs: row.closes_at.getTime(),
  staffDirection: row.staff_direction,
  isFeedOpen,
  isEntryTold,
})

export const newBet = (
  call: Pick<Bet, 'direction' | 'stakeMinor'> & { readonly betId: string },
  { user, round, decision }: BetParts,
  nowMs: number,
  salt: Buffer,
): Bet => ({
  id: call.betId,
  owner: { id: user.id, username: user.username },
  round: { id: round.id, roundNumber: Number(round.index) + 1, type: round.type },
  direction: call.direction,
  stakeMinor: call.stakeMinor,
  status: 'open',
  basis: decision.basis,
  entryFromMs: decision.entryFromSecond * 1000,
  entryAtMs: null,
  entryPrice: null,
  exitPrice: null,
  profitMinor: null,
  voidReason: null,
  closesAtMs: round.closes_at.getTime(),
  settledAtMs: null,
  createdAtMs: nowMs,
  serverTimeMs: nowMs,
  salt: salt.toString('base64'),
  script: decision.scriptedOutcome,
  sealIndex: null,
})

interface BetParts {
  readonly user: { readonly id: string; readonly username: string }
  readonly round: RoundRow
  readonly decision: Extract<BetDecision, { ok: true }>
}
