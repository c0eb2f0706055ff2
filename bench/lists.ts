import { readFileSync } from 'node:fs'
import type { Database } from '#server/platform/db.ts'
import { adminOf, LARGE_AUDIT_KEY } from './large-world.ts'
import type { Line } from './report.ts'
import { withServer } from './running-server.ts'
import { tokenOf } from './world.ts'

/** The longest that staff should wait, ms. */
const BAR_MS = 100
const WARM_CALLS = 5
const PAGE = 10
/** The last page that the table offers: totals are exact to 10,000. */
const LAST_PAGE = 1_000

interface ListCall {
  readonly name: string
  readonly paths: readonly string[]
  /** True where the search is meant to find nothing. */
  readonly isEmpty?: boolean
}

/** The duration of one call, ms. */
interface Timing {
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface ListsSeen {
  readonly bets: number
  readonly timings: ReadonlyMap<string, Timing>
  readonly residentMb: number
}

/**
 * Reads every staff list over HTTP, one call after another, with each order, filter and search that the screens offer.
 */
export async function runLists(db: Database, url: string, samples: number): Promise<ListsSeen> {
  const { users, bets, calls } = await callsFor(db)
  return withServer({ DATABASE_URL: url, AUDIT_KEY: LARGE_AUDIT_KEY }, async ({ address, pid }) => {
    const headers = { authorization: `Bearer ${tokenOf(adminOf(users))}` }
    const ask = async ({ name, paths, isEmpty = false }: ListCall, turn: number): Promise<number> => {
      const path = paths[turn % paths.length] ?? ''
      const startedAt = performance.now()
      const answer = await fetch(`${address}/api/v1${path}`, { headers })
      const text = await answer.text()
      const ms = performance.now() - startedAt
      if (!answer.ok) throw new Error(`${name}, ${path}: ${answer.status} ${text}`)
      const { data } = JSON.parse(text) as { data: unknown }
      if (Array.isArray(data) && (data.length === 0) !== isEmpty)
        throw new Error(`${name}, ${path}: ${data.length} rows`)
      return ms
    }
    const timings = new Map<string, Timing>()
    for (const call of calls) {
      for (let turn = 0; turn < WARM_CALLS; turn++) await ask(call, turn)
      const times: number[] = []
      for (let turn = 0; turn < samples; turn++) times.push(await ask(call, WARM_CALLS + turn))
      times.sort((a, b) => a - b)
      const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN
      timings.set(call.name, { p50Ms: at(0.5), p95Ms: at(0.95) })
    }
    return { bets, timings, residentMb: residentMb(pid) }
  })
}

/** The server's resident memory, MB; 0 where the system does not report it. */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The calls, with names of existing users spread over all of them. */
async function callsFor(db: Database): Promise<{ users: number; bets: number; calls: ListCall[] }> {
  const { rows } = await db.query<{ users: bigint; bets: bigint; acts: bigint }>(
    `select (select count(*) from users) - 1 as users, (select count(*) from bets) as bets,
            (select count(*) from audit_log) as acts`,
  )
  const counts = rows[0]
  if (counts === undefined) throw new Error('The database does not answer.')
  const users = Number(counts.users)
  const { rows: some } = await db.query<{ username: string }>(
    `select username from users where role = 'player' and deleted_at is null and right(id::text, 4) ~ '^.[0-9]+$'
      order by md5(id::text) limit 40`,
  )
  const names = some.map(({ username }) => username)
  const { rows: busy } = await db.query<{ username: string }>(
    `select username from users where id = (select user_id from bets where status <> 'open'
      group by user_id order by count(*) desc limit 1)`,
  )
  const list = (name: string, ...paths: string[]): ListCall => ({ name, paths })
  const none = (name: string, ...paths: string[]): ListCall => ({ name, paths, isEmpty: true })
  const each = (path: string) => names.map((name) => `${path}${name}`)
  /** The last page that has rows. */
  const last = (rowsThere: number) => Math.max(1, Math.min(LAST_PAGE, Math.floor(rowsThere / PAGE)))
  const calls = [
    list('overview', '/overview'),
    list('users, newest', '/user'),
    list('users, by name', '/user?sort=username', '/user?sort=-username'),
    list('users, last page', `/user?page=${last(users * 0.99)}`),
    list('users, frozen, demonstration, admins', '/user?only=frozen', '/user?only=scripted', '/user?only=admins'),
    list('users, deleted', '/user?deleted=true'),
    list('users, search of a whole name', ...each('/user?username=')),
    list('users, search of a middle', ...names.map((name) => `/user?username=${name.slice(3, 9)}`)),
    list('users, search that many match', '/user?username=nguy%E1%BB%85n', '/user?username=kh%C3%A1nh'),
    list('users, search that many match, by name', '/user?username=nguy%E1%BB%85n&sort=username'),
    list('users, search that many match, 30th page', `/user?username=an&page=${Math.min(30, last(users * 0.1))}`),
    list('users, search of one letter or two', '/user?username=q', '/user?username=uy', '/user?username=1'),
    none(
      'users, search that none match',
      '/user?username=zzqx',
      '/user?username=xzj',
      '/user?username=zq',
      '/user?username=w',
    ),
    none('disputes, oldest', '/disputes', '/disputes?sort=-openedAt'),
    none('disputes, by state', '/disputes?status=OPEN', '/disputes?status=REJECTED'),
    none('disputes, of a name', ...each('/disputes?username=')),
    list('requests, newest', '/transaction'),
    list('requests, largest and smallest', '/transaction?sort=-money', '/transaction?sort=money'),
    list('requests, last page', `/transaction?page=${last(users)}`),
    list('requests, pending', '/transaction?status=IN_PROGRESS', '/transaction?status=IN_PROGRESS&sort=money'),
    list('requests, approved, rejected', '/transaction?status=ACCEPT', '/transaction?status=REJECT'),
    list('requests, rejected by amount', '/transaction?status=REJECT&sort=-money'),
    list('requests, withdrawals', '/transaction?type=WITHDRAW', '/transaction?type=WITHDRAW&status=IN_PROGRESS'),
    list('requests, of a name', ...each('/transaction?username=')),
    list('requests, of a name’s beginning', '/transaction?username=nguyenvan', '/transaction?username=le'),
    none('requests, of nobody', '/transaction?username=zzqx'),
    list('rounds, newest', '/game/list-all'),
    list('rounds, of a type', ...['30s', '60s', '90s', '120s'].map((type) => `/game/by-type/${type}`)),
    list('rounds, oldest, last page', '/game/list-all?sort=startTime', `/game/list-all?page=${last(users * 0.5)}`),
    list('bets, newest', '/history'),
    list('bets, oldest', '/history?sort=createdAt'),
    list('bets, last page', `/history?page=${last(users * 9)}`),
    list('bets, a thousand pages of a hundred', `/history?limit=100&page=${Math.min(1000, Math.floor(users / 20))}`),
    list('bets, won, lost', '/history?status=WIN', '/history?status=LOSE'),
    list('bets, open', '/history?status=PROGRESS'),
    list('bets, void', '/history?status=VOID', '/history?status=VOID&sort=createdAt'),
    list('bets, of a type', ...['30s', '60s', '90s', '120s'].map((type) => `/history?type=${type}`)),
    list('bets, void of a type', '/history?type=30s&status=VOID', '/history?type=90s&status=VOID'),
    list('bets, of a name', ...each('/history?username=')),
    list('bets, of the busiest name', `/history?username=${busy[0]?.username}`),
    list('bets, of a name’s beginning', '/history?username=nguyenvan', '/history?username=le'),
    none('bets, of nobody', '/history?username=zzqx'),
    list('bet counters', '/history/counts'),
    list('bet counters, of a type', '/history/counts?type=30s', '/history/counts?type=120s'),
    list('bet counters, of a name', ...each('/history/counts?username=')),
    list('audit log, newest', '/audit-log'),
    list('audit log, oldest, last page', '/audit-log?sort=createdAt', `/audit-log?page=${last(Number(counts.acts))}`),
    list('audit log, before a row', `/audit-log?beforeSeq=${Math.ceil(Number(counts.acts) / 2) + 1}`),
    list('audit log, of an administrator', ...(await adminNames(db)).map((name) => `/audit-log?actor=${name}`)),
    list('audit log, of an act', '/audit-log?act=request.reject', '/audit-log?act=request.approve'),
    list('audit log, on a target', ...(await targets(db)).map((target) => `/audit-log?target=${target}`)),
    none(
      'audit log, nothing found',
      '/audit-log?act=user.delete',
      '/audit-log?actor=zzqx',
      `/audit-log?target=${names[0]}`,
    ),
  ]
  return { users, bets: Number(counts.bets), calls }
}

async function adminNames(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ username: string }>(
    `select username from users where role = 'admin' and exists (select 1 from audit_log where actor = users.id::text)`,
  )
  return rows.map(({ username }) => username)
}

async function targets(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ target: string }>(`select target from audit_log where seq % 7 = 3 limit 20`)
  return rows.map(({ target }) => target)
}

/** Compares the small world with the large one of the same run. */
export function listLines(small: ListsSeen, large: ListsSeen): Line[] {
  const written = ({ p50Ms, p95Ms }: Timing) => `${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)} ms`
  const lines = [...large.timings].map(([name, ours]): Line => {
    const yardstick = small.timings.get(name)
    return {
      name,
      ours: written(ours),
      yardstick: yardstick === undefined ? '' : written(yardstick),
      ratio: yardstick === undefined ? '' : `${(ours.p95Ms / yardstick.p95Ms).toFixed(1)} ×`,
      bar: `p95 ≤ ${BAR_MS} ms`,
      isMet: ours.p95Ms <= BAR_MS,
      note: '',
    }
  })
  const ratio = large.residentMb / small.residentMb
  return [
    ...lines,
    {
      name: 'memory of the server after these',
      ours: `${Math.round(large.residentMb)} MB`,
      yardstick: `${Math.round(small.residentMb)} MB`,
      ratio: `${ratio.toFixed(2)} ×`,
      bar: '≤ 1.2 ×',
      isMet: ratio <= 1.2,
      note: '',
    },
  ]
}
