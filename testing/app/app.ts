import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { refusalsOf } from '#contract/endpoint.ts'
import { type RefusalCode, refusals } from '#contract/refusals.ts'
import { type App, type AppDeps, type AppSettings, buildApp } from '#server/app.ts'
import { openAuditLog } from '#server/features/audit/index.ts'
import { bookKeyOf, openBook, type OpenBook } from '#server/features/book/index.ts'
import { createMarket, type Market, TICKS_SO_FAR } from '#server/features/market/index.ts'
import { type FileStorage, openFileStorage } from '#server/features/files/index.ts'
import { readPushKeys } from '#server/features/push/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import { type Clock, createClock } from '#server/platform/process/clock.ts'
import type { RedisClient } from '#server/platform/sockets/redis.ts'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { createLog, type Logger } from '#server/platform/process/log.ts'

/** A JSON object of the wire, whose fields a test compares. */
export type WireData = Readonly<Record<string, unknown>>

/** An answer of the API: its status and its parsed body. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The `data` of a list. */
  readonly rows: readonly WireData[]
  readonly body: {
    readonly statusCode: number
    readonly code?: string
    readonly message: string
    readonly details?: { readonly fields?: ReadonlyArray<{ readonly path: string; readonly message: string }> }
    readonly data: unknown
    readonly meta?: {
      readonly total: number
      readonly page: number
      readonly limit: number
      readonly hasMore: boolean
      readonly orderedAt?: string
    }
  }
}

export interface TestApp extends App {
  readonly clock: Clock
  readonly book: OpenBook
  /** Decides whether money acts are allowed. */
  readonly ledger: LedgerGuard & { isOk: boolean }
  /** Calls the API with this token, without a network. */
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: {
      readonly token?: string | undefined
      readonly body?: unknown
      readonly headers?: Record<string, string>
      readonly ip?: string
    },
  ): Promise<Reply>
}

/** What calls the paths below one of the API as a user. */
export const callsBelow =
  (app: Pick<TestApp, 'call'>, below: string) =>
  (
    who: { readonly bearer: string },
    method: Parameters<TestApp['call']>[0],
    path: string,
    body?: unknown,
    headers = {},
  ) =>
    app.call(method, `/api/v1${below}${path}`, {
      token: who.bearer.slice('Bearer '.length),
      headers,
      ...(body === undefined ? {} : { body }),
    })

/**
 * A refusal as every client gets it: status, code and the catalogue's sentence. One that goes on to say when, or which
 * capability is missing, is not compared.
 */
export const refusedWith = (code: RefusalCode) => ({
  status: refusals[code].status,
  body: {
    ...{ statusCode: refusals[code].status, code },
    ...(isCompleted(code) ? {} : { message: refusals[code].message }),
  },
})

const isCompleted = (code: RefusalCode) =>
  ['CAPABILITY_MISSING', 'TIMED_OUT', 'TIMEOUT_CANNOT_SHRINK'].includes(code) || refusals[code].message.endsWith(' sau')

/** Everything that a refused request must not change, to be compared before and after. */
export async function everythingOf(db: Database): Promise<Record<string, unknown>> {
  const tables = ['users', 'sessions', 'ledger_accounts', 'ledger_transfers', 'audit_log', 'idempotency_keys']
  const all: Record<string, unknown> = {}
  for (const name of tables) all[name] = (await db.query(`select t::text as row from ${name} t order by 1`)).rows
  return all
}

const settings: AppSettings = {
  referralCode: 'KIMPHIEN',
  referralRequired: 'public',
  supportContact: 'quản trị viên',
  teamName: 'Kim Phiên',
  welcomePoints: 1000,
  rateLimitFactor: 1000,
  trustProxy: null,
  metricsToken: null,
  isDevelopment: true,
  // A closed port: tests see the bundled sample of coins.
  coingeckoUrl: 'http://127.0.0.1:9',
  isDemo: false,
  // A test of it names a threshold; others move up to the limit of a balance.
  fourEyesFrom: 'off',
  staffSecondFactor: 'optional',
  publicOrigin: null,
  dataDir: '',
  backupDir: null,
  backupEvery: 'off',
}

/** The folder of a test's images, unless the test names its own. */
export const testDataDir = join(tmpdir(), `kim-phien-test-${process.pid}`)

/** Signs the open book of tests. */
export const testBookKey = bookKeyOf(new Uint8Array(32).fill(2))

/** An open book of tests, which keeps nothing outside of the database and seals when the test takes its `turn()`. */
export const openTestBook = (db: Database, options: Partial<Parameters<typeof openBook>[0]> = {}): Promise<OpenBook> =>
  openBook({
    ...{ db, key: testBookKey, origin: null, dataDir: null, ticksSql: TICKS_SO_FAR, log: createLog('silent') },
    ...options,
  })

export const testKey = new Uint8Array(32).fill(1)

/**
 * The whole server over a test's database, with the books taken as correct. It does not listen; `close` it after the
 * test, before the database.
 */
export async function buildTestApp(
  db: Database,
  options: {
    readonly settings?: Partial<AppSettings>
    readonly log?: Logger
    readonly clock?: Clock
    readonly redis?: RedisClient | null
    readonly webDir?: string
    readonly dataDir?: string
    /** The storage of images; a folder below dataDir where none is given. */
    readonly storage?: FileStorage
    /** By default pushes are sent as in production: to public addresses only. */
    readonly push?: AppDeps['push']
    /** By default a simulated market that does not run. */
    readonly market?: Market
    /** By default one that seals when the test takes its `turn()`, and keeps nothing outside the database. */
    readonly book?: OpenBook
    readonly tracing?: AppDeps['tracing']
    /** By default every purpose uses `db`. */
    readonly connections?: Connections
    /** By default public answers are computed for each call, since tests change what they show. */
    readonly publicKeptMs?: number
  } = {},
): Promise<TestApp> {
  await openAuditLog(db, testKey)
  const log = options.log ?? createLog('silent')
  const clock = options.clock ?? (await createClock(db))
  const simulated = { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' } as const
  const market = options.market ?? createMarket({ db, clock, log, settings: simulated })
  // The whole rules take as long to store as a short test takes.
  const book = options.book ?? (await openTestBook(db, { log, rulesText: 'Luật' }))
  const ledger = {
    isOk: true,
    isOpen: () => ledger.isOk,
    checkedAtMs: () => null,
    check: () => Promise.reject(new Error('The books of a test are checked by verifyLedger.')),
    stop: async () => {},
  }
  const app = await buildApp({
    settings: { ...settings, dataDir: options.dataDir ?? testDataDir, ...options.settings },
    connections: options.connections ?? {
      ...{ engine: db, sessions: db, bets: db, publicReads: db, requests: db },
      close: () => db.close(),
    },
    clock,
    log,
    market,
    ledger,
    // The folder is created by the first upload only.
    storage:
      options.storage ??
      (await openFileStorage({
        dataDir: options.dataDir ?? testDataDir,
        s3Bucket: null,
        s3Region: '',
        s3Endpoint: null,
        s3AccessKeyId: null,
        s3SecretAccessKey: null,
      })),
    book,
    push: options.push ?? {
      keys: await readPushKeys(db, { vapidPrivateKey: null, vapidSubject: null, supportContact: 'care@kim.example' }),
    },
    redis: options.redis ?? null,
    webDir: options.webDir ?? null,
    tracing: options.tracing ?? null,
    publicKeptMs: options.publicKeptMs ?? 0,
  })
  // Types cover the refusals that a handler returns. Thrown ones are checked here, in every test that calls the API.
  app.http.addHook('onSend', async ({ routeOptions: { config, url } }, { statusCode }, payload) => {
    if (config.endpoint === undefined || statusCode < 400 || typeof payload !== 'string') return payload
    const { code } = JSON.parse(payload) as { readonly code: RefusalCode }
    if (!refusalsOf(config.endpoint).includes(code))
      console.error(`${url ?? ''} answers ${code}, which it does not name`)
    return payload
  })
  await app.http.ready()

  return {
    ...app,
    clock,
    book,
    ledger,
    async call(method, path, { token, body, headers = {}, ip = '127.0.0.1' } = {}) {
      const request: InjectOptions = {
        method,
        url: path,
        remoteAddress: ip,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }
      const response = await app.http.inject(request)
      const isJson = response.headers['content-type']?.toString().startsWith('application/json') === true
      const answer: Reply['body'] = isJson
        ? response.json()
        : { statusCode: response.statusCode, message: '', data: null }
      const rows = Array.isArray(answer.data) ? (answer.data as WireData[]) : []
      return { status: response.statusCode, headers: response.headers, body: answer, rows }
    },
    async close(socketsOverMs) {
      await app.close(socketsOverMs)
      if (options.clock === undefined) clock.stop()
    },
  }
}
