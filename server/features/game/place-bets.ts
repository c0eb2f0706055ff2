import { randomBytes } from 'node:crypto'
import type { BetPromise } from '#contract/book.ts'
import type { Bet } from '#contract/game.ts'
import type { RefusalBy } from '#contract/endpoints.ts'
import { SALT_BYTES } from '#domain/book/opening.ts'
import { type Basis, type BetDecision, decidePlaceBet, type Direction, type ScriptedOutcome } from '#domain/game/bet.ts'
import { decideAccess } from '#domain/identity/permissions.ts'
import { staked as stakedOf, wallet as walletOf } from '#domain/ledger/accounts.ts'
import { stakeTransfer } from '#domain/ledger/transfers.ts'
import type { Minor } from '#domain/money.ts'
import {
  promiseBets,
  type PromiseSigner,
  queuedBetsCte,
  queuedBetsValues,
  sealOf,
} from '#server/features/book/index.ts'
import { bettingLimitsAt, readBettingLimits } from '#server/features/limits/index.ts'
import { hasTickAfterSql } from '#server/features/market/index.ts'
import {
  type Booking,
  bookingStatement,
  findRepeats,
  type IdempotencyClaim,
  keptAnswersCte,
  keptAnswersValues,
  type LockedAccount,
  lockAccounts,
  startBooking,
} from '#server/features/wallet/index.ts'
import {
  isSessionAlive,
  type ParsedToken,
  type SessionRow,
  subjectOf,
  type SubjectRow,
} from '#server/platform/http/auth.ts'
import { createBatcher } from '#server/platform/database/batches.ts'
import type { Database, Row, Tx } from '#server/platform/database/db.ts'
import { type Query, sql } from '#server/platform/database/sql.ts'
import type { Span } from '#server/platform/process/tracing.ts'
import type { GameHints, RoundPrices } from './ports.ts'
import { readBets, readPendingDeposits } from './queries.ts'
import { newBet, ROUND_COLUMNS, type RoundRow, toBettable } from './rows.ts'
import { notifyLimits } from './notify-limits.ts'
import { startBatchTrace } from './trace-bets.ts'

/** The token is unverified: `placeBatch` checks the token's user and session after it has locked their rows. */
export interface BetCall {
  /** The id is made before the write, so that the bet can be looked up if the answer to COMMIT is lost (rules §3.5). */
  readonly betId: string
  readonly token: ParsedToken
  readonly roundId: string
  readonly stakeMinor: Minor
  readonly direction: Direction
  readonly seenBasis: Basis
  readonly claim: IdempotencyClaim | null
  readonly span?: Span | null
}

interface WaitingBet extends BetCall {
  readonly waiting?: Span
}

/**
 * `json`: the encoded bet. `promise`: `again` if the route has to sign a promise for a bet accepted earlier, because
 * promises are not stored; null if no promise can be given. `untilMs`: the end of a time-out, Unix ms.
 */
export type BetAnswer =
  | { readonly ok: true; readonly json: string; readonly promise: BetPromise | 'again' | null }
  | { readonly ok: false; readonly refusal: RefusalBy<'placeBet'>; readonly untilMs?: number }

export interface BetPlacerDeps {
  readonly db: Database
  readonly prices: RoundPrices
  readonly hints: GameHints
  /** Returns null while this process may not sign for the log. */
  readonly promiseSigner?: () => PromiseSigner | null
}

type EncodeBet = (bet: Bet) => string

/** The most bets in one batch: fewer on the embedded engine, which blocks the event loop while it runs a statement. */
const BATCH_SIZE = { embedded: 64, native: 128 } as const
const SECOND_LANE_FROM = { embedded: Number.POSITIVE_INFINITY, native: 8 } as const
/** A batch that fails later than this after its start is not retried, because retries delay the waiting bets. */
const GIVE_UP_AFTER_MS = 10_000
const ROUTE = 'place-bet'

interface UserRow extends Row, SubjectRow {
  scripted_outcome: ScriptedOutcome | null
  deleted_at: Date | null
}

interface SessionByIdRow extends Row, SessionRow {
  id: string
}

interface Placed {
  readonly call: BetCall
  readonly decision: Extract<BetDecision, { ok: true }>
  readonly json: string
  readonly salt: Uint8Array
  /** The commitment that will be sealed; null if the round is not in the public log. */
  readonly seal: Uint8Array | null
}

/**
 * Returns a function that places a bet. Waiting bets share a transaction, one bet per player in each (decision 008).
 * @param encode returns the JSON text of a bet, in the API's field names
 */
export function createBetPlacer(deps: BetPlacerDeps, encode: EncodeBet): (call: BetCall) => Promise<BetAnswer> {
  const { engine } = deps.db
  const place = createBatcher<WaitingBet, BetAnswer>({
    run: async (calls, isRetry) => {
      for (const { waiting } of calls) waiting?.end()
      const trace = startBatchTrace(calls, isRetry)
      try {
        return await placeBatch(deps, encode, calls, isRetry, trace)
      } catch (error) {
        trace?.fail(error)
        throw error
      } finally {
        trace?.end()
      }
    },
    keyOf: ({ token }) => token.userId,
    maxSize: BATCH_SIZE[engine],
    secondLaneFrom: SECOND_LANE_FROM[engine],
    retries: 2,
    giveUpAfterMs: GIVE_UP_AFTER_MS,
  })
  return (call) => place(call.span == null ? call : { ...call, waiting: call.span.begin('bet.queue') })
}

interface Loaded {
  readonly rounds: ReadonlyMap<string, RoundRow>
  readonly users: ReadonlyMap<string, UserRow>
  readonly sessions: ReadonlyMap<string, SessionByIdRow>
  readonly accounts: readonly LockedAccount[]
  readonly limits: Awaited<ReturnType<typeof readBettingLimits>>
  readonly pendingDeposits: Awaited<ReturnType<typeof readPendingDeposits>>
  readonly repeats: Awaited<ReturnType<typeof findRepeats>> | null
  /** By id: bets of this batch that an earlier attempt has committed; only the answer to its COMMIT was lost. */
  readonly stored: ReadonlyMap<string, Bet>
  readonly nowMs: number
  /** Rounds whose price source already has a tick after `nowMs`. That price may be public, so bets are refused. */
  readonly pricedRoundIds: ReadonlySet<string>
}

async function placeBatch(
  deps: BetPlacerDeps,
  encode: EncodeBet,
  calls: readonly BetCall[],
  isRetry: boolean,
  trace: ReturnType<typeof startBatchTrace>,
): Promise<BetAnswer[]> {
  const salts = randomBytes(SALT_BYTES * calls.length)
  const placed: Placed[] = []
  let atMs = Number.NaN
  const answers = await deps.db.tx(async (tx) => {
    trace?.step('bet.locks')
    const loaded = await load(tx, calls, isRetry)
    atMs = loaded.nowMs
    trace?.step('bet.decide')
    const booking = startBooking(loaded.accounts)
    const isInBook = ({ roundId }: BetCall) => loaded.rounds.get(roundId)?.book !== 'out'
    const notify = ({ betId, token: { userId } }: BetCall) => {
      const balanceMinor = booking.balanceMinor(walletOf(userId))
      tx.afterCommit(() => {
        deps.hints.betChanged(userId, betId, false)
        deps.hints.balanceChanged(userId, balanceMinor)
      })
    }
    const answers = calls.map((call, at): BetAnswer => {
      const kept = loaded.stored.get(call.betId)
      if (kept !== undefined) {
        notify(call)
        return { ok: true, json: encode(kept), promise: 'again' }
      }
      const repeat = call.claim === null ? undefined : loaded.repeats?.get(call.token.userId)
      const judged = judge(deps, loaded, booking, call)
      // A caller without access is refused, even if an answer is stored under the call's idempotency key.
      if (!judged.ok && judged.isAccess) return refusalOf(judged)
      if (repeat?.is === 'repeated') return { ok: true, json: repeat.json, promise: 'again' }
      if (repeat?.is === 'reused') return { ok: false, refusal: 'KEY_REUSED' }
      if (!judged.ok) return refusalOf(judged)
      const salt = salts.subarray(SALT_BYTES * at, SALT_BYTES * (at + 1))
      const bet = newBet(call, judged, atMs, salt)
      const json = encode(bet)
      booking.book(stakeTransfer(call.betId, judged.user.id, call.stakeMinor), atMs)
      placed.push({ call, decision: judged.decision, json, salt, seal: isInBook(call) ? sealOf(salt, bet) : null })
      return { ok: true, json, promise: null }
    })
    if (placed.length === 0) return answers

    for (const { call } of placed) notify(call)
    const uses = placed.map(({ call }) => ({ userId: call.token.userId, stakeMinor: call.stakeMinor, lossMinor: 0n }))
    await notifyLimits(deps.hints, tx, loaded.limits, uses, atMs)
    const [text, params, options] = write(booking, placed, atMs)
    trace?.step('bet.write')
    await tx.commitWith(text, params, {
      ...options,
      onWritten: trace === null ? undefined : () => trace.step('bet.commit'),
    })
    return answers
  })
  trace?.step('bet.promise')
  return withPromises(deps, calls, answers, placed, atMs)
}

/** Adds the promises to the answers. Must be called after the commit, so that no rolled-back bet gets a promise. */
function withPromises(
  { promiseSigner }: BetPlacerDeps,
  calls: readonly BetCall[],
  answers: readonly BetAnswer[],
  placed: readonly Placed[],
  atMs: number,
): BetAnswer[] {
  const signer = promiseSigner?.() ?? null
  const sealed = placed.flatMap(({ call, seal }) => (seal === null ? [] : [{ call, seal }]))
  if (signer === null || sealed.length === 0) return [...answers]
  const seals = sealed.map(({ seal }) => seal)
  const promises = promiseBets(signer, seals, atMs)
  const byCall = new Map(sealed.map(({ call }, at) => [call, promises[at] ?? null]))
  return answers.map((answer, at) => {
    const call = calls[at]
    const promise = call === undefined ? undefined : byCall.get(call)
    return answer.ok && promise !== undefined ? { ...answer, promise } : answer
  })
}

/** `now_ms`: acceptance time. `told`: rounds whose source has a tick after `now_ms`, because the clock was set back. */
const NOW = `with clock as materialized (select clock_timestamp() as at)
  select floor(extract(epoch from clock.at) * 1000)::bigint as now_ms,
         array(select r.id from rounds r where r.id = any($1::uuid[]) and ${hasTickAfterSql('r.price_source', 'clock.at')}) as told
    from clock`

/** Locks rows in the order of rules §3.9. The statements are sent at once, and the database runs them in this order. */
async function load(tx: Tx, calls: readonly BetCall[], isRetry: boolean): Promise<Loaded> {
  const userIds = calls.map(({ token }) => token.userId)
  const roundIds = [...new Set(calls.map(({ roundId }) => roundId))]
  const betIds = calls.map(({ betId }) => betId)
  const claims = calls.flatMap(({ token, claim }) => (claim === null ? [] : [{ userId: token.userId, claim }]))
  const [rounds, users, sessions, accounts, repeats, limits, now, already] = await Promise.all([
    tx.query<RoundRow>(
      `select ${ROUND_COLUMNS} from rounds r where r.id = any($1::uuid[]) order by r.id for share`,
      [roundIds],
      { name: 'bet-rounds' },
    ),
    tx.query<UserRow>(
      `select id, username, role, capabilities, is_frozen, must_change_password, scripted_outcome, deleted_at from users
        where id = any($1::uuid[]) order by id for share`,
      [userIds],
      { name: 'bet-users' },
    ),
    tx.query<SessionByIdRow>(
      `select id, user_id, secret_hash, expires_at, ended_at from sessions
        where id = any($1::uuid[]) order by id for share`,
      [calls.map(({ token }) => token.sessionId)],
      { name: 'bet-sessions' },
    ),
    lockAccounts(tx, userIds),
    claims.length === 0 ? null : findRepeats(tx, ROUTE, claims),
    readBettingLimits(tx, userIds),
    // The time of acceptance is read after every lock is held (rules §3.9).
    tx.query<{ now_ms: bigint; told: string[] }>(NOW, [roundIds], { name: 'bet-now' }),
    // A retry has the same ids, so it finds bets that an earlier attempt has committed. The earlier COMMIT has ended by
    // now, because `lockAccounts` waited for the locks of that transaction.
    isRetry ? readBets(tx, betIds) : [],
  ])
  const byId = <R extends { id: string }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    rounds: byId(rounds.rows),
    users: byId(users.rows),
    sessions: byId(sessions.rows),
    accounts,
    repeats,
    limits,
    pendingDeposits: await readPendingDeposits(tx, accounts),
    stored: byId(already),
    nowMs: Number(now.rows[0]?.now_ms),
    pricedRoundIds: new Set(now.rows[0]?.told),
  }
}

const refusalOf = ({ refusal, untilMs }: Extract<Judgement, { readonly ok: false }>): BetAnswer => ({
  ok: false,
  refusal,
  ...(untilMs !== undefined && { untilMs }),
})

type Judgement =
  | { readonly ok: true; readonly user: UserRow; readonly round: RoundRow; readonly decision: Placed['decision'] }
  | (Extract<BetAnswer, { readonly ok: false }> & { readonly isAccess: boolean })

function judge({ prices }: BetPlacerDeps, loaded: Loaded, booking: Booking, call: BetCall): Judgement {
  const user = loaded.users.get(call.token.userId)
  const session = loaded.sessions.get(call.token.sessionId)
  if (user === undefined || user.deleted_at !== null || !isSessionAlive(session, call.token, loaded.nowMs))
    return { ok: false, isAccess: true, refusal: 'UNAUTHORIZED' }
  const refused = decideAccess('player', subjectOf(user, call.token.sessionId))
  if (refused !== null) return { ok: false, isAccess: true, refusal: refused }

  const row = loaded.rounds.get(call.roundId)
  const limits = bettingLimitsAt(loaded.limits.get(user.id), loaded.nowMs)
  const decision = decidePlaceBet({
    round:
      row === undefined
        ? null
        : toBettable(row, {
            isFeedOpen: prices.closedReason(row.price_source) === null,
            isEntryTold: loaded.pricedRoundIds.has(row.id),
          }),
    player: {
      isStaff: user.role === 'admin',
      isFrozen: user.is_frozen,
      scriptedOutcome: user.scripted_outcome,
      walletMinor: booking.balanceMinor(walletOf(user.id)),
      stakedMinor: booking.balanceMinor(stakedOf(user.id)),
      pendingDepositsMinor: loaded.pendingDeposits.get(user.id) ?? 0n,
      limits,
    },
    stakeMinor: call.stakeMinor,
    direction: call.direction,
    seenBasis: call.seenBasis,
    nowMs: loaded.nowMs,
  })
  if (!decision.ok) {
    const untilMs = decision.refusal === 'TIMED_OUT' ? limits?.timeoutUntilMs : null
    return { ok: false, isAccess: false, refusal: decision.refusal, ...(untilMs != null && { untilMs }) }
  }
  if (row === undefined) return { ok: false, isAccess: false, refusal: 'ROUND_NOT_FOUND' }
  return { ok: true, user, round: row, decision }
}

const WRITE = bookingStatement(
  {
    ctes: sql`${keptAnswersCte(ROUTE)},
  placed as (
    insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, scripted_outcome, accepted_at, entry_from,
        salt)
    select b.id, b.user_id, b.round_id, b.direction, b.stake, b.basis, b.basis, b.scripted_outcome,
        ${'acceptedAt'}::timestamptz, ${'entryFrom'}::bigint, b.salt
      from unnest(${'betIds'}::uuid[], ${'userIds'}::uuid[], ${'roundIds'}::uuid[], ${'directions'}::text[],
        ${'stakes'}::bigint[], ${'bases'}::text[], ${'scriptedOutcomes'}::text[], ${'salts'}::bytea[])
        as b (id, user_id, round_id, direction, stake, basis, scripted_outcome, salt)
    returning 1
  ), ${queuedBetsCte}`,
  },
  { name: 'place-bets' },
)

function write(booking: Booking, placed: readonly Placed[], nowMs: number): Query {
  const at = new Date(nowMs)
  const entries = placed.flatMap(({ call: { betId, roundId }, seal }) =>
    seal === null ? [] : [{ betId, roundId, commitment: seal }],
  )
  const kept = placed.flatMap(({ call, json }) =>
    call.claim === null ? [] : [{ userId: call.token.userId, claim: call.claim, answer: json }],
  )
  return WRITE({
    ...booking.values(),
    ...keptAnswersValues(kept, at),
    ...queuedBetsValues(entries, nowMs),
    betIds: placed.map(({ call }) => call.betId),
    userIds: placed.map(({ call }) => call.token.userId),
    roundIds: placed.map(({ call }) => call.roundId),
    directions: placed.map(({ call }) => call.direction),
    stakes: placed.map(({ call }) => call.stakeMinor),
    bases: placed.map(({ decision }) => decision.basis),
    scriptedOutcomes: placed.map(({ decision }) => decision.scriptedOutcome),
    acceptedAt: at,
    entryFrom: placed[0]?.decision.entryFromSecond ?? 0,
    salts: placed.map(({ salt }) => salt),
  })
}
