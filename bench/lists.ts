import { readFileSync } from 'node:fs'
import { totalAccounts } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { adminOf, LARGE_AUDIT_KEY } from './large-world.ts'
import type { Line } from './report.ts'
import { withServer } from '#testing/machines/process.ts'
import { tokenOf } from './world.ts'

/** The longest time that staff should wait for a list, in ms. */
const BAR_MS = 100
const WARM_CALLS = 5
const PAGE = 10
/** The last page that the table offers: totals are exact up to 10,000 rows. */
const LAST_PAGE = 1_000

interface ListCall {
  readonly name: string
  readonly paths: readonly string[]
  /** True if the search is meant to find nothing. */
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
  await totalAccounts(db)
  return withServer({ DATABASE_URL: url, AUDIT_KEY: LARGE_AUDIT_KEY }, async ({ address, pid }) => {
    const headers = { authorization: `Bearer ${tokenOf(adminOf(users))}` }
    /** The calls that have returned rows. One path with rows is enough: a filter may match no row of a small world. */
    const found = new Set<string>()
    const ask = async ({ name, paths, isEmpty = false }: ListCall, turn: number): Promise<number> => {
      const path = paths[turn % paths.length] ?? ''
      const startedAt = performance.now()
      const answer = await fetch(`${address}/api/v1${path}`, { headers })
      const text = await answer.text()
      const ms = performance.now() - startedAt
      if (!answer.ok) throw new Error(`${name}, ${path}: ${answer.status} ${text}`)
      const { data } = JSON.parse(text) as { data: unknown }
      if (!Array.isArray(data) || data.length > 0) found.add(name)
      if (isEmpty && found.has(name)) throw new Error(`${name}, ${path}: rows are found`)
      return ms
    }
    const timings = new Map<string, Timing>()
    for (const call of calls) {
      for (let turn = 0; turn < WARM_CALLS; turn++) await ask(call, turn)
      const times: number[] = []
      for (let turn = 0; turn < samples; turn++) times.push(await ask(call, WARM_CALLS + turn))
      if (!call.isEmpty && !found.has(call.name)) throw new Error(`${call.name}: no rows, whichever path`)
      times.sort((a, b) => a - b)
      const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN
      timings.set(call.name, { p50Ms: at(0.5), p95Ms: at(0.95) })
    }
    return { bets, timings, residentMb: residentMb(pid) }
  })
}

/** Returns the server's resident memory in MB; 0 if the system does not report it. */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Returns the calls to measure. The names in them are those of existing users from the whole world. */
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
  /** Returns the last page that has rows, at most `LAST_PAGE`. */
  const last = (rowsThere: number) => Math.max(1, Math.min(LAST_PAGE, Math.floor(rowsThere / PAGE)))
  const calls = [
    list('overview', '/overview'),
    list('attention', '/attention'),
    ...[1, 7, 30, 100].map((days) => list(`figures of ${days} days`, `/overview/figures?${lastDays(days)}`)),
    list('users, newest', '/user'),
    list('users, by name', '/user?sort=username', '/user?sort=-username'),
    list('users, by balance', '/user?sort=-balance', '/user?sort=balance'),
    list('users, by stake', '/user?sort=-staked', '/user?sort=staked'),
    list('users, by credit', '/user?sort=credit', '/user?sort=-credit'),
    list(
      'users, by balance, last page',
      `/user?sort=-balance&page=${last(users * 0.99)}`,
      `/user?sort=credit&page=${last(users * 0.99)}`,
    ),
    list(
      'users, frozen, demonstration, deleted, by balance',
      '/user?only=frozen&sort=-balance',
      '/user?only=scripted&sort=balance',
      '/user?deleted=true&sort=-balance',
    ),
    list(
      'users, search of a middle, by balance',
      ...names.map((name) => `/user?sort=-balance&username=${name.slice(3, 9)}`),
    ),
    list(
      'users, search that many match, by balance',
      '/user?username=nguy%E1%BB%85n&sort=-balance',
      '/user?username=kh%C3%A1nh&sort=-staked',
    ),
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
    none('proposals, newest', '/proposals', '/proposals?sort=createdAt'),
    none('proposals, by state', '/proposals?status=OPEN', '/proposals?status=EXPIRED'),
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
    ...(await filterCalls(db)),
    list('audit log, newest', '/audit-log'),
    list('audit log, oldest, last page', '/audit-log?sort=createdAt', `/audit-log?page=${last(Number(counts.acts))}`),
    list('audit log, before a row', `/audit-log?beforeSeq=${Math.ceil(Number(counts.acts) / 2) + 1}`),
    list('audit log, of an administrator', ...(await adminNames(db)).map((name) => `/audit-log?actor=${name}`)),
    list('audit log, of an act', '/audit-log?act=request.reject', '/audit-log?act=request.approve'),
    list('audit log, on a target', ...(await targets(db)).map((target) => `/audit-log?target=${target}`)),
    none('audit log, nothing found', '/audit-log?act=user.delete', '/audit-log?actor=zzqx', '/audit-log?target=zzqx'),
    list('chat, own conversations', '/chat/conversations?limit=100'),
    list('chat, own conversations that wait', '/chat/conversations?waiting=true&limit=100'),
    list('chat, conversations of all', '/chat/conversations?scope=all&limit=100'),
    list(
      'chat, conversations of a tag',
      '/chat/conversations?scope=all&tag=hiem&limit=100',
      '/chat/conversations?scope=all&tag=nhieu&limit=100',
    ),
    list('chat, tags in use', '/chat/tags'),
    list(
      'chat, search of what many hold',
      '/chat/search?text=hoan%20diem',
      '/chat/search?text=ok',
      '/chat/search?text=a',
    ),
    list('chat, search of a rare word', '/chat/search?text=te%20giac', `/chat/search?text=${Math.ceil(users / 20)}`),
    none('chat, search that none match', '/chat/search?text=zzqx', '/chat/search?text=hoan%20zq'),
    // These calls come last, because each customer's page that is read adds a row to the audit log.
    ...(await customerCalls(db, last)),
  ]
  return { users, bets: Number(counts.bets), calls }
}

/** Returns calls with the filters of requests, bets, rounds and acts, alone and combined, and calls for their sums. */
async function filterCalls(db: Database): Promise<ListCall[]> {
  const { rows } = await db.query<{ first: Date; last: Date }>(
    `select min(opens_at) as first, max(opens_at) as last from rounds where status = 'ended'`,
  )
  const { rows: rounds } = await db.query<{ id: string }>(
    `select r.id from rounds r where r.status = 'ended' and exists (
       select 1 from bets b where b.round_id = r.id and b.hidden_at is null and b.user_id in (select id from users limit 50))
      limit 20`,
  )
  const { rows: requests } = await db.query<{ id: string }>(
    'select id from cash_requests order by md5(id::text) limit 200',
  )
  const {
    rows: [sums],
  } = await db.query<{ few: bigint; middle: bigint; many: bigint; number: string }>(
    `select percentile_disc(0.001) within group (order by amount) / 100 as few,
            percentile_disc(0.5) within group (order by amount) / 100 as middle,
            percentile_disc(0.98) within group (order by amount) / 100 as many,
            min(account_number) filter (where id = $1) as number
       from cash_requests`,
    [requests[0]?.id ?? null],
  )
  if (sums === undefined) throw new Error('There are no requests.')
  const admins = await adminNames(db)
  const [span] = rows
  if (span === undefined) throw new Error('There are no rounds.')
  const dayMs = 86_400_000
  /** Three spans of time: the first day, the last day, and the first half of all time. */
  const days = [
    [span.first.getTime(), span.first.getTime() + dayMs],
    [span.last.getTime() - dayMs, span.last.getTime()],
    [span.first.getTime(), (span.first.getTime() + span.last.getTime()) / 2],
  ].map(([from = 0, to = 0]) => `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`)
  const ids = Array.from({ length: 20 }, (_, at) =>
    requests
      .slice(at * 10, at * 10 + 10)
      .map(({ id }) => id)
      .join(','),
  )
  const filters = (path: string, name: string, queries: readonly string[]): ListCall => ({
    name,
    paths: queries.map((query) => `${path}?${query}`),
  })
  const both = (name: string, list: string, totals: string, queries: readonly string[]): ListCall[] => [
    filters(list, name, queries),
    filters(totals, `${name}: totals`, queries),
  ]
  const ofRequests = (name: string, ...queries: string[]) =>
    both(`requests, ${name}`, '/transaction', '/transaction/totals', queries)
  const ofBets = (name: string, ...queries: string[]) => both(`bets, ${name}`, '/history', '/history/counts', queries)
  const ofRounds = (name: string, ...queries: string[]) =>
    both(`rounds, ${name}`, '/game/list-all', '/game/totals', queries)
  return [
    filters(
      '/transaction',
      'requests, by ids',
      ids.map((some) => `ids=${some}&limit=100`),
    ),
    ...ofRequests('of every kind', 'limit=10'),
    ...ofRequests('of days', ...days),
    ...ofRequests(
      'of amounts',
      `min=${sums.many}`,
      `max=${sums.few + 1n}`,
      'min=100&max=20000',
      `min=${sums.middle}&max=${sums.middle + 10n}`,
    ),
    ...ofRequests('largest of amounts', 'min=100&max=20000&sort=-money', `max=${sums.few + 1n}&sort=money`),
    ...ofRequests('of a bank', 'bank=vietcom', 'bank=BIDV', 'bank=cimb'),
    ...ofRequests('of a number’s end', 'bank=7', ...[4, 6].map((digits) => `bank=${sums.number.slice(-digits)}`)),
    ...ofRequests('decided by an admin', ...admins.map((name) => `by=${name}`)),
    ...ofRequests(
      'of days, amounts, bank and status',
      ...days.map((some) => `${some}&min=100&max=30000&bank=vietcom&status=ACCEPT`),
    ),
    { name: 'requests, of no bank', paths: ['/transaction?bank=zzqx', '/transaction?by=zzqx'], isEmpty: true },
    filters(
      '/history',
      'bets, of a round',
      rounds.map(({ id }) => `roundId=${id}`),
    ),
    ...ofBets('of days', ...days),
    ...ofBets('of days and outcome', ...days.flatMap((some) => [`${some}&status=VOID`, `${some}&status=WIN`])),
    ...ofBets('of days and type', ...days.map((some) => `${some}&type=120s`)),
    ...ofBets('of stakes, many', 'min=500', 'max=100'),
    ...ofBets('of stakes, one in a hundred', 'min=1000', 'min=770&max=779'),
    ...ofBets('of stakes and days', ...days.map((some) => `${some}&min=950`)),
    ...ofBets('decided by staff or a script', 'basis=ADMIN'),
    ...ofBets('void for a reason', 'voidReason=TIE', 'voidReason=TIE&type=60s'),
    {
      name: 'bets, void for a rare reason, of an admin',
      paths: ['/history?voidReason=NO_TICK', '/history?basis=SCRIPTED', `/history?by=${admins[0]}`],
      isEmpty: true,
    },
    ...ofRounds('of every type', 'limit=10'),
    ...ofRounds('of days', ...days),
    ...ofRounds('with voids', 'voids=yes', ...days.map((some) => `${some}&voids=yes`)),
    filters('/game/by-type/30s', 'rounds, of a type and days', days),
    { name: 'rounds, of an admin', paths: admins.map((name) => `/game/list-all?by=${name}`), isEmpty: true },
    filters('/audit-log', 'audit log, of days', days),
    filters(
      '/audit-log',
      'audit log, of days and an administrator',
      days.map((some) => `${some}&actor=${admins[0]}`),
    ),
  ]
}

/**
 * Returns calls for every part of a customer's page: of customers from the whole world, and of the customer with the
 * longest history. The first such call for a customer is written into the audit log.
 */
async function customerCalls(db: Database, last: (rowsThere: number) => number): Promise<ListCall[]> {
  const { rows: some } = await db.query<{ id: string }>(
    `select id from users where role = 'player' and deleted_at is null and right(id::text, 4) ~ '^.[0-9]+$'
      order by md5(id::text) limit 40`,
  )
  const { rows: writers } = await db.query<{ id: string }>(
    'select player_id as id from conversations where player_id is not null order by md5(id::text) limit 40',
  )
  const { rows: busy } = await db.query<{ id: string; bets: bigint; quarter: Date; threeQuarters: Date }>(
    `select b.user_id as id, count(*) as bets,
            min(b.accepted_at) + (max(b.accepted_at) - min(b.accepted_at)) / 4 as quarter,
            min(b.accepted_at) + (max(b.accepted_at) - min(b.accepted_at)) * 3 / 4 as "threeQuarters"
       from bets b where b.status <> 'open' group by b.user_id order by count(*) desc limit 1`,
  )
  const busiest = busy[0]
  if (busiest === undefined) throw new Error('There are no bets.')
  const each = (name: string, path: (id: string) => string, isEmpty = false): ListCall => ({
    name: `customer, ${name}`,
    paths: some.map(({ id }) => path(id)),
    isEmpty,
  })
  const { rows: requests } = await db.query<{ id: string; owner: string }>(
    `select id, owner_id as owner from cash_requests where owner_id = $1
      union all (select id, owner_id from cash_requests where owner_id <> $1 order by md5(id::text) limit 40)`,
    [busiest.id],
  )
  const dossiers = (isBusiest: boolean) =>
    requests.filter(({ owner }) => (owner === busiest.id) === isBusiest).map((one) => `/transaction/${one.id}/dossier`)
  const ofBusiest = (name: string, ...paths: string[]): ListCall => ({ name: `busiest customer, ${name}`, paths })
  const { id } = busiest
  const own = `/customers/${id}`
  const days = `from=${busiest.quarter.toISOString()}&to=${busiest.threeQuarters.toISOString()}`
  return [
    { name: 'customer, dossier of a request', paths: dossiers(false) },
    ofBusiest('dossier of a request', ...dossiers(true)),
    each('head', (one) => `/customers/${one}`),
    each('ledger', (one) => `/customers/${one}/ledger`),
    each('banks', (one) => `/customers/${one}/banks`),
    each('limits', (one) => `/customers/${one}/limits`),
    { name: 'customer, conversations', paths: writers.map((one) => `/customers/${one.id}/conversations`) },
    each('notes', (one) => `/customers/${one}/notes`, true),
    each('time line', (one) => `/customers/${one}/timeline`),
    each('bets', (one) => `/history?userId=${one}`),
    each('requests', (one) => `/transaction?userId=${one}`),
    each('acts', (one) => `/audit-log?target=user:${one}`),
    ofBusiest('head', own),
    ofBusiest('ledger', `${own}/ledger`),
    ofBusiest('ledger, last page', `${own}/ledger?page=${last(Number(busiest.bets) * 2)}`),
    ofBusiest('ledger, of days', `${own}/ledger?${days}`),
    ofBusiest('ledger, by a frequent reason', `${own}/ledger?reason=BET_RETURN`),
    ofBusiest('ledger, by a rare reason', `${own}/ledger?reason=WELCOME`),
    ofBusiest('ledger, by reason and days', `${own}/ledger?reason=BET_STAKE&${days}`),
    ofBusiest('banks', `${own}/banks`),
    ofBusiest('limits', `${own}/limits`),
    ofBusiest('time line', `${own}/timeline`, `${own}/timeline?only=play`),
    ofBusiest('time line, from its middle', `${own}/timeline?before=${busiest.threeQuarters.getTime()}000~bet:0`),
    ofBusiest('time line, without bets', `${own}/timeline?only=points`, `${own}/timeline?only=staff`),
    ofBusiest('bets', `/history?userId=${id}`, `/history?userId=${id}&status=WIN`),
    ofBusiest('bets, last page', `/history?userId=${id}&page=${last(Number(busiest.bets))}`),
    ofBusiest('bets, of a type', `/history?userId=${id}&type=30s`),
    ofBusiest('bet counters', `/history/counts?userId=${id}`),
  ]
}

/** Returns the query string for the last `days` days. */
function lastDays(days: number): string {
  const now = Date.now()
  return `from=${new Date(now - days * 86_400_000).toISOString()}&to=${new Date(now).toISOString()}`
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

/** Returns lines that compare the large world with the small world of the same run. */
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
