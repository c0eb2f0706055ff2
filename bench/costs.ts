import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatEndpoints } from '#contract/chat.ts'
import { gameEndpoints } from '#contract/game.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openNative } from '#server/platform/database/native.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { withOwnPostgres } from '#testing/machines/postgres.ts'
import { cpuSeconds, openWatchers } from './many-sockets.ts'
import { foldCandles } from './place-bets-http.ts'
import { openRawSocket } from './raw-socket.ts'
import type { Line } from './report.ts'
import { type RunningServer, withServer } from '#testing/machines/process.ts'
import { checkLedger } from './scratch.ts'
import { makeWorld, STAKE_POINTS, tokenOf } from './world.ts'

export interface CostSizes {
  readonly bets: number
  readonly sockets: number
  readonly messages: number
  /** The seconds for which the idle server and the idle sockets are measured. The idle server's work is subtracted. */
  readonly idleS: number
}

/** PostgreSQL's idle backends report their statistics after 10 s, so each wait for them is a little longer. */
const FLUSH_MS = 11_000
/**
 * Work that acts leave for later, such as noting a session's last use, is written once a minute. It counts as done when
 * fewer than `QUIET_ROWS` rows are written within `QUIET_MS`.
 */
const QUIET_ROWS = 1_000
const QUIET_MS = 65_000
/** Work that is not done within this time would be counted for the wrong act, so the measurement fails. */
const QUIET_WITHIN_MS = 300_000
const IN_FLIGHT = 32
const WRITERS = 20
/** The pause after each message of a socket, which may send 50 events a second (rules §6.7). */
const APART_MS = 25
/** Bets are placed in a round only if it lasts at least this long from now. */
const LEAST_LEFT_MS = 30_000
const MESSAGE = 'Chào bạn, tôi cần hỗ trợ về lệnh vừa đặt'

/** The resources that the server used, and the rows and bytes that it wrote, within `seconds`. */
interface Spent {
  readonly seconds: number
  readonly cpuS: number
  readonly rows: number
  readonly walBytes: number
}

/** The cost of inserting a copy of each row that the acts created or changed, all in one transaction. */
interface Bare {
  readonly rows: number
  readonly walBytes: number
}

interface World {
  readonly db: Database
  readonly server: RunningServer
}

/**
 * Measures the cost of a bet, an idle game socket and a chat message, on a PostgreSQL server of its own, since the
 * write-ahead log is counted for a whole server. The cost of an idle server over the same time is subtracted.
 */
export async function measureCosts(sizes: CostSizes): Promise<Line[]> {
  // By default, a page's first change after a checkpoint logs the whole page: most of the log of a short run.
  return withOwnPostgres({ settings: ['full_page_writes=off'] }, async (url) => {
    const db = openNative({ url, max: 4, statementTimeoutMs: 300_000, lockTimeoutMs: 300_000 })
    try {
      await migrate(db)
      await makeWorld(db, sizes.bets * 2)
      const measured = await withServer({ DATABASE_URL: url, RATE_LIMIT_FACTOR: '100000' }, (server) =>
        measureAll({ db, server }, sizes),
      )
      await checkLedger(db)
      const [bets, messages] = [
        await insertBare(db, measured.bets.since, measured.bets.before, sizes.bets),
        await insertBare(db, measured.messages.since, measured.messages.before, sizes.messages),
      ]
      return [
        ...linesOf('a bet, placed and settled', measured.bets.spent, sizes.bets, measured.bets.wireBytes, bets),
        ...socketLines(measured.sockets, sizes),
        ...linesOf(
          'a message to customer care, an admin watching',
          measured.messages.spent,
          sizes.messages,
          measured.messages.wireBytes,
          messages,
        ),
      ]
    } finally {
      await db.close()
    }
  })
}

async function measureAll(world: World, sizes: CostSizes) {
  const { db, server } = world
  await foldCandles(server.address)
  // Warms up: these bets compile the server's code, and fill table pages that are still empty.
  await placeAndSettle(world, sizes.bets + 1, sizes.bets * 2)
  const idle = await spend(world, () => sleep(sizes.idleS * 1000))
  const beyondIdle = (spent: Spent): Spent => {
    const share = spent.seconds / idle.seconds
    return {
      seconds: spent.seconds,
      cpuS: spent.cpuS - idle.cpuS * share,
      rows: spent.rows - idle.rows * share,
      walBytes: spent.walBytes - idle.walBytes * share,
    }
  }

  const betsSince = await nextTransaction(db)
  let betBytes = 0
  const bets = await spend(world, async () => {
    betBytes = await placeAndSettle(world, 1, sizes.bets)
  })
  const betsBefore = await nextTransaction(db)

  let ticks = 0
  let payloadBytes = 0
  const watchers = await openWatchers(server.address, sizes.sockets, (_, start, end) => {
    ticks += 1
    payloadBytes += end - start
  })
  await sleep(FLUSH_MS)
  let socketBytes = 0
  const payload = { events: 0, bytes: 0 }
  const sockets = await spend(world, async () => {
    const readBefore = bytesOf(watchers.map(({ connection }) => connection))
    ;[ticks, payloadBytes] = [0, 0]
    await sleep(sizes.idleS * 1000)
    socketBytes = bytesOf(watchers.map(({ connection }) => connection)) - readBefore
    Object.assign(payload, { events: ticks, bytes: payloadBytes })
  })
  for (const watcher of watchers) watcher.close()
  // Waits until the end of the watchers' presence is written to the database.
  await sleep(FLUSH_MS)

  const writers = await openConversations(world)
  await sleep(FLUSH_MS)
  await writers.write(Math.ceil(sizes.messages / 4))
  const messagesSince = await nextTransaction(db)
  let messageBytes = 0
  const messages = await spend(world, async () => {
    messageBytes = await writers.write(sizes.messages)
  })
  const messagesBefore = await nextTransaction(db)
  writers.close()
  return {
    bets: { spent: beyondIdle(bets), wireBytes: betBytes, since: betsSince, before: betsBefore },
    sockets: { spent: beyondIdle(sockets), wireBytes: socketBytes, payload },
    messages: { spent: beyondIdle(messages), wireBytes: messageBytes, since: messagesSince, before: messagesBefore },
  }
}

/** Waits until the work that earlier acts left for later is done, and PostgreSQL's statistics contain it. */
async function quiet(db: Database): Promise<void> {
  const written = async () => Number((await db.query<{ rows: bigint }>(`select ${ROWS_WRITTEN} as rows`)).rows[0]?.rows)
  for (let before = await written(), waitedMs = 0; ; waitedMs += QUIET_MS) {
    await sleep(QUIET_MS)
    const after = await written()
    if (after - before < QUIET_ROWS) return
    if (waitedMs > QUIET_WITHIN_MS) throw new Error(`The server still writes ${after - before} rows in ${QUIET_MS} ms.`)
    before = after
  }
}

const ROWS_WRITTEN = '(select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint from pg_stat_user_tables)'

/** Returns the resources that the server uses for `work`, and for everything that `work` leaves for later. */
async function spend({ db, server }: World, work: () => Promise<unknown>): Promise<Spent> {
  const now = async () => {
    const { rows } = await db.query<{ lsn: bigint; rows: bigint }>(
      `select (pg_current_wal_insert_lsn() - '0/0')::bigint as lsn,
          ${ROWS_WRITTEN} as rows`,
    )
    const { lsn = 0n, rows: written = 0n } = rows[0] ?? {}
    return { atMs: performance.now(), cpuS: await cpuSeconds(server), walBytes: Number(lsn), rows: Number(written) }
  }
  await quiet(db)
  const before = await now()
  await work()
  await quiet(db)
  const after = await now()
  return {
    seconds: (after.atMs - before.atMs) / 1000,
    cpuS: after.cpuS - before.cpuS,
    rows: after.rows - before.rows,
    walBytes: after.walBytes - before.walBytes,
  }
}

const nextTransaction = async (db: Database): Promise<bigint> =>
  BigInt(String((await db.query(`select pg_current_xact_id()::text as id`)).rows[0]?.['id']))

/** Players `from` to `to` bet on the running 60 s round. Waits until all bets are settled; returns the calls' bytes. */
async function placeAndSettle({ db, server }: World, from: number, to: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  const connections = new Set<Socket>()
  const call = async (method: string, path: string, n: number, body: unknown): Promise<string> => {
    const text = body === null ? '' : JSON.stringify(body)
    const sent = request(server.address + path, {
      agent,
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${tokenOf(n)}`,
        ...(body === null
          ? {}
          : {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
              'idempotency-key': newId(),
            }),
      },
    })
    sent.on('socket', (socket: Socket) => connections.add(socket))
    sent.end(text)
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
    const answer = (await response.setEncoding('utf8').toArray()).join('')
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${answer}`)
    return answer
  }
  const roundOf = async (): Promise<string> => {
    for (;;) {
      const { data } = JSON.parse(
        await call(gameEndpoints.currentRound.method, `${gameEndpoints.currentRound.path}?type=60s`, from, null),
      ) as { data: { _id: string; endTime: string; serverTime: string } | null }
      if (data !== null && Date.parse(data.endTime) - Date.parse(data.serverTime) >= LEAST_LEFT_MS) return data._id
      await sleep(500)
    }
  }
  try {
    const roundId = await roundOf()
    const asked = bytesOf([...connections])
    let next = from
    const placer = async () => {
      while (next <= to) {
        const body = { gameId: roundId, score: STAKE_POINTS, value: 'UP', seenBasis: 'PRICE' }
        await call(gameEndpoints.placeBet.method, gameEndpoints.placeBet.path, next++, body)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, placer))
    const bytes = bytesOf([...connections]) - asked
    while ((await db.query(`select 1 as open from bets where status = 'open' limit 1`)).rows.length > 0)
      await sleep(500)
    return bytes
  } finally {
    agent.destroy()
  }
}

const bytesOf = (sockets: readonly Socket[]): number =>
  sockets.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0)

/** Opens conversations of the first players with one admin, and a socket for each of these people. */
async function openConversations({ db, server }: World) {
  const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
  const watching = await openRawSocket(server.address, bareToken(admin ?? { bearer: '' }), () => {})
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, async (_, nth) => {
      const token = tokenOf(nth + 1)
      const answer = await fetch(server.address + chatEndpoints.openConversation.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ participantId: admin?.id }),
      })
      const { data } = (await answer.json()) as { data: { _id: string } }
      const socket = await openRawSocket(server.address, token, () => {})
      for (const one of [socket, watching]) await one.ask('join_room', { conversationId: data._id })
      return { socket, conversationId: data._id }
    }),
  )
  const connections = [watching, ...writers.map(({ socket }) => socket)].map(({ connection }) => connection)
  return {
    /** Each writer sends its next message soon after the last one is acknowledged. Returns the bytes of both sides. */
    async write(count: number): Promise<number> {
      const before = bytesOf(connections)
      let left = count
      await Promise.all(
        writers.map(async ({ socket, conversationId }) => {
          while (left-- > 0) {
            const answer = await socket.ask('send_message', {
              ...{ conversationId, content: MESSAGE, type: 'text', tempId: newId() },
            })
            if (!answer.includes('"ok":true')) throw new Error(`A message was refused: ${answer}`)
            await sleep(APART_MS)
          }
        }),
      )
      // The last message to the admin may still be on its way.
      await sleep(1_000)
      return bytesOf(connections) - before
    },
    close: () => connections.forEach((connection) => connection.destroy()),
  }
}

/**
 * Copies the rows that transactions from `since` up to `before` wrote, in one transaction, into tables with the same
 * columns, checks and indexes. Leaves out tables with few such rows, because the server's own work wrote these rows.
 */
async function insertBare(db: Database, since: bigint, before: bigint, acts: number): Promise<Bare> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables where schemaname = 'public' order by relname`,
  )
  await db.query('drop schema if exists bare cascade')
  await db.query('create schema bare')
  const ofActs = 'where xmin::text::bigint >= $1 and xmin::text::bigint < $2'
  const copied: string[] = []
  let rows = 0
  for (const { name } of tables) {
    const seen = await db.query<{ n: bigint }>(`select count(*) as n from public.${name} ${ofActs}`, [since, before])
    const count = Number(seen.rows[0]?.n)
    if (count < acts / 100) continue
    rows += count
    copied.push(name)
    await db.query(
      `create table bare.${name} (like public.${name}
         including defaults including constraints including indexes including storage)`,
    )
  }
  const lsn = async () =>
    Number((await db.query<{ at: bigint }>(`select (pg_current_wal_insert_lsn() - '0/0')::bigint as at`)).rows[0]?.at)
  const from = await lsn()
  await db.tx(async (tx) => {
    for (const name of copied)
      await tx.query(`insert into bare.${name} select * from public.${name} ${ofActs}`, [since, before])
  })
  return { rows, walBytes: (await lsn()) - from }
}

const line = (name: string, ours: string, yardstick = '', ratio = '', note = ''): Line => ({
  ...{ name, ours, yardstick, ratio, note },
  bar: '',
  isMet: null,
})
const bytes = (count: number): string => `${Math.round(count).toLocaleString('en-US')} B`
const times = (ours: number, yardstick: number): string => `${(ours / yardstick).toFixed(2)} ×`

function linesOf(name: string, spent: Spent, count: number, wireBytes: number, bare: Bare): Line[] {
  return [
    line(`${name}: processor`, `${((spent.cpuS * 1e6) / count).toFixed(0)} µs`, '', '', `mean of ${count}`),
    line(`${name}: on the wire`, bytes(wireBytes / count), '', '', 'both ways'),
    line(
      `${name}: rows`,
      (spent.rows / count).toFixed(2),
      (bare.rows / count).toFixed(2),
      times(spent.rows, bare.rows),
      'yardstick: each row once, as it was left',
    ),
    line(
      `${name}: write-ahead log`,
      bytes(spent.walBytes / count),
      bytes(bare.walBytes / count),
      times(spent.walBytes, bare.walBytes),
      'yardstick: these rows inserted in one transaction',
    ),
  ]
}

function socketLines(
  { spent, wireBytes, payload }: { spent: Spent; wireBytes: number; payload: { events: number; bytes: number } },
  { sockets, idleS }: CostSizes,
): Line[] {
  const name = 'an idle game socket, a minute'
  const each = 60 / idleS / sockets
  // The processor time is divided by all of `spent.seconds`, because the sockets are open all that time.
  const cpuEach = (spent.cpuS * 60) / spent.seconds / sockets
  const whole = (60 / spent.seconds) * (1 / sockets)
  return [
    line(`${name}: processor`, `${(cpuEach * 1e6).toFixed(0)} µs`, '', '', `mean of ${sockets}`),
    line(
      `${name}: on the wire`,
      bytes(wireBytes * each),
      bytes(payload.bytes * each),
      times(wireBytes, payload.bytes),
      `yardstick: the text of its ${(payload.events * each).toFixed(1)} events`,
    ),
    line(`${name}: rows`, (spent.rows * whole).toFixed(2)),
    line(`${name}: write-ahead log`, bytes(spent.walBytes * whole)),
  ]
}
