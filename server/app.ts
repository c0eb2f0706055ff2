import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { registerAudit } from '#server/features/audit/index.ts'
import { registerBanks } from '#server/features/banks/index.ts'
import { type CashierHints, registerCashier } from '#server/features/cashier/index.ts'
import { registerChat } from '#server/features/chat/index.ts'
import { type GameHints, registerGame, type RoundEngine, startRoundEngine } from '#server/features/game/index.ts'
import {
  type AccountHints,
  type IdentitySettings,
  registerIdentity,
  startForgettingSignIns,
} from '#server/features/identity/index.ts'
import { type FileStorage, registerFiles } from '#server/features/files/index.ts'
import { registerLimits } from '#server/features/limits/index.ts'
import { createCoinMarket, type Market, readFeedStatus, registerMarket } from '#server/features/market/index.ts'
import { registerOverview } from '#server/features/overview/index.ts'
import { type LedgerGuard, registerWallet } from '#server/features/wallet/index.ts'
import { registerBrowserErrors } from '#server/platform/browser-errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Connections } from '#server/platform/db.ts'
import { registerHealth } from '#server/platform/health.ts'
import { createApi, createHttp } from '#server/platform/http.ts'
import type { Logger } from '#server/platform/log.ts'
import { registerMetrics } from '#server/platform/metrics.ts'
import { registerDocs } from '#server/platform/openapi.ts'
import { createRateLimits } from '#server/platform/rate-limits.ts'
import { createSocketHub, type Room, type SocketHub } from '#server/platform/socket-hub.ts'
import { registerWeb } from '#server/platform/static.ts'

export interface AppSettings extends IdentitySettings {
  readonly trustProxy: readonly string[] | null
  readonly metricsToken: string | null
  readonly coingeckoUrl: string
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
  /** Where chat images are stored. */
  readonly storage: FileStorage
  /** Shared sockets and limits of several processes; null with a single process. */
  readonly redis: Redis | null
  /** The built web; null serves the API only. */
  readonly webDir: string | null
}

export interface App {
  readonly http: FastifyInstance
  readonly hub: SocketHub
  /** Starts to open and settle rounds; stops with close(). */
  startEngine(): RoundEngine
  /** Stops accepting requests, lets running ones finish, closes sockets and stops the engine. */
  close(): Promise<void>
}

/** Hints of every feature, emitted to their rooms. */
export type Hints = GameHints & AccountHints & CashierHints

const gameRooms: Room[] = ROUND_TYPES.map((type) => `game:${type}` as const)

/** The whole server, assembled in one place. It does not listen yet. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { settings, connections, clock, log, market, ledger, storage, redis, webDir } = deps
  const { requests: db, sessions, bets, engine: engineDb } = connections
  const http = createHttp({ log, trustProxy: settings.trustProxy })
  const api = createApi(http, sessions)
  const hub = createSocketHub({ server: http.server, db: sessions, log, redis })
  const hints = hintsTo(hub)
  const limits = createRateLimits(redis)
  const coins = createCoinMarket({ db, baseUrl: settings.coingeckoUrl, log })

  const metrics = registerMetrics(http, settings.metricsToken)
  metrics.gauge('sockets_open', 'Open sockets of this process', () => hub.count())
  metrics.gauge('ledger_open', '1 while the books are found right', () => Number(ledger.isOpen()))
  metrics.gauge('clock_sure', '1 while the time of the database is known', () => Number(clock.isSure()))
  for (const name of ['quotes', 'garbage', 'failures', 'ahead', 'held', 'missing'] as const)
    metrics.gauge(`feed_${name}`, `Of the gold feed since the start: ${name}`, () => market.counters()[name])
  registerHealth(http, {
    database: async () => (await db.query('select 1')).rowCount === 1,
    clock: () => clock.canSettle(),
    feed: () => isFeedAlive(market, clock.now()),
  })
  await registerDocs(http)

  const prices = { ...market, feedStatus: (source: string, nowMs: number) => readFeedStatus(market, source, nowMs) }
  const game = { db, clock, ledger, prices, hints, log }
  // Fastify loads plugins on the next tick, so routes that are registered after /docs are listed there too.
  registerIdentity(api, { db, settings, limits, hints, ledger, clock })
  registerWallet(api, db)
  registerGame(api, { ...game, betsDb: bets })
  registerLimits(api, db)
  registerBanks(api, db)
  registerCashier(api, { db, hints, ledger })
  registerAudit(api, db)
  registerOverview(api, { db, clock, prices, ledger })
  registerMarket(api, { db, clock, market, coins })
  const { rateLimitFactor } = settings
  const files = registerFiles(api, { db, storage, limits, rateLimitFactor, log })
  const chat = registerChat(api, { db, hub, log, limits, rateLimitFactor })
  const browserErrors = registerBrowserErrors(api, { log, limits, rateLimitFactor })
  metrics.gauge('browser_errors', 'Errors that browsers reported since the start', browserErrors)
  registerWeb(http, { distDir: webDir, isDemo: settings.isDemo })
  const stopForgetting = startForgettingSignIns(db, log)

  market.onTick((tick) => {
    hub.emitHere(gameRooms, 'price_tick', {
      source: tick.source,
      sourceLabel: market.labelOf(tick.source),
      second: tick.second,
      price: tick.price,
      quoteAtMs: tick.quoteAtMs,
      serverTimeMs: Math.floor(clock.now()),
    })
  })

  let engine: RoundEngine | null = null
  return {
    http,
    hub,
    startEngine: () => (engine ??= startRoundEngine({ ...game, db: engineDb })),
    async close() {
      await hub.close()
      await http.close()
      await engine?.stop()
      await coins.stop()
      await chat.stop()
      await files.stop()
      await stopForgetting()
    },
  }
}

function hintsTo(hub: SocketHub): Hints {
  return {
    roundOpened: (type) => hub.emitHere(`game:${type}`, 'round_changed', { type }),
    roundChanged: (type) => hub.emitTo(`game:${type}`, 'round_changed', { type }),
    betChanged: (userId, betId) => hub.emitTo(`user:${userId}`, 'bet_changed', { betId }),
    balanceChanged: (userId, balanceMinor) => hub.emitTo(`user:${userId}`, 'balance_changed', { balanceMinor }),
    accountChanged: (userId) => hub.emitTo(`user:${userId}`, 'account_changed', {}),
    requestChanged: (requestId) => hub.emitTo('admins', 'transaction_changed', { requestId }),
  }
}

/** A tick is written every second, with or without a price; none for this long means that no process writes them. */
const FEED_SILENCE_MS = 10_000

function isFeedAlive(market: Market, nowMs: number): boolean {
  const source = market.chooseSource(nowMs, nowMs)
  const tick = market.lastTick(source)
  return tick !== null && nowMs - tick.second * 1000 < FEED_SILENCE_MS
}
