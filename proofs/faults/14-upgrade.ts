import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endpoints } from '#contract/endpoints.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { lastRelease, unpackRelease } from '#testing/machines/release.ts'
import { LARGE_AUDIT_KEY } from '../../bench/large-world.ts'
import { onSeeded, onServer } from '../../bench/scratch.ts'
import { makeOwnServer } from '#testing/machines/process.ts'
import { type BarLine, exactly } from '../report.ts'

/** A user of the large world has ten bets. */
const USERS = { full: 1_000_000, short: 2_000 } as const
const PLAYERS = 24
const PAUSE_MS = 150
/** Before this version starts, while both serve, and after the old one has ended. */
const ALONE_MS = 5_000
const BOTH_MS = 15_000
const LOOK_EVERY_MS = 20
const LOCK_BAR_MS = 500
/** Indexes of a large table take minutes. */
const MIGRATED_WITHIN_MS = 30 * 60_000
const REFERRAL_CODE = 'KIMPHIEN'

/** The last release serves players on a large database while this version joins it, migrates, and takes over. */
export async function upgrade(isShort: boolean): Promise<BarLine[]> {
  const release = lastRelease()
  if (release === null)
    throw new Error(
      'There is no earlier release to upgrade from: git has no tag v… and no history here. TEST_RELEASE names one.',
    )
  const folder = mkdtempSync(join(tmpdir(), 'kim-phien-upgrade-'))
  const name = `bench_${process.pid}_upgrade`
  const tree = join(folder, 'release')
  try {
    unpackRelease(release, tree)
    const users = String(USERS[isShort ? 'short' : 'full'])
    execFileSync(process.execPath, ['bench/seed-large.ts', '--users', users, '--database', name], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return await onSeeded(name, (url) => takeOver(url, tree, folder))
  } finally {
    await onServer((server) => server.query(`drop database if exists ${name} with (force)`))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function takeOver(url: string, tree: string, folder: string): Promise<BarLine[]> {
  const env = {
    ...{ DATABASE_URL: url, AUDIT_KEY: LARGE_AUDIT_KEY, REFERRAL_CODE, WELCOME_POINTS: '1000000' },
    COINGECKO_URL: 'http://127.0.0.1:9',
  }
  const old = await makeOwnServer(join(folder, 'old'), env, { folder: tree })
  const current = await makeOwnServer(join(folder, 'new'), env)
  const operator = new pg.Client({ connectionString: url })
  await operator.connect()
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await operator.query<{ n: string }>(`select count(*) as n ${sql}`, values)).rows[0]?.n)
  try {
    await old.start({}, MIGRATED_WITHIN_MS)
    const before = await count('from schema_migration')
    const locks = await watchLocks(url)
    const load = await startLoad(old.url)
    await sleep(ALONE_MS)
    const migratedMs = await current.start({}, MIGRATED_WITHIN_MS)
    load.use([old.url, current.url])
    await sleep(BOTH_MS)
    load.use([current.url])
    // Calls that were sent to the old process are answered before it ends.
    await sleep(1_000)
    await old.stop()
    await sleep(ALONE_MS)
    const seen = await load.stop()
    const lock = await locks.stop()
    const migrations = (await count('from schema_migration')) - before
    const stored = await count('from bets where id = any($1::uuid[])', [seen.placed])
    const bets = await count('from bets')
    const { findings } = await onSeeded(new URL(url).pathname.slice(1), (_, db) => verifyLedger(db, false))
    process.stderr.write(
      `  ${seen.calls} calls, the longest ${seen.longestMs.toFixed(0)} ms; longest wait for a lock: ${lock.sql}\n`,
    )
    for (const wrong of new Set(seen.failed)) process.stderr.write(`  ${wrong}\n`)
    if (seen.failed.length > 0)
      process.stderr.write(`  the release: ${old.said()}\n  this version: ${current.said()}\n`)
    const what = `${migrations} migrations of ${bets} bets in ${(migratedMs / 1000).toFixed(0)} s`
    return [
      exactly(`${what}, ${seen.calls} calls meanwhile: answers 5xx, or none`, seen.failed.length, 0),
      {
        what: `${what}: the longest wait for a lock`,
        seen: `${lock.ms.toFixed(0)} ms`,
        bar: `≤ ${LOCK_BAR_MS} ms`,
        isMet: lock.ms <= LOCK_BAR_MS,
      },
      exactly(`${what}: of ${seen.placed.length} bets that were acknowledged, lost`, seen.placed.length - stored, 0),
      {
        what: `${what}: bets that were acknowledged, migrations`,
        seen: `${seen.placed.length}, ${migrations}`,
        bar: '≥ 1, ≥ 1',
        isMet: seen.placed.length > 0 && migrations > 0,
      },
      exactly(`${what}: findings in the ledger`, findings.length, 0),
    ]
  } finally {
    await operator.end()
    await Promise.all([old.kill(), current.kill()])
  }
}

/**
 * The longest time that anybody waited for a row, a transaction or a table. An index that is built concurrently waits for
 * transactions (`virtualxid`) and makes nobody wait; nor does the lock that keeps two processes from migrating at once.
 */
async function watchLocks(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const longest = { ms: 0, sql: 'none' }
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ ms: number; sql: string }>(LONGEST_WAIT)
      const [row] = rows
      if (row !== undefined && row.ms > longest.ms) Object.assign(longest, row)
      await sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      await client.end()
      return longest
    },
  }
}

const LONGEST_WAIT = `
  select (extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as ms,
      l.locktype || ' ' || coalesce(l.relation::regclass::text, '') || ', ' || left(regexp_replace(a.query, '\\s+', ' ', 'g'), 160) as sql
    from pg_locks l join pg_stat_activity a using (pid)
   where not l.granted and l.waitstart is not null and a.datname = current_database()
     and l.locktype not in ('virtualxid', 'advisory')
   order by l.waitstart limit 1`

interface Seen {
  readonly calls: number
  readonly longestMs: number
  /** Descriptions of answers 5xx and of calls without an answer. */
  readonly failed: readonly string[]
  /** Bets that were acknowledged, by their ids. */
  readonly placed: readonly string[]
}

type Endpoint = { readonly method: string; readonly path: string }

/** Starts players who bet, read and file, at the servers alternately, as behind a proxy. */
async function startLoad(first: string) {
  let addresses: readonly string[] = [first]
  let [turn, calls, longestMs, isOver] = [0, 0, 0, false]
  const failed: string[] = []
  const placed: string[] = []

  async function call({ method, path }: Endpoint, query: string, token: string | null, body?: object) {
    const address = addresses[turn++ % addresses.length] ?? first
    const sentMs = performance.now()
    calls++
    try {
      const answer = await fetch(address + path + query, {
        method,
        headers: {
          'idempotency-key': newId(),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { data, code } = (await answer.json()) as { data?: Record<string, unknown> | null; code?: string }
      if (answer.status >= 500)
        failed.push(
          `${address === first ? 'the release' : 'this version'}, ${method} ${path}: ${answer.status} ${code}`,
        )
      return { status: answer.status, data: data ?? {} }
    } catch (error) {
      failed.push(`${method} ${path}: ${String(error)}`)
      return { status: 0, data: {} }
    } finally {
      longestMs = Math.max(longestMs, performance.now() - sentMs)
    }
  }
  async function register(n: number): Promise<string> {
    const body = { username: `nangcap${n}`, password: 'bi-mat-123', rePassword: 'bi-mat-123', code: REFERRAL_CODE }
    const { data } = await call(endpoints.register, '', null, body)
    const token = String(data['access_token'])
    const bank = { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' }
    await call(endpoints.addBank, '', token, bank)
    return token
  }
  async function play(token: string, nth: number): Promise<void> {
    for (let step = nth; !isOver; step++) {
      const type = step % 2 === 0 ? '30s' : '60s'
      const { data } = await call(endpoints.currentRound, `?type=${type}`, token)
      if (data['isBettingOpen'] === true) {
        const body = { gameId: data['_id'], score: 1, value: step % 3 === 0 ? 'UP' : 'DOWN', seenBasis: 'PRICE' }
        const bet = await call(endpoints.placeBet, '', token, body)
        if (bet.status === 200 || bet.status === 201) placed.push(String(bet.data['_id']))
      }
      if (step % 9 === 0)
        await call(endpoints.fileRequest, '', token, { type: 'WITHDRAW', money: 50_000, description: 'x' })
      await call({ method: 'GET', path: '/api/v1/user/ledger' }, '?page=1', token)
      await sleep(PAUSE_MS)
    }
  }
  const tokens = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => register(n)))
  const playing = Promise.all(tokens.map(play))
  return {
    use: (now: readonly string[]) => void (addresses = now),
    async stop(): Promise<Seen> {
      isOver = true
      await playing
      return { calls, longestMs, failed, placed }
    },
  }
}
