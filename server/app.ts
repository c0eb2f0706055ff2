import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { staffRooms } from '#contract/events.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { points } from '#domain/money.ts'
import { registerAttention } from '#server/features/attention/index.ts'
import { registerAudit } from '#server/features/audit/index.ts'
import { registerReceipts } from '#server/features/book/index.ts'
import { registerBanks } from '#server/features/banks/index.ts'
import {
  type OpenBook,
  registerBookPages,
  registerBookStatus,
  registerLog,
  silenceOf,
} from '#server/features/book/index.ts'
import { approveProposed, type CashierHints, registerCashier } from '#server/features/cashier/index.ts'
import { registerChat } from '#server/features/chat/index.ts'
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
  createFactorGate,
  type IdentitySettings,
  registerIdentity,
  startForgettingSignIns,
  trackSessionUses,
} from '#server/features/identity/index.ts'
import { type FileStorage, registerFiles } from '#server/features/files/index.ts'
import { registerFinder } from '#server/features/finder/index.ts'
import { registerLimits } from '#server/features/limits/index.ts'
import { createCoinMarket, type Market, readFeedStatus, registerMarket } from '#server/features/market/index.ts'
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
import { registerBrowserErrors } from '#server/platform/browser-errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Connections } from '#server/platform/db.ts'
import { registerHealth } from '#server/platform/health.ts'
import { createApi, createHttp } from '#server/platform/http.ts'
import type { Logger } from '#server/platform/log.ts'
import { type Metrics, registerMetrics } from '#server/platform/metrics.ts'
import { registerDocs } from '#server/platform/openapi.ts'
import { giveBackAfterCrowds } from '#server/platform/give-back.ts'
import { createRateLimits } from '#server/platform/rate-limits.ts'
import type { RedisClient } from '#server/platform/redis.ts'
import { createSocketHub, type SocketHub } from '#server/platform/socket-hub.ts'
import { registerWeb } from '#server/platform/static.ts'
import type { Tracing } from '#server/platform/tracing.ts'

export interface AppSettings extends IdentitySettings {
  readonly trustProxy: readonly string[] | null
  readonly metricsToken: string | null
  readonly coingeckoUrl: string
  /** In whole points: from which sum of 24 hours on a second admin has to confirm (rules §3.10). */
  readonly fourEyesFrom: number | 'off'
  /** Every page says that its data are made up. */
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
  /** Where chat images are stored. */
  readonly storage: FileStorage
  /** How pushes are sent; whom they may call and by which certificates is for tests alone to say. */
  readonly push: Pick<PushDeps, 'keys' | 'rule' | 'resolve' | 'ca'>
  /** Shared sockets and limits of several processes; null with a single process. */
  readonly redis: RedisClient | null
  /** The built web; null serves the API only. */
  readonly webDir: string | null
  /** Null where telemetry is off. */
  readonly tracing: Tracing | null
}

export interface App {
  readonly http: FastifyInstance
  readonly hub: SocketHub
  readonly metrics: Metrics
  /** Starts to open and settle rounds; stops with close(). */
  startEngine(): RoundEngine
  /** From now on /readyz says that this process ends, and every answer is the last one of its connection. */
  announceStop(): void
  /**
   * Stops accepting requests, lets running ones finish for some seconds, closes sockets and stops the engine.
   * @param socketsOverMs sockets are closed one by one within this time
   */
  close(socketsOverMs?: number): Promise<void>
}

/** Calls that are on their way when the server closes are cut off after this time. */
const CALLS_FINISH_MS = 5_000

/** Hints of every feature, emitted to their rooms. */
export type Hints = GameHints & AccountHints & CashierHints & NoticeHints & DisputeHints & ProposalHints & CustomerHints

/** The whole server, assembled in one place. It does not listen yet. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { settings, connections, clock, log, market, ledger, book, storage, push: pushOptions, redis, webDir } = deps
  const { requests: db, sessions, bets, engine: engineDb } = connections
  const http = createHttp({ log, trustProxy: settings.trustProxy, tracing: deps.tracing })
  let isStopping = false
  http.addHook('onSend', (_request, reply, payload, done) => {
    // A connection that is open when the server has ended its last answer would keep the server from closing.
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  const uses = trackSessionUses(db, log)
  const api = createApi(http, sessions, (sessionId) => uses.note(sessionId), createFactorGate(sessions, settings))
  const hub = createSocketHub({ server: http.server, db: sessions, log, redis })
  const hints = hintsTo(hub)
  const { fourEyesFrom } = settings
  const fourEyes: FourEyes = { fromMinor: fourEyesFrom === 'off' ? null : points(fourEyesFrom), hints }
  const limits = createRateLimits(redis)
  const coins = createCoinMarket({ db, baseUrl: settings.coingeckoUrl, log })

  const metrics = registerMetrics(http, settings.metricsToken)
  const stopGivingBack = giveBackAfterCrowds(
    () => hub.count(),
    (error) => log.warn({ err: error }, 'No memory could be given back'),
  )
  metrics.gauge('sockets_open', 'Open sockets of this process', () => hub.count())
  metrics.gauge('sockets_relayed', 'Messages of other processes for sockets since the start', () => hub.relayed())
  metrics.gauge('ledger_open', '1 while the books are found right', () => Number(ledger.isOpen()))
  metrics.gauge('clock_sure', '1 while the time of the database is known', () => Number(clock.isSure()))
  metrics.gauge('log_sealing', '1 while this process signs the open book', () => Number(book.stopWhy() === null))
  metrics.gauge('log_size', 'Entries of the open book', () => book.head()?.size ?? 0)
  metrics.gauge('log_note_age_seconds', 'Since the open book’s newest note was seen', () => book.noteAgeMs() / 1000)
  for (const name of ['quotes', 'garbage', 'failures', 'ahead', 'held', 'missing'] as const)
    metrics.gauge(`feed_${name}`, `Of the gold feed since the start: ${name}`, () => market.counters()[name])
  const refusals = createRefusalCounter(db)
  http.addHook('onResponse', (request, reply, done) => {
    if (reply.refusalCode !== null && request.url.startsWith('/api/')) refusals.note(reply.refusalCode)
    done()
  })
  registerHealth(
    http,
    {
      database: async () => (await db.query('select 1')).rowCount === 1,
      clock: () => clock.canSettle(),
      feed: () => isFeedAlive(market, clock.now()),
    },
    {
      // The game goes on without it: no load balancer may take every process away for it.
      book: () => silenceOf(book) === null,
    },
    () => isStopping,
  )
  await registerDocs(http)

  const prices = { ...market, feedStatus: (source: string, nowMs: number) => readFeedStatus(market, source, nowMs) }
  const game = { db, clock, ledger, prices, hints, log, watch: measureSettlement(metrics, clock) }
  // Fastify loads plugins on the next tick, so routes that are registered after /docs are listed there too.
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
  registerBanks(api, db)
  registerCashier(api, { db, hints, ledger, fourEyes })
  registerNotices(api, { db, hints })
  registerAudit(api, db)
  registerCustomer(api, db, hints)
  registerSavedViews(api, db)
  registerFinder(api, db)
  registerBookPages(api, db)
  registerLog(http, { db, book })
  registerBookStatus(api, { db, book })
  registerOverview(api, { db, clock, prices, ledger, settings })
  const attention = registerAttention(api, {
    db,
    clock,
    log,
    feedTrouble: () => {
      if (!clock.isSure()) return 'CLOCK'
      const nowMs = clock.now()
      return isFeedAlive(market, nowMs) ? feedNow(prices, nowMs, nowMs).closedReason : 'SILENT'
    },
    bookTrouble: () => silenceOf(book),
  })
  registerReceipts(api, db)
  registerMarket(api, { db, clock, market, coins })
  const { rateLimitFactor } = settings
  const files = registerFiles(api, { db, storage, limits, rateLimitFactor, log })
  registerDataExport(api, { db, limits, rateLimitFactor })
  const chat = registerChat(api, { db, hub, log, limits, rateLimitFactor })
  const disputes = {
    db,
    hints,
    ledger,
    fourEyes,
    tellMessage: (stored: Parameters<typeof chat.tellMessage>[0]) => chat.tellMessage(stored),
  }
  registerDisputes(api, disputes)
  const approve = approveProposed({ hints, fourEyes })
  registerFourEyes(api, {
    db,
    ledger,
    fourEyes,
    executors: {
      deposit: approve,
      withdrawal: approve,
      adjustment: adjustProposed({ hints }),
      correction: answerProposed(disputes),
    },
  })
  const push = registerPush(api, { ...pushOptions, db, limits, rateLimitFactor, log })
  metrics.gauge('pushes_sent', 'Pushes handed over since the start', () => push.counters.sent)
  metrics.gauge('pushes_failed', 'Attempts to hand a push over that failed since the start', () => push.counters.failed)
  const browserErrors = registerBrowserErrors(api, { log, limits, rateLimitFactor })
  metrics.gauge('browser_errors', 'Errors that browsers reported since the start', browserErrors)
  registerWeb(http, { distDir: webDir, isDemo: settings.isDemo })
  const stopForgetting = startForgettingSignIns(db, log)
  const stopRolling = startRolling(db, log)
  const stopCounting = startCountingFigures(db, log)
  const stopNoting = startNotingFigures({
    ...{ db, log, refusals },
    readState: () => ({ feed: readFeedState({ prices, clock }), isLedgerOpen: ledger.isOpen() }),
  })
  const stopExpiring = startExpiringProposals(db, fourEyes, log)
  const stopForgettingNotices = startForgettingNotices(db, log)

  let engine: RoundEngine | null = null
  market.onTick((tick) => {
    // Without rounds, all rooms show both sources.
    const types = ROUND_TYPES.filter((type) => engine?.isTickOf(type, tick.source, tick.second) ?? true)
    if (types.length === 0) return
    const rooms = types.map((type) => `game:${type}` as const)
    hub.emitHere(rooms, 'price_tick', {
      source: tick.source,
      sourceLabel: market.labelOf(tick.source),
      second: tick.second,
      price: tick.price,
      quoteAtMs: tick.quoteAtMs,
      serverTimeMs: Math.floor(clock.now()),
    })
  })

  return {
    http,
    hub,
    metrics,
    startEngine() {
      // The first visitors of a new installation see real coins instead of the sample.
      coins.refresh()
      return (engine ??= startRoundEngine({ ...game, db: engineDb }))
    },
    announceStop: () => void (isStopping = true),
    async close(socketsOverMs) {
      isStopping = true
      const late = new AbortController()
      await Promise.race([
        Promise.all([hub.close(socketsOverMs), http.close()]),
        sleep(CALLS_FINISH_MS, null, { signal: late.signal }),
      ])
      late.abort()
      // Calls that did not finish, and connections that were sending one very slowly.
      http.server.closeAllConnections()
      await stopGivingBack()
      await engine?.stop()
      await coins.stop()
      await chat.stop()
      await files.stop()
      await push.stop()
      await attention.stop()
      await stopForgetting()
      await stopRolling()
      await stopCounting()
      await stopNoting()
      await stopExpiring()
      await uses.stop()
      await stopForgettingNotices()
    },
  }
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

/** A tick is written every second, with or without a price; none for this long means that no process writes them. */
const FEED_SILENCE_MS = 10_000

function isFeedAlive(market: Market, nowMs: number): boolean {
  const source = market.chooseSource(nowMs, nowMs)
  const tick = market.lastTick(source)
  return tick !== null && nowMs - tick.second * 1000 < FEED_SILENCE_MS
}
