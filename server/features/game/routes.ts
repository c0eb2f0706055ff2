import type * as z from 'zod/mini'
import { type CurrentRound, GAME_IDS, gameEndpoints } from '#contract/game.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { refillEndpoints } from '#contract/refill.ts'
import { FEED_CLOSED } from '#contract/sentences.ts'
import { RATE_PERCENT, ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import { decideAccess, type Subject } from '#domain/identity/permissions.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import { points } from '#domain/money.ts'
import { promiseAgain, type PromiseSigner } from '#server/features/book/index.ts'
import { claimOf, type LedgerGuard } from '#server/features/wallet/index.ts'
import { authenticate } from '#server/platform/auth.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db.ts'
import { isRefused, refuse } from '#server/platform/errors.ts'
import { type Api, decodeData, Encoded, encodeData } from '#server/platform/http.ts'
import { newId } from '#server/platform/ids.ts'
import { COUNT_CAP, listAnswer, pageOf, sortOf } from '#server/platform/lists.ts'
import type { CloseBetsDeps } from './close-bets.ts'
import { deleteRound } from './delete-round.ts'
import { forceCreateRound } from './force-create-round.ts'
import { hideBet } from './hide-bet.ts'
import { openRound } from './open-round.ts'
import { createBetPlacer } from './place-bets.ts'
import { listBetTicks, sumOwnBets } from './own-bets.ts'
import {
  countOwnBets,
  countRounds,
  EVERY_OWN_BET,
  listOwnBets,
  listRounds,
  type OwnBetFilter,
  readRoundPrices,
  type RoundFilter,
  readWindowRound,
} from './queries.ts'
import { offerRefill, refill } from './refill.ts'
import { type RoundRow, toRound } from './rows.ts'
import { setResult } from './set-result.ts'
import {
  countByStatus,
  countStaffBets,
  listStaffBets,
  readFigures,
  type StaffBetFilter,
  sumRounds,
} from './staff-queries.ts'

export interface GameDeps extends CloseBetsDeps {
  readonly clock: Clock
  readonly ledger: LedgerGuard
  /** Connections for placing bets, on which no other request is queued. */
  readonly betsDb: Database
  /** Welcome points of a new player, in whole points: a refill fills up to them (rules §3). */
  readonly welcomePoints: number
  /** See `createBetPlacer`. */
  readonly promiseSigner?: () => PromiseSigner | null
}

/** The message to the user when a round takes no bets. */
const CLOSED_REASONS = {
  STALE: FEED_CLOSED,
  AHEAD: 'Đồng hồ của nguồn giá đang sai, tạm dừng nhận lệnh trong phiên này',
  JUMP: 'Giá nhảy bất thường, tạm dừng nhận lệnh trong phiên này cho tới khi giá ổn định',
  UNPRICED: 'Giá về trễ hoặc bị thiếu, tạm dừng nhận lệnh trong phiên này',
} as const satisfies Record<FeedClosedReason, string>
const CLOCK_REASON = 'Đồng hồ máy chủ đang được đồng bộ, tạm dừng nhận lệnh trong phiên này'

const ownFilterOf = (query: {
  readonly type?: RoundType | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}): OwnBetFilter => ({
  ...EVERY_OWN_BET,
  type: query.type ?? null,
  fromMs: query.from ?? null,
  toMs: query.to ?? null,
})

type StaffBetQuery = z.output<typeof staffGameEndpoints.countBets.query>

const betFilterOf = (query: StaffBetQuery): StaffBetFilter => ({
  username: query.username ?? null,
  userId: query.userId ?? null,
  status: query.status ?? null,
  type: query.type ?? null,
  roundId: query.roundId ?? null,
  fromMs: query.from ?? null,
  toMs: query.to ?? null,
  minMinor: query.min === undefined ? null : points(query.min),
  maxMinor: query.max === undefined ? null : points(query.max),
  basis: query.basis ?? null,
  voidReason: query.voidReason ?? null,
  decidedBy: query.by ?? null,
})

type RoundQuery = z.output<typeof staffGameEndpoints.sumRounds.query>

/** What staff ask for. */
const roundFilterOf = (query: RoundQuery): RoundFilter => ({
  type: query.type ?? null,
  isForStaff: true,
  fromMs: query.from ?? null,
  toMs: query.to ?? null,
  actBy: query.by ?? null,
  hasVoids: query.voids === 'yes',
})

/** The routes of rounds and bets (spec §7, rules §2 and §6). */
export function registerGame(api: Api, deps: GameDeps): void {
  const { db, prices, clock, ledger } = deps
  const placeBet = createBetPlacer({ ...deps, db: deps.betsDb }, (bet) => encodeData(gameEndpoints.placeBet, bet))

  const describeCurrent = async (row: RoundRow, subject: Subject): Promise<CurrentRound> => {
    const { openPrice, isEntryTold, nowMs } = await readRoundPrices(db, row)
    const closed = prices.closedReason(row.price_source)
    const reason = closed !== null ? CLOSED_REASONS[closed] : isEntryTold || !clock.isSure() ? CLOCK_REASON : null
    const round = toRound(row, subject, prices.labelOf)
    return {
      ...round,
      openPrice: round.openPrice ?? openPrice,
      serverTimeMs: Math.floor(clock.now()),
      countdown: { closesAtMs: round.closesAtMs },
      isBettingOpen: reason === null,
      feedReason: reason,
      feed: prices.feedStatus(row.price_source, nowMs),
    }
  }

  api.handle(gameEndpoints.listGames, ({ query: _ }) => {
    const games = ROUND_TYPES.map((type) => ({ id: GAME_IDS[type], type, ratePercent: RATE_PERCENT[type] }))
    return { data: games, meta: { total: games.length, page: 1, limit: games.length, hasMore: false } }
  })

  api.handle(gameEndpoints.currentRound, async ({ query, subject }) => {
    const nowMs = clock.now()
    let row = await readWindowRound(db, query.type, nowMs)
    if (row === null && clock.isSure()) {
      // The boundary has just passed and the row is missing: any process may write it (rules §2).
      await openRound(db, prices, query.type, nowMs)
      row = await readWindowRound(db, query.type, nowMs)
    }
    if (row === null || row.deleted_at !== null || row.status !== 'running') return null
    return describeCurrent(row, subject)
  })

  const listOf = async (query: RoundQuery & z.output<typeof gameEndpoints.listRounds.query>, subject: Subject) => {
    const isForStaff = decideAccess(gameEndpoints.listRounds.asStaff, subject) === null
    const page = pageOf(query)
    const sort = sortOf(query.sort, ['startTime'], '-startTime')
    const filter = {
      ...roundFilterOf(query),
      ids: query.ids ?? null,
      isOldestFirst: !sort.isDescending,
      ...(!isForStaff && { isForStaff, actBy: null, hasVoids: false }),
    }
    const [rows, counted] = await Promise.all([
      listRounds(db, filter, subject, page, prices.labelOf),
      countRounds(db, filter, COUNT_CAP),
    ])
    const answer = listAnswer(rows, counted, page)
    if (!isForStaff) return answer
    const figures = await readFigures(
      db,
      answer.data.map(({ id }) => id),
    )
    return {
      ...answer,
      data: answer.data.map((round) => {
        const of = figures.get(round.id)
        return of === undefined ? round : { ...round, figures: of }
      }),
    }
  }
  api.handle(gameEndpoints.listRounds, ({ query, subject }) => listOf(query, subject))
  api.handle(gameEndpoints.listRoundsByType, ({ params, query, subject }) => listOf({ ...query, ...params }, subject))
  api.handle(staffGameEndpoints.sumRounds, ({ query }) => sumRounds(db, roundFilterOf(query)))

  api.handle(staffGameEndpoints.forceCreateRound, async ({ params, subject }) => {
    if (!clock.isSure()) return refuse('CLOCK_UNSURE')
    const row = await forceCreateRound(deps, subject, params.type, clock.now())
    return isRefused(row) ? row : describeCurrent(row, subject)
  })
  api.handle(staffGameEndpoints.setResult, async ({ params, body, subject }) => {
    const row = await setResult(deps, subject, params.id, body.result)
    return isRefused(row) ? row : toRound(row, subject, prices.labelOf)
  })
  api.handle(staffGameEndpoints.deleteRound, ({ params, subject }) => deleteRound(deps, subject, params.id))

  api.handle(gameEndpoints.listOwnBets, async ({ query, subject }) => {
    const page = pageOf(query)
    const filter = { ...ownFilterOf(query), status: query.status ?? null, ids: query.ids ?? null }
    const [rows, counted] = await Promise.all([
      listOwnBets(db, subject.userId, page.limit, page.offset, filter),
      countOwnBets(db, subject.userId, COUNT_CAP, filter),
    ])
    const answer = listAnswer(rows, counted, page)
    const serverTimeMs = Math.floor(clock.now())
    return { ...answer, data: answer.data.map((bet) => ({ ...bet, serverTimeMs })) }
  })

  api.handle(gameEndpoints.sumOwnBets, ({ query, subject }) => sumOwnBets(db, subject.userId, ownFilterOf(query)))
  api.handle(
    gameEndpoints.listBetTicks,
    async ({ params, subject }) =>
      (await listBetTicks(db, subject.userId, params.id, prices.labelOf)) ?? refuse('NOT_FOUND'),
  )

  api.handle(staffGameEndpoints.listBets, async ({ query }) => {
    const page = pageOf(query)
    const sort = sortOf(query.sort, ['createdAt'], '-createdAt')
    const filter = betFilterOf(query)
    const [rows, counted] = await Promise.all([
      listStaffBets(db, filter, sort.isDescending, page),
      countStaffBets(db, filter),
    ])
    return listAnswer(rows, counted, page)
  })
  api.handle(staffGameEndpoints.countBets, ({ query }) => countByStatus(db, betFilterOf(query)))
  api.handle(staffGameEndpoints.deleteBet, ({ params, subject }) => hideBet(db, subject, params.id))

  api.handleWithToken(gameEndpoints.placeBet, async ({ body, subject: token, idempotencyKey, request }) => {
    if (body.userId !== undefined && body.userId !== token.userId)
      // A dead session learns only that it is dead.
      return refuse((await authenticate(db, token)) === null ? 'UNAUTHORIZED' : 'FORBIDDEN')
    if (!clock.isSure()) return refuse('CLOCK_UNSURE')
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const wish = {
      roundId: body.roundId,
      stakeMinor: body.stakeMinor,
      direction: body.direction,
      seenBasis: body.seenBasis ?? 'PRICE',
    } as const
    const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, wish)
    const answer = await placeBet({ ...wish, betId: newId(), token, claim, span: request.span })
    if (!answer.ok) return refuse(answer.refusal)
    const signer = answer.promise === 'again' ? (deps.promiseSigner?.() ?? null) : null
    const again = signer === null ? null : promiseAgain(signer, decodeData(gameEndpoints.placeBet, answer.json))
    const promise = answer.promise === 'again' ? again : answer.promise
    return new Encoded(`${answer.json.slice(0, -1)},"promise":${JSON.stringify(promise)}}`)
  })

  api.handle(refillEndpoints.readRefill, ({ subject }) => offerRefill(deps, subject))
  api.handle(refillEndpoints.refill, async ({ subject, idempotencyKey }) => {
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, {})
    const filled = await refill(deps, subject, claim, (answer) => encodeData(refillEndpoints.refill, answer))
    return isRefused(filled) ? filled : new Encoded(filled)
  })
}
