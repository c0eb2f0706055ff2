import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { staffRooms } from '#contract/events.ts'
import { ROUND_TYPES, type RoundType } from '#domain/game/calendar.ts'
import type { Tick } from '#domain/market/tick.ts'
import { points } from '#domain/money.ts'
import { registerAttention } from '#server/features/attention/index.ts'
import { registerAudit } from '#server/features/audit/index.ts'
import { registerBanks } from '#server/features/banks/index.ts'
import {
  type OpenBook,
  registerBookPages,
  registerBookStatus,
  registerLog,
  registerReceipts,
  silenceOf,
} from '#server/features/book/index.ts'
import { approveProposed, type CashierHints, registerCashier } from '#server/features/cashier/index.ts'
import { readHours, registerChat } from '#server/features/chat/index.ts'
import { type CustomerHints, registerCustomer } from '#server/features/customer/index.ts'
import { registerDataExport } from '#server/features/data-export/index.ts'
import { answerProposed, type DisputeHints, registerDisputes } from '#server/features/disputes/index.ts'
import {
  type FourEyes,
  type ProposalHints,
  registerFourEyes,
  startExpiringProposals,
} from '#server/features/four-eyes/index.ts'
import {
  type GameHints,
  measureSettlement,
  registerGame,
  type RoundEngine,
  startRoundEngine,
} from '#server/features/game/index.ts'
import {
  type AccountHints,
  adjustProposed,
  type IdentitySettings,
  registerIdentity,
  startForgettingSignIns,
  trackSessionUses,
} from '#server/features/identity/index.ts'
import { type FileStorage, registerFiles } from '#server/features/files/index.ts'
import { registerFinder } from '#server/features/finder/index.ts'
import { registerLimits } from '#server/features/limits/index.ts'
import { createCoinMarket, type Market, registerMarket } from '#server/features/market/index.ts'
import { type NoticeHints, registerNotices, startForgettingNotices } from '#server/features/notices/index.ts'
import {
  createRefusalCounter,
  feedNow,
  readFeedState,
  registerOverview,
  startCountingFigures,
  startNotingFigures,
} from '#server/features/overview/index.ts'
import { type PushDeps, registerPush } from '#server/features/push/index.ts'
import { registerSavedViews } from '#server/features/saved-views/index.ts'
import { registerStatistics, startRolling } from '#server/features/statistics/index.ts'
import { type LedgerGuard, registerWallet } from '#server/features/wallet/index.ts'
import { registerSystem, type SystemSettings } from '#server/installation/system.ts'
import { registerBrowserErrors } from '#server/platform/http/browser-errors.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Connections } from '#server/platform/database/db.ts'
import { registerHealth } from '#server/platform/http/health.ts'
import { createHttp } from '#server/platform/http/http-server.ts'
import { createApi } from '#server/platform/http/http.ts'
import { logging, stopAll } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { type Metrics, type OperatorsOnly, registerMetrics } from '#server/platform/process/metrics.ts'
import { registerDocs } from '#server/platform/http/openapi.ts'
import { giveBackAfterCrowds } from '#server/platform/process/give-back.ts'
import { createRateLimits } from '#server/platform/http/rate-limits.ts'
import type { RedisClient } from '#server/platform/sockets/redis.ts'
import { createSocketHub, type SocketHub } from '#server/platform/sockets/socket-hub.ts'
import { registerWeb } from '#server/platform/http/static.ts'
import type { Tracing } from '#server/platform/process/tracing.ts'

export interface AppSettings extends IdentitySettings, OperatorsOnly, SystemSettings {
  readonly trustProxy: readonly string[] | null
  readonly coingeckoUrl: string
  /** Multiplies the request limits, but not the limits on password attempts (rules §4.7). */
  readonly rateLimitFactor: number
  /**
   * A second admin must confirm an act that brings the points moved within 24 hours, either by the acting admin or for
   * the player concerned, to this number (rules §3.10).
   */
  readonly fourEyesFrom: number | 'off'
  readonly isDemo: boolean
}

export interface AppDeps {
  readonly settings: AppSettings
  readonly connections: Connections
  readonly clock: Clock
  readonly log: Logger
  readonly market: Market
  readonly ledger: LedgerGuard
  readonly book: OpenBook
  readonly storage: FileStorage
  /** Only tests set `rule` (which addresses may be called), `resolve` (DNS) and `ca` (trusted certificates). */
  readonly push: Pick<PushDeps, 'keys' | 'rule' | 'resolve' | 'ca'>
  readonly redis: RedisClient | null
  readonly webDir: string | null
  readonly tracing: Tracing | null
  readonly publicKeptMs?: number | undefined
}

export interface App {
  readonly http: FastifyInstance
  readonly hub: SocketHub
  readonly metrics: Metrics
  startEngine(): RoundEngine
  /** Makes /readyz report that this process is ending, and makes each answer close its connection. */
  announceStop(): void
  /**
   * Closes the HTTP server, the jobs and the sockets. The sockets' closing is spread over `socketsOverMs`. Running
   * requests get 5 s to end.
   */
  close(socketsOverMs?: number): Promise<void>
}

const CALLS_FINISH_MS = 5_000

export type Hints = GameHints & AccountHints & CashierHints & NoticeHints & DisputeHints & ProposalHints & CustomerHints

export async function buildApp(deps: AppDeps): Promise<App> {
  const { settings, connections, clock, log, ledger } = deps
  const { requests: db, engine: engineDb } = connections
  const ground = layGround(deps)
  const { http, hub, metrics, fourEyes, coins, prices, game, started } = ground
  const refusals = createRefusalCounter(db)
  http.addHook('onResponse', (request, reply, done) => {
    if (reply.refusalCode !== null && request.url.startsWith('/api/')) refusals.note(reply.refusalCode)
    done()
  })
  answerHealth(deps, ground)
  await registerDocs(http, settings)

  // The plugin of /docs lists only routes that are registered after it, so the features come after `registerDocs`.
  for (const feature of registerFeatures(deps, ground)) started.push(() => feature.stop())
  const readState = () => ({ feed: readFeedState({ prices, clock }), isLedgerOpen: ledger.isOpen() })
  started.push(
    startForgettingSignIns(db, log),
    startRolling(db, log),
    startCountingFigures(db, log),
    startNotingFigures({ db, log, refusals, readState }),
    startExpiringProposals(db, fourEyes, log),
    startForgettingNotices(db, log),
  )

  let engine: RoundEngine | null = null
  // Until the round engine runs, the price source of a round is unknown, so a room gets the prices of all sources.
  showTicks(deps, hub, (type, { source, second }) => engine?.isTickOf(type, source, second) ?? true)

  return {
    http,
    hub,
    metrics,
    startEngine() {
      // Fetches the list of coins now, so that a new installation does not show its bundled sample for long.
      coins.refresh()
      if (engine === null) started.push(() => engine?.stop())
      return (engine ??= startRoundEngine({ ...game, db: engineDb }))
    },
    announceStop: () => void (ground.isStopping = true),
    async close(socketsOverMs) {
      ground.isStopping = true
      const late = new AbortController()
      await Promise.race([
        Promise.all([hub.close(socketsOverMs), http.close()]),
        sleep(CALLS_FINISH_MS, null, { signal: late.signal }),
      ])
      late.abort()
      http.server.closeAllConnections()
      await stopAll(started)
    },
  }
}

function layGround({ settings, connections, clock, log, market, ledger, book, redis, ...deps }: AppDeps) {
  const { requests: db, sessions } = connections
  const http = createHttp({ log, trustProxy: settings.trustProxy, tracing: deps.tracing })
  http.addHook('onSend', (_request, reply, payload, done) => {
    // Open connections would delay the end of the server.
    if (ground.isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  const uses = trackSessionUses(db, log)
  const asksForFactors = settings.staffSecondFactor !== 'off'
  const api = createApi(http, sessions, (sessionId) => uses.note(sessionId), asksForFactors, {
    publicKeptMs: deps.publicKeptMs,
  })
  const hub = createSocketHub({ server: http.server, db: sessions, log, redis })
  http.addHook('onReady', () => hub.stands())
  const hints = hintsTo(hub)
  const { fourEyesFrom } = settings
  const fourEyes: FourEyes = { fromMinor: fourEyesFrom === 'off' ? null : points(fourEyesFrom), hints }
  const limits = createRateLimits(redis, settings.rateLimitFactor)
  const coins = createCoinMarket({ db, baseUrl: settings.coingeckoUrl, log })
  const metrics = registerMetrics(http, settings)
  measure(metrics, { hub, ledger, clock, book, market })
  const game = { db, clock, ledger, prices: market, hints, log, watch: measureSettlement(metrics, clock) }
  const started: Array<() => unknown> = [
    () => uses.stop(),
    () => coins.stop(),
    giveBackAfterCrowds(() => hub.count(), logging(log, 'No memory could be given back')),
  ]
  const ground = {
    http,
    api,
    hub,
    hints,
    fourEyes,
    limits,
    coins,
    metrics,
    prices: market,
    game,
    started,
    isStopping: false,
  }
  return ground
}
type Ground = ReturnType<typeof layGround>

function answerHealth({ connections, clock, market, book }: AppDeps, ground: Ground): void {
  registerHealth(
    ground.http,
    {
      database: async () => (await connections.requests.query('select 1')).rowCount === 1,
      clock: () => clock.canSettle(),
      feed: () => isFeedAlive(market, clock.now()),
    },
    {
      // The game goes on without the open book, so a silent book must not make a load balancer drop the process.
      book: () => silenceOf(book) === null,
    },
    () => ground.isStopping,
  )
}

function registerFeatures(deps: AppDeps, ground: Ground): ReadonlyArray<{ stop(): unknown }> {
  const { settings, connections, clock, log, market, ledger, book, storage } = deps
  const { requests: db, bets, publicReads } = connections
  const { http, api, hub, hints, fourEyes, limits, coins, metrics, prices, game } = ground
  const limited = { db, log, limits }
  registerIdentity(api, { db, settings, limits, hints, ledger, fourEyes, clock })
  registerWallet(api, db)
  registerGame(api, {
    ...game,
    promiseSigner: () => book.signer(),
    betsDb: bets,
    welcomePoints: settings.welcomePoints,
  })
  registerLimits(api, db)
  registerStatistics(api, db)
  registerBanks(api, { db, hints })
  registerCashier(api, { db, hints, ledger, fourEyes })
  registerNotices(api, { db, hints })
  registerAudit(api, db)
  registerCustomer(api, db, hints)
  registerSavedViews(api, db)
  registerFinder(api, db)
  registerBookPages(api, publicReads)
  registerLog(http, { db: publicReads, book })
  registerBookStatus(api, { db: publicReads, book })
  registerOverview(api, { db, clock, prices, ledger, settings })
  const feedTrouble = () => {
    if (!clock.isSure()) return 'CLOCK'
    const nowMs = clock.now()
    return isFeedAlive(market, nowMs) ? feedNow(prices, nowMs, nowMs).closedReason : 'SILENT'
  }
  const bookTrouble = () => silenceOf(book)
  const attention = registerAttention(api, { db, clock, log, readHours: () => readHours(db), feedTrouble, bookTrouble })
  registerSystem(api, {
    ...{ db, clock, settings, redis: deps.redis, bookTrouble, keptMs: deps.publicKeptMs },
    countSockets: () => hub.count(),
    readFeed: () => {
      const nowMs = Math.floor(clock.now())
      const { label, lastQuoteAtMs } = feedNow(prices, nowMs, nowMs)
      return { why: feedTrouble(), facts: { source: label, ...(lastQuoteAtMs !== null && { atMs: lastQuoteAtMs }) } }
    },
  })
  registerReceipts(api, { db, publicReads })
  registerMarket(api, { db, publicReads, clock, market, coins })
  const files = registerFiles(api, { ...limited, storage })
  registerDataExport(api, limited)
  const chat = registerChat(api, { ...limited, hub })
  const disputes = { db, hints, ledger, fourEyes, emitMessage: chat.emitMessage }
  registerDisputes(api, disputes)
  const approve = approveProposed({ hints, fourEyes })
  const executors = {
    deposit: approve,
    withdrawal: approve,
    adjustment: adjustProposed({ hints }),
    correction: answerProposed(disputes),
  }
  registerFourEyes(api, { db, ledger, fourEyes, executors })
  const push = registerPush(api, { ...deps.push, ...limited })
  metrics.gauge('pushes_sent', 'Pushes handed over since the start', () => push.counters.sent)
  metrics.gauge('pushes_failed', 'Attempts to hand a push over that failed since the start', () => push.counters.failed)
  metrics.gauge('browser_errors', 'Errors that browsers reported since the start', registerBrowserErrors(api, limited))
  registerWeb(http, { distDir: deps.webDir, isDemo: settings.isDemo })
  return [attention, files, chat, push]
}

function measure(
  metrics: Metrics,
  { hub, ledger, clock, book, market }: Pick<AppDeps, 'ledger' | 'clock' | 'book' | 'market'> & { hub: SocketHub },
): void {
  metrics.gauge('sockets_open', 'Open sockets of this process', () => hub.count())
  metrics.gauge('sockets_relayed', 'Messages of other processes for sockets since the start', () => hub.relayed())
  metrics.gauge('ledger_open', '1 while the books are found right', () => Number(ledger.isOpen()))
  metrics.gauge('clock_sure', '1 while the time of the database is known', () => Number(clock.isSure()))
  metrics.gauge('log_sealing', '1 while this process signs the open book', () => Number(book.stopWhy() === null))
  metrics.gauge('log_size', 'Entries of the open book', () => book.head()?.size ?? 0)
  metrics.gauge('log_note_age_seconds', 'Since the open book’s newest note was seen', () => book.noteAgeMs() / 1000)
  for (const name of ['quotes', 'garbage', 'failures', 'ahead', 'held', 'missing'] as const)
    metrics.gauge(`feed_${name}`, `Of the gold feed since the start: ${name}`, () => market.counters()[name])
}

function showTicks({ market, clock }: AppDeps, hub: SocketHub, isTickOf: (type: RoundType, tick: Tick) => boolean) {
  market.onTick((tick) => {
    const rooms = ROUND_TYPES.filter((type) => isTickOf(type, tick)).map((type) => `game:${type}` as const)
    if (rooms.length === 0) return
    const { source, second, price, quoteAtMs } = tick
    const serverTimeMs = Math.floor(clock.now())
    const sourceLabel = market.labelOf(source)
    hub.emitHere(rooms, 'price_tick', { source, sourceLabel, second, price, quoteAtMs, serverTimeMs })
  })
}

function hintsTo(hub: SocketHub): Hints {
  const userChanged = (userId: string) => hub.emitTo(staffRooms.user_changed, 'user_changed', { userId })
  return {
    roundOpened: (type) => hub.emitHere(`game:${type}`, 'round_changed', { type }),
    roundChanged: (type) => hub.emitTo(`game:${type}`, 'round_changed', { type }),
    betChanged: (userId, betId, isSettled) => hub.emitTo(`user:${userId}`, 'bet_changed', { betId, isSettled }),
    balanceChanged: (userId, balanceMinor) => hub.emitTo(`user:${userId}`, 'balance_changed', { balanceMinor }),
    accountChanged: (userId) => {
      hub.emitTo(`user:${userId}`, 'account_changed', {})
      userChanged(userId)
    },
    userChanged,
    noticesChanged: (userId) => hub.emitTo(`user:${userId}`, 'notices_changed', {}),
    requestChanged: (requestId) => hub.emitTo(staffRooms.transaction_changed, 'transaction_changed', { requestId }),
    requestViewed: (requestId) => hub.emitTo(staffRooms.transaction_viewed, 'transaction_viewed', { requestId }),
    disputeChanged: (ownerId, disputeId) =>
      hub.emitTo([staffRooms.dispute_changed, `user:${ownerId}`], 'dispute_changed', { disputeId }),
    proposalChanged: (proposalId) => hub.emitTo(staffRooms.proposal_changed, 'proposal_changed', { proposalId }),
  }
}

/** A tick is written for each second, with or without a price, so a longer gap means that no process writes ticks. */
const FEED_SILENCE_MS = 10_000

function isFeedAlive(market: Market, nowMs: number): boolean {
  const source = market.chooseSource(nowMs, nowMs)
  const tick = market.lastTick(source)
  return tick !== null && nowMs - tick.second * 1000 < FEED_SILENCE_MS
}
