import { setTimeout as sleep } from 'node:timers/promises'
import { dayAfter, dayOf } from '#domain/day.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { type ChatClient, openSockets } from '#testing/app/chat-client.ts'
import { withServer } from '#testing/machines/process.ts'
import { until } from '#testing/time/until.ts'
import { LARGE_AUDIT_KEY } from './large-world.ts'
import type { Line } from './report.ts'
import { tokenOf } from './world.ts'

const [LIST_MS, SEARCH_MS, MESSAGE_MS] = [100, 150, 20]
const WARM_CALLS = 5
/** The time between two messages of the players, who write while calls are measured. */
const MESSAGE_EVERY_MS = 50
const WRITERS = 50
const ALONE_MS = 15_000
/** An assignment that takes longer ends the measurement. */
const ASSIGN_MS = 10_000
/** Conversations named in a call after a reconnect: one page, and the maximum (web/features/chat/catching-up.ts). */
const NAMED = [50, 100]
/** The calls of an admin go through this many of the admin's conversations in turn. */
const KNOWN = 500

interface Person {
  readonly id: string
  readonly username: string
  readonly bearer: string
}

type Method = 'GET' | 'POST' | 'PUT'
interface Call {
  readonly name: string
  readonly barMs: number
  /** Returns the method, path and body of an admin's call. The admins make the call one after the other. */
  readonly ask: (admin: number, turn: number) => readonly [Method, string, unknown?]
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN

function lineOf(name: string, times: readonly number[], barMs: number): Line {
  const p95Ms = at(times, 0.95)
  return {
    name: `care, ${name}`,
    ours: `${at(times, 0.5).toFixed(1)} / ${p95Ms.toFixed(1)} ms`,
    ...{ yardstick: '', ratio: '' },
    bar: `p95 ≤ ${barMs} ms`,
    isMet: p95Ms <= barMs,
    note: '',
  }
}

/** Returns the admins of a world of `makeCareWorld` with the conversations that each holds, the latest first. */
async function adminsOf(db: Database) {
  const { rows } = await db.query<{ id: string; username: string; n: bigint; held: string[] }>(
    `select u.id, u.username, ('x' || right(u.id::text, 8))::bit(32)::bigint as n, array(
        select c.id from conversations c where c.holder_id = u.id order by c.last_activity desc limit ${KNOWN}) as held
       from users u where u.role = 'admin' and u.username ~ '^p' order by u.id`,
  )
  return rows.map(({ n, ...admin }) => ({ ...admin, bearer: `Bearer ${tokenOf(Number(n))}` }))
}

/** Returns the players of the latest conversations that an admin holds. These belong to the admins in turn. */
async function writersOf(db: Database) {
  const { rows } = await db.query<{ id: string; username: string; n: bigint; conversation: string; holder: string }>(
    `select u.id, u.username, ('x' || right(u.id::text, 8))::bit(32)::bigint as n, c.id as conversation, c.holder_id as holder
       from conversations c join users u on u.id = c.player_id where c.holder_id is not null
      order by c.last_activity desc limit ${WRITERS}`,
  )
  return rows.map(({ n, ...writer }) => ({ ...writer, bearer: `Bearer ${tokenOf(Number(n))}` }))
}

function callsOf(admins: Awaited<ReturnType<typeof adminsOf>>, queued: readonly string[]): Call[] {
  const today = dayOf(Date.now())
  const held = (admin: number, turn: number) => admins[admin]?.held[(turn * 7) % KNOWN] ?? ''
  const get = (name: string, barMs: number, ...paths: string[]): Call => ({
    ...{ name, barMs },
    ask: (_, turn) => ['GET', paths[turn % paths.length] ?? ''],
  })
  const reconnect = (known: number): Call => ({
    ...{ name: `a reconnect, with ${known} conversations`, barMs: LIST_MS },
    ask: (admin) => [
      'POST',
      '/chat/missed',
      {
        known: (admins[admin]?.held ?? []).slice(0, known).map((conversationId) => ({ conversationId, afterSeq: 50 })),
      },
    ],
  })
  const list = (name: string, query: string) => get(name, LIST_MS, `/chat/conversations?limit=100${query}`)
  const search = (name: string, ...texts: string[]) =>
    get(`search of ${name}`, SEARCH_MS, ...texts.map((text) => `/chat/search?text=${encodeURIComponent(text)}`))
  const of = (name: string, method: Method, path: string, body?: (admin: number, turn: number) => unknown): Call => ({
    ...{ name, barMs: LIST_MS },
    ask: (admin, turn) => [method, `/chat/conversations/${held(admin, turn)}${path}`, body?.(admin, turn)],
  })
  const report = (days: number) =>
    get(`report of ${days} days`, LIST_MS, `/chat/care-report?from=${dayAfter(today, 1 - days)}&to=${today}`)
  return [
    list('own conversations', ''),
    list('own conversations, a later page', '&page=10'),
    list('own conversations of a name', '&username=p00012'),
    list('who waits', '&waiting=true'),
    list('who waits, of all', '&scope=all&waiting=true'),
    list('conversations of all', '&scope=all'),
    list('conversations of all, page 100', '&scope=all&page=100'),
    list('conversations of all of a name', '&scope=all&username=p0099'),
    list('conversations of all of a rare name', '&scope=all&username=p0012345'),
    list('conversations of a frequent tag', '&scope=all&tag=nhieu'),
    list('conversations of a tag', '&scope=all&tag=nhan%2017'),
    list('conversations of a rare tag', '&scope=all&tag=hiem'),
    list('own conversations of a frequent tag', '&tag=nhieu'),
    get('tags with their counts', LIST_MS, '/chat/tags'),
    get('unread', LIST_MS, '/chat/unread'),
    get('what needs attention', LIST_MS, '/attention'),
    get('admins to hand over to', LIST_MS, '/chat/users'),
    get('canned replies', LIST_MS, '/chat/replies'),
    get('who is on duty', LIST_MS, '/chat/duty'),
    ...NAMED.map(reconnect),
    of('a conversation', 'GET', ''),
    of('newest messages', 'GET', '/messages'),
    of('older messages', 'GET', '/messages?beforeSeq=20'),
    of('notes', 'GET', '/notes'),
    of('customer beside it', 'GET', '/customer'),
    search('what many hold', 'hoan diem', 'ok', 'a', 'yêu cầu nạp'),
    search('a rare word', 'tê giác'),
    search('one number', '98765', '54321'),
    search('frequent words never together', 'kiem duoc', 'xem dat'),
    search('nothing', 'zzqx', 'hoàn zq'),
    ...[7, 30, 366].map(report),
    of('a note with a mention', 'POST', '/notes', (admin) => ({
      noteId: newId(),
      text: `@${admins[(admin + 1) % admins.length]?.username} xem giúp`,
    })),
    of('tags of a conversation', 'PUT', '/tags', (_, turn) => ({ add: [`moi ${turn % 5}`], remove: [] })),
    of('done', 'PUT', '/state', () => ({ state: 'DONE', until: null, seenSeq: 1_000_000 })),
    of('its topic', 'PUT', '/topic', (_, turn) => ({ topic: turn % 2 === 0 ? 'BET' : null })),
    {
      ...{ name: 'a claim from the queue', barMs: LIST_MS },
      ask: (admin, turn) => [
        'POST',
        `/chat/conversations/${queued[turn]}/holder`,
        { from: '00000000-0000-0000-0000-000000000000', to: admins[admin]?.id },
      ],
    },
  ]
}

/** Sends players' messages all the time. Returns how long they took to the admins, how many are lost, and `end`. */
function startStream(players: readonly ChatClient[], admins: readonly ChatClient[], talks: readonly string[]) {
  const sentAt = new Map<string, number>()
  const times: number[] = []
  let sent = 0
  let refused = 0
  for (const admin of admins)
    admin.socket.on('receive_message', ({ clientMessageId }: { clientMessageId: string }) => {
      const began = sentAt.get(clientMessageId)
      if (began !== undefined) times.push(performance.now() - began)
      sentAt.delete(clientMessageId)
    })
  const timer = setInterval(() => {
    const nth = sent++ % players.length
    const tempId = newId()
    sentAt.set(tempId, performance.now())
    const message = { conversationId: talks[nth], content: `Cho mình hỏi ${sent}`, type: 'text', tempId }
    void players[nth]?.ask('send_message', message).then(
      ({ ok }) => ok || refused++,
      () => refused++,
    )
  }, MESSAGE_EVERY_MS)
  return { times, lost: () => sentAt.size + refused, end: () => clearInterval(timer) }
}

/** Measures how long it takes until a player's message to the queue reaches an admin on duty, in ms. */
async function assignments(of: {
  readonly db: Database
  readonly samples: number
  readonly call: (who: Person, method: Method, path: string, body?: unknown) => Promise<unknown>
  readonly onDuty: readonly (Person & { readonly client: ChatClient })[]
  readonly address: string
}): Promise<number[]> {
  const { db, samples, call, onDuty, address } = of
  const { rows } = await db.query<{ id: string; username: string; n: bigint; conversation: string }>(
    `select u.id, u.username, ('x' || right(u.id::text, 8))::bit(32)::bigint as n, c.id as conversation
       from conversations c join users u on u.id = c.player_id where c.holder_id is null order by c.id limit $1`,
    [samples],
  )
  const players = await openSockets(
    address,
    rows.map(({ n, ...player }) => ({ ...player, bearer: `Bearer ${tokenOf(Number(n))}` })),
  )
  for (const admin of onDuty) await call(admin, 'PUT', '/chat/duty', { onDuty: true, capacity: 100 })
  // Admins who go on duty get all conversations that wait. Here, those of this measurement go back to the queue.
  const ids = rows.map(({ conversation }) => conversation)
  const areHeld = async () =>
    (await db.query('select 1 from conversations where id = any($1::uuid[]) and holder_id is null', [ids])).rowCount ===
    0
  await until('a holder for what waited', ASSIGN_MS, areHeld)
  await db.query('delete from conversations_waiting where conversation_id = any($1::uuid[])', [ids])
  await db.query('update conversations set holder_id = null where id = any($1::uuid[])', [ids])
  const times: number[] = []
  for (const [nth, player] of players.entries()) {
    const conversationId = rows[nth]?.conversation ?? ''
    const given = Promise.race(
      [...onDuty.map(({ client }) => client), player].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            const heard = (seen: { _id?: string; participants?: ReadonlyArray<{ username: string }> }) => {
              if (seen._id !== conversationId || seen.participants?.[1]?.username === 'CSKH') return
              socket.off('conversation_changed', heard)
              resolve()
            }
            socket.on('conversation_changed', heard)
          }),
      ),
    )
    const began = performance.now()
    await player.ask('send_message', { conversationId, content: 'Có ai không?', type: 'text', tempId: newId() })
    await Promise.race([
      given,
      sleep(ASSIGN_MS).then(() => Promise.reject(new Error('Nobody was given a conversation'))),
    ])
    times.push(performance.now() - began)
  }
  for (const player of players) player.close()
  for (const admin of onDuty) await call(admin, 'PUT', '/chat/duty', { onDuty: false, capacity: 100 })
  return times
}

/**
 * Measures every call of the desk over HTTP. All admins make each call, one after the other, while all of them are
 * connected and players write to them. Also measures how long those messages took.
 */
export async function runCare(db: Database, url: string, samples: number): Promise<Line[]> {
  const [admins, writers] = [await adminsOf(db), await writersOf(db)]
  const { rows: queue } = await db.query<{ id: string }>(
    `select id from conversations where holder_id is null order by id desc limit $1`,
    [samples + WARM_CALLS],
  )
  const env = { DATABASE_URL: url, AUDIT_KEY: LARGE_AUDIT_KEY, RATE_LIMIT_FACTOR: '1000' }
  return withServer(env, async ({ address }) => {
    const call = async (who: Person, method: Method, path: string, body?: unknown): Promise<number> => {
      const began = performance.now()
      const answer = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          authorization: who.bearer,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok && answer.status !== 409) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return performance.now() - began
    }
    // In its first minute the server sums up the days of this world. The measurement begins after that.
    while ((await db.query(`select 1 from care_days_changed limit 1`)).rowCount > 0) await sleep(200)
    const desks = await openSockets(address, admins)
    const players = await openSockets(address, writers)
    const stream = startStream(
      players,
      desks,
      writers.map(({ conversation }) => conversation),
    )
    try {
      // Measures the messages alone first, while everybody is connected and nobody makes a call.
      await sleep(ALONE_MS)
      const alone = stream.times.length
      const lines = [lineOf('a message, from a player to an admin', stream.times, MESSAGE_MS)]
      for (const { name, barMs, ask } of callsOf(
        admins,
        queue.map(({ id }) => id),
      )) {
        const times: number[] = []
        for (let turn = 0; turn < WARM_CALLS + samples; turn++) {
          const admin = turn % admins.length
          const ms = await call(admins[admin] as Person, ...ask(admin, turn))
          if (turn >= WARM_CALLS) times.push(ms)
        }
        lines.push(lineOf(name, times, barMs))
        process.stderr.write(`${name}: ${lines.at(-1)?.ours}\n`)
      }
      const onDuty = admins.slice(0, 5).map((admin, nth) => ({ ...admin, client: desks[nth] as ChatClient }))
      lines.push(
        lineOf('queue, until somebody has it', await assignments({ db, samples, call, onDuty, address }), LIST_MS),
      )
      stream.end()
      await sleep(1_000)
      lines.push({
        ...lineOf('a message, beside all these', stream.times.slice(alone), MESSAGE_MS),
        note: `${stream.times.length} messages, ${stream.lost()} lost`,
      })
      return lines
    } finally {
      stream.end()
      for (const one of [...desks, ...players]) one.close()
    }
  })
}
