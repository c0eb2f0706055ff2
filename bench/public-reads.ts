import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '#contract/endpoints.ts'
import { BOOK_ACTS } from '#domain/book/entry.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { LARGE_AUDIT_KEY } from './large-world.ts'
import type { Line } from './report.ts'
import { withServer } from '#testing/machines/process.ts'
import { makeRunningRound, secretHashSql, sessionIdSql, tokenOf, userIdSql } from './world.ts'

const CALL_BAR_MS = 100
const BET_BAR_MS = 250
const IN_FLIGHT = 200
const BET_EVERY_MS = 100
const DAY_MS = 86_400_000
const WARM_CALLS = 3
/** The longest wait until the entries that the world queued are sealed, and the first round is closed in the log. */
const READY_MS = 600_000

/** Returns the request of a turn. No two requests are the same, so that no cached answer is measured. */
type Ask = (turn: number) => { readonly path: string; readonly body?: unknown }

type Operation = (typeof endpoints)[keyof typeof endpoints]
/** The paths that need no token. If a new one is not measured below, this file does not compile. */
type PublicPath = Extract<Operation, { readonly access: 'public' }>['path']

interface Seen {
  readonly name: string
  readonly ms: readonly number[]
  readonly statuses: ReadonlySet<number>
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

/** Returns the settings of a server whose public routes are measured. */
export const publicServer = (url: string) => ({
  DATABASE_URL: url,
  AUDIT_KEY: LARGE_AUDIT_KEY,
  RATE_LIMIT_FACTOR: '1000000',
})

/**
 * Measures every operation that needs no token, one call after another. The operations come from the same table as
 * /docs/json. Then measures `IN_FLIGHT` such calls at a time while players bet.
 */
export async function runPublicReads(db: Database, url: string, samples: number, floodS: number): Promise<Line[]> {
  return withServer(publicServer(url), async ({ address }) => {
    const { seen, asks } = await timePublicReads(db, address, samples)
    const reads = asks.filter(({ method }) => method === 'GET')
    // The calls above have used the smaller turns. Each later call gets a new turn, so that no request is repeated.
    let turn = asks.length * (samples + WARM_CALLS)
    const flood = await runFlood(db, address, floodS, (nth) => {
      const { ask } = reads[nth % reads.length] ?? { ask: () => ({ path: '/' }) }
      return call(address, ask, 'GET', turn++)
    })
    return [...seen.map(callLine), ...flood]
  })
}

async function call(address: string, ask: Ask, method: string, turn: number) {
  const { path, body } = ask(turn)
  const startedAt = performance.now()
  const answer = await fetch(`${address}${path}`, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  await answer.arrayBuffer()
  return { ms: performance.now() - startedAt, status: answer.status }
}

/** Calls every operation that needs no token, after the queued entries are sealed. The times are sorted. */
export async function timePublicReads(db: Database, address: string, samples: number) {
  await untilReady(db)
  const asks = await asksFor(db)
  const seen: Seen[] = []
  let turn = 0
  for (const { name, method, ask } of asks) {
    const ms: number[] = []
    const statuses = new Set<number>()
    for (let n = 0; n < samples + WARM_CALLS; n++) {
      const answer = await call(address, ask, method, turn++)
      statuses.add(answer.status)
      if (n >= WARM_CALLS) ms.push(answer.ms)
    }
    seen.push({ name, ms: ms.toSorted((a, b) => a - b), statuses })
  }
  return { seen, asks }
}

async function untilReady(db: Database): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < READY_MS; await sleep(500)) {
    const { rows } = await db.query<{ is_ready: boolean }>(
      `select not exists (select 1 from book_queue where kind <> 'bet' and at_ms < extract(epoch from now()) * 1000 - 60000)
          and exists (select 1 from rounds where book = 'closed') as is_ready`,
    )
    if (rows[0]?.is_ready === true) return
  }
  throw new Error('The queued entries were not sealed in time.')
}

async function asksFor(db: Database): Promise<{ name: string; method: string; ask: Ask }[]> {
  const { rows } = await db.query<{ size: bigint; first: bigint; last: bigint; sizes: string }>(
    `select (select size from book_tips order by generation desc limit 1) as size,
            (select min(at_ms) from book_notable where kind = 'act') as first,
            (select max(at_ms) from book_notable where kind = 'act') as last`,
  )
  const { rows: rounds } = await db.query<{ id: string }>(`select id from rounds where book = 'closed' limit 50`)
  const { rows: names } = await db.query<{ username: string }>(`select username from users limit 100`)
  const [size, first, last] = [Number(rows[0]?.size), Number(rows[0]?.first), Number(rows[0]?.last)]
  const moment = (turn: number) =>
    new Date(first + ((turn * 7919) % 1000) * ((last - first) / 1000) + turn).toISOString()
  const day = (turn: number) => new Date(last - ((turn * 37) % 3_650) * DAY_MS).toISOString().slice(0, 10)
  const place = (turn: number) => 1 + ((turn * 104_729) % (size - 1))
  const round = (turn: number) => rounds[turn % rounds.length]?.id ?? ''
  const one = (make: (turn: number) => string, body?: (turn: number) => unknown): Ask[] => [
    (turn) => ({ path: make(turn), body: body?.(turn) ?? {} }),
  ]
  const acts = [
    (turn: number) => `limit=100&from=${moment(0)}&x=${turn}`,
    (turn: number) => `kind=act&limit=100&after=1.${place(turn)}`,
    (turn: number) => `act=${BOOK_ACTS[turn % BOOK_ACTS.length]}&to=${moment(turn)}`,
    (turn: number) => `act=ledger.clear&after=1.${place(turn)}`,
    (turn: number) => `kind=dispute&limit=100&to=${moment(turn)}`,
    (turn: number) => `kind=feed&from=${moment(turn)}`,
    (turn: number) => `from=${moment(turn)}&to=${new Date(Date.parse(moment(turn)) + DAY_MS).toISOString()}`,
  ]
  const of: Readonly<Record<PublicPath, readonly Ask[]>> = {
    '/api/v1/public-config': one((turn) => `/api/v1/public-config?x=${turn}`),
    '/api/v1/market/seeds': one((turn) => `/api/v1/market/seeds?limit=100&page=1&x=${turn}`),
    '/api/v1/market/evidence/{source}/{second}': one((turn) => `/api/v1/market/evidence/pyth/${1_790_000_000 + turn}`),
    '/api/v1/rounds/{id}/receipt': one((turn) => `/api/v1/rounds/${round(turn)}/receipt?x=${turn}`),
    '/api/v1/rounds/{id}/receipt/bets': one((turn) => `/api/v1/rounds/${round(turn)}/receipt/bets?x=${turn}`),
    '/api/v1/book/anchors': one((turn) => `/api/v1/book/anchors?before=${place(turn)}`),
    '/api/v1/book/status': one((turn) => `/api/v1/book/status?x=${turn}`),
    '/api/v1/book/acts': acts.map((make): Ask => (turn) => ({ path: `/api/v1/book/acts?${make(turn)}` })),
    '/api/v1/book/rates': [
      ...one((turn) => `/api/v1/book/rates?x=${turn}`),
      ...one((turn) => `/api/v1/book/rates?to=${day(turn)}&x=${turn}`),
    ],
    '/api/v1/auth/login': one(
      () => '/api/v1/auth/login',
      (turn) => ({ username: `nobody${turn}`, password: 'matkhau1' }),
    ),
    '/api/v1/auth/register': one(
      () => '/api/v1/auth/register',
      (turn) => ({
        ...{ username: names[turn % names.length]?.username, password: 'matkhau1', rePassword: 'matkhau1' },
        code: 'KIMPHIEN',
      }),
    ),
    '/api/v1/auth/factor': one(() => '/api/v1/auth/factor'),
    '/api/v1/auth/passkey/challenge': one(() => '/api/v1/auth/passkey/challenge'),
    '/api/v1/auth/passkey': one(() => '/api/v1/auth/passkey'),
    '/api/v1/browser-errors': one(() => '/api/v1/browser-errors'),
    '/api/v1/push/renewal': one(() => '/api/v1/push/renewal'),
  }
  const operations = Object.values(endpoints).filter((operation) => operation.access === 'public')
  return operations.flatMap(({ method, path }) =>
    of[path].map((ask) => ({ name: `${method} ${nameOf(ask)}`, method, ask })),
  )
}

/** Returns the path without the parts that differ from call to call. */
const nameOf = (ask: Ask): string =>
  ask(1)
    .path.replace('/api/v1', '')
    .replace(/[?&]x=\d+/, '')
    .replaceAll(/(?<!limit)=[\d.:TZ-]{3,}/g, '=…')
    .replaceAll(/[0-9a-f-]{36}/g, '…')

/** Keeps `IN_FLIGHT` anonymous calls running while one player after another bets. */
async function runFlood(
  db: Database,
  address: string,
  floodS: number,
  ask: (nth: number) => Promise<{ ms: number; status: number }>,
): Promise<Line[]> {
  const roundId = newId()
  await makeRunningRound(db, roundId)
  const players = await signIn(db, (floodS * 1000) / BET_EVERY_MS)
  const until = performance.now() + floodS * 1000
  const answers: { ms: number; status: number }[] = []
  let nth = 0
  const anonymous = Array.from({ length: IN_FLIGHT }, async () => {
    while (performance.now() < until) answers.push(await ask(nth++))
  })
  const bets: number[] = []
  for (const n of players) {
    if (performance.now() > until) break
    const startedAt = performance.now()
    const answer = await fetch(`${address}/api/v1/history`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf(n)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ gameId: roundId, score: 1, value: 'UP', seenBasis: 'PRICE' }),
    })
    if (!answer.ok) throw new Error(`A bet was refused: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    bets.push(performance.now() - startedAt)
    await sleep(BET_EVERY_MS)
  }
  await Promise.all(anonymous)
  const [betMs, callMs] = [bets, answers.map(({ ms }) => ms)].map((all) => all.toSorted((a, b) => a - b))
  const late = answers.filter(({ status }) => status >= 500).length
  return [
    lineOf(
      `a player’s bet beside ${IN_FLIGHT} public calls in flight`,
      betMs ?? [],
      0.99,
      BET_BAR_MS,
      `${bets.length} bets`,
    ),
    {
      ...lineOf('these calls', callMs ?? [], 0.95, null, ''),
      note: `${Math.round(answers.length / floodS)} a second, ${late} of ${answers.length} answered 503`,
    },
  ]
}

/** Makes sessions for players who may bet and have no open bet. Returns the players' numbers, all above `after`. */
export async function signIn(db: Database, count: number, after = 1_000): Promise<number[]> {
  const { rows } = await db.query<{ n: bigint }>(
    `select ('x' || right(u.id::text, 12))::bit(48)::bigint as n from users u
      where u.role = 'player' and u.deleted_at is null and not u.is_frozen and u.scripted_outcome is null
        and u.id > ${userIdSql('$2::bigint')} and not exists (select 1 from bets b where b.user_id = u.id and b.status = 'open')
      order by u.id limit $1`,
    [count, after],
  )
  const numbers = rows.map(({ n }) => Number(n))
  await db.query(
    `insert into sessions (id, user_id, secret_hash, expires_at)
     select ${sessionIdSql('n')}, ${userIdSql('n')}, ${secretHashSql('n')}, now() + interval '1 day'
       from unnest($1::bigint[]) n on conflict do nothing`,
    [numbers],
  )
  return numbers
}

const callLine = ({ name, ms, statuses }: Seen): Line =>
  lineOf(name, ms, 0.95, CALL_BAR_MS, [...statuses].join() === '200' ? '' : `answers ${[...statuses].join(', ')}`)

const lineOf = (name: string, ms: readonly number[], share: number, barMs: number | null, note: string): Line => ({
  name,
  ours: `${at(ms, 0.5).toFixed(1)} / ${at(ms, share).toFixed(1)} ms`,
  yardstick: '',
  ratio: '',
  bar: barMs === null ? '' : `p${share * 100} ≤ ${barMs} ms`,
  isMet: barMs === null ? null : at(ms, share) <= barMs,
  note,
})
