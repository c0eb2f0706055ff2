import type * as z from 'zod/mini'
import { GAME_IDS, gameEndpoints } from '#contract/game.ts'
import { staffGameEndpoints } from '#contract/staff-game.ts'
import { refillEndpoints } from '#contract/refill.ts'
import { FEED_CLOSED } from '#contract/sentences.ts'
import { RATE_PERCENT, ROUND_TYPES } from '#domain/game/calendar.ts'
import { decideAccess, type Subject } from '#domain/identity/permissions.ts'
import type { FeedClosedReason } from '#domain/market/feed-state.ts'
import { promiseAgain, type PromiseSigner } from '#server/features/book/index.ts'
import { claimOf, type LedgerGuard } from '#server/features/wallet/index.ts'
import { signedIn } from '#server/platform/http/auth.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { isRefused, refuse, refuseUntil } from '#server/platform/http/errors.ts'
import { type Api, decodeData, Encoded, encodeData } from '#server/platform/http/http.ts'
import { newId, newIdAt } from '#server/platform/process/ids.ts'
import { answerList, listAnswer, pageOf } from '#server/platform/http/lists.ts'
import type { CloseBetsDeps } from './close-bets.ts'
import { deleteRound } from './delete-round.ts'
import { forceCreateRound } from './force-create-round.ts'
import { hideBet } from './hide-bet.ts'
import { openRound } from './open-round.ts'
import { createBetPlacer } from './place-bets.ts'
import { listBetTicks, sumOwnBets } from './own-bets.ts'
import { countOwnBets, listOwnBets, listRounds, readRoundPrices, readWindowRound, ROUNDS } from './queries.ts'
import { offerRefill, refill } from './refill.ts'
import { type RoundRow, toRound } from './rows.ts'
import { setResult } from './set-result.ts'
import { BETS, countByStatus, listStaffBets, readFigures, sumRounds } from './staff-queries.ts'

export interface GameDeps extends CloseBetsDeps {
  readonly clock: Clock
  readonly ledger: LedgerGuard
  /** A connection pool for placing bets only, so that bets do not wait behind other requests. */
  readonly betsDb: Database
  readonly welcomePoints: number
  readonly promiseSigner?: () => PromiseSigner | null
}

const CLOSED_REASONS = {
  STALE: FEED_CLOSED,
  AHEAD: 'Đồng hồ của nguồn giá đang sai, tạm dừng nhận lệnh trong phiên này',
  JUMP: 'Giá nhảy bất thường, tạm dừng nhận lệnh trong phiên này cho tới khi giá ổn định',
  UNPRICED: 'Giá về trễ hoặc bị thiếu, tạm dừng nhận lệnh trong phiên này',
} as const satisfies Record<FeedClosedReason, string>
const CLOCK_REASON = 'Đồng hồ máy chủ đang được đồng bộ, tạm dừng nhận lệnh trong phiên này'

type RoundQuery = z.output<typeof staffGameEndpoints.sumRounds.query> & z.output<typeof gameEndpoints.listRounds.query>

async function describeCurrent({ db, prices, clock }: GameDeps, row: RoundRow, subject: Subject) {
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

async function pageOfRounds({ db, prices }: GameDeps, subject: Subject, query: RoundQuery) {
  const isForStaff = decideAccess(gameEndpoints.listRounds.asStaff, subject) === null
  const asked = isForStaff
    ? { ...query, isForStaff }
    : { ...query, isForStaff, by: undefined, voids: undefined, whole: undefined }
  const answer = await answerList(db, ROUNDS, asked, (_, page) => listRounds(db, page, subject, prices.labelOf))
  if (!isForStaff) return answer
  const ids = answer.data.map(({ id }) => id)
  const figures = await readFigures(db, ids)
  const withFigures = answer.data.map((round) => {
    const of = figures.get(round.id)
    return of === undefined ? round : { ...round, figures: of }
  })
  return { ...answer, data: withFigures }
}

/** Registers the routes of rounds, bets and refills (spec §7.3, §7.6; rules §3.7). */
export function registerGame(api: Api, deps: GameDeps): void {
  registerRounds(api, deps)
  registerBets(api, deps)
  registerPlacing(api, deps)
  api.handle(refillEndpoints.readRefill, ({ subject }) => offerRefill(deps, subject))
  api.handle(refillEndpoints.refill, async ({ subject, idempotencyKey }) => {
    if (!deps.ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    // If the answer to COMMIT is lost, `refill` tries again and finds by the key what it has committed. So a call
    // without a key gets one.
    const claim = claimOf(idempotencyKey ?? newId(), {})
    const filled = await refill(deps, subject, claim, (answer) => encodeData(refillEndpoints.refill, answer))
    return isRefused(filled) ? filled : new Encoded(filled)
  })
}

function registerRounds(api: Api, deps: GameDeps): void {
  const { db, prices, clock } = deps

  api.handle(gameEndpoints.listGames, ({ query: _ }) => {
    const games = ROUND_TYPES.map((type) => ({ id: GAME_IDS[type], type, ratePercent: RATE_PERCENT[type] }))
    return { data: games, meta: { total: games.length, page: 1, limit: games.length, hasMore: false } }
  })

  api.handle(gameEndpoints.currentRound, async ({ query, subject }) => {
    const nowMs = clock.now()
    let row = await readWindowRound(db, query.type, nowMs)
    if (row === null && clock.isSure()) {
      await openRound(db, prices, query.type, nowMs)
      row = await readWindowRound(db, query.type, nowMs)
    }
    if (row === null || row.deleted_at !== null || row.status !== 'running') return null
    return describeCurrent(deps, row, subject)
  })

  api.handle(gameEndpoints.listRounds, ({ query, subject }) => pageOfRounds(deps, subject, query))
  api.handle(gameEndpoints.listRoundsByType, ({ params, query, subject }) =>
    pageOfRounds(deps, subject, { ...query, ...params }),
  )
  api.handle(staffGameEndpoints.sumRounds, ({ query }) => sumRounds(db, { ...query, isForStaff: true }))

  api.handle(staffGameEndpoints.forceCreateRound, async ({ params, subject }) => {
    if (!clock.isSure()) return refuse('CLOCK_UNSURE')
    const row = await forceCreateRound(deps, subject, params.type, clock.now())
    return isRefused(row) ? row : describeCurrent(deps, row, subject)
  })
  api.handle(staffGameEndpoints.setResult, async ({ params, body, subject }) => {
    const row = await setResult(deps, subject, params.id, body.result)
    return isRefused(row) ? row : toRound(row, subject, prices.labelOf)
  })
  api.handle(staffGameEndpoints.deleteRound, ({ params, subject }) => deleteRound(deps, subject, params.id))
}

function registerBets(api: Api, { db, prices, clock }: GameDeps): void {
  api.handle(gameEndpoints.listOwnBets, async ({ query, subject }) => {
    const page = pageOf(query)
    const [rows, counted] = await Promise.all([
      listOwnBets(db, subject.userId, page.limit, page.offset, query),
      countOwnBets(db, subject.userId, query),
    ])
    const answer = listAnswer(rows, counted, page)
    const serverTimeMs = Math.floor(clock.now())
    return { ...answer, data: answer.data.map((bet) => ({ ...bet, serverTimeMs })) }
  })

  api.handle(gameEndpoints.sumOwnBets, ({ query, subject }) => sumOwnBets(db, subject.userId, query))
  api.handle(
    gameEndpoints.listBetTicks,
    async ({ params, subject }) =>
      (await listBetTicks(db, subject.userId, params.id, prices.labelOf)) ?? refuse('NOT_FOUND'),
  )

  api.handle(staffGameEndpoints.listBets, ({ query }) => answerList(db, BETS, query, listStaffBets))
  api.handle(staffGameEndpoints.countBets, ({ query }) => countByStatus(db, query))
  api.handle(staffGameEndpoints.deleteBet, ({ params, subject }) => hideBet(db, subject, params.id))
}

function registerPlacing(api: Api, deps: GameDeps): void {
  const { db, clock, ledger } = deps
  const placeBet = createBetPlacer({ ...deps, db: deps.betsDb }, (bet) => encodeData(gameEndpoints.placeBet, bet))

  api.handleWithToken(gameEndpoints.placeBet, async ({ body, subject: token, idempotencyKey, request }) => {
    if (body.userId !== undefined && body.userId !== token.userId)
      // The token is unverified: a caller whose session has ended gets UNAUTHORIZED, not FORBIDDEN.
      return refuse((await signedIn(db, token)) === null ? 'UNAUTHORIZED' : 'FORBIDDEN')
    if (!clock.isSure()) return refuse('CLOCK_UNSURE')
    if (!ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
    const wish = {
      roundId: body.roundId,
      stakeMinor: body.stakeMinor,
      direction: body.direction,
      seenBasis: body.seenBasis ?? 'PRICE',
    } as const
    const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, wish)
    const answer = await placeBet({ ...wish, betId: newIdAt(clock.now()), token, claim, span: request.span })
    if (!answer.ok) return refuseUntil(answer.refusal, answer.untilMs)
    const promise =
      answer.promise === 'again'
        ? await promiseAgain(db, deps.promiseSigner?.() ?? null, decodeData(gameEndpoints.placeBet, answer.json))
        : answer.promise
    return new Encoded(`${answer.json.slice(0, -1)},"promise":${JSON.stringify(promise)}}`)
  })
}
