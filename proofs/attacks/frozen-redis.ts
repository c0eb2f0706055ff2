import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { io, type Socket } from 'socket.io-client'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { type OwnRedis, startOwnRedis, startSilentServer } from '#testing/machines/redis.ts'
import { startProgram, withServer } from '#testing/machines/process.ts'
import { onDatabase } from '../../bench/scratch.ts'
import type { BarLine } from '../report.ts'

const BAR_MS = 2_000
/** A client that waits longer than this gives up without an answer. */
const PATIENCE_MS = 40_000
const SETTLED_MS = 1_000
/** Our client reconnects within this time after its connection was closed, and then asks for what it missed. */
const CATCH_UP_BAR_MS = 15_000
const END_BAR_MS = 10_000
const START_BAR_MS = 5_000
const PASSWORD = 'frozen-redis'

/**
 * Redis stops answering without closing a connection, in front of two processes with users. Measures what each call
 * waits, at once and 5 s later; whether messages sent during the freeze reach every process once Redis continues; and
 * how a process stops and starts during the freeze.
 */
export async function frozenRedis(): Promise<BarLine[]> {
  const redis = await startOwnRedis()
  try {
    return await onDatabase('frozen_redis', async (databaseUrl, db) => {
      const env = {
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        AUDIT_KEY: 'a'.repeat(40),
        ADMIN_PASSWORD: PASSWORD,
        LOG_LEVEL: 'error',
      }
      let endedMs = 0
      const lines = await withServer(env, ({ address: here }) =>
        withServer(env, async ({ address: there }) => {
          // Players are created after the start, because the start creates the first administrator where there is none.
          const [player] = await createPlayers(db, 1)
          const [boss] = await createPlayers(db, 1, { role: 'admin' })
          if (player === undefined || boss === undefined) throw new Error('no players were made')
          const found = await attack(redis, { here, there, player, boss })
          redis.freeze()
          await pause(SETTLED_MS)
          endedMs = performance.now()
          return found
        }),
      )
      endedMs = performance.now() - endedMs
      redis.thaw()
      const end = {
        what: 'Two processes told to end, one after the other',
        seen: ms(endedMs),
        bar: bar(END_BAR_MS),
      }
      return [...lines, { ...end, isMet: endedMs <= END_BAR_MS }, await startAgainstSilence(env)]
    })
  } finally {
    redis.thaw()
    await redis.stop()
  }
}

interface World {
  readonly here: string
  readonly there: string
  readonly player: TestPlayer
  readonly boss: TestPlayer
}

async function attack(redis: OwnRedis, { here, there, player, boss }: World): Promise<BarLine[]> {
  const heard = new Set<string>()
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'gold' } })
    .png()
    .toBuffer()
  const sender = await connect(here, player)
  const conversation = await post(here, '/api/v1/chat/conversations', boss, {
    currentUserId: boss.id,
    participantId: player.id,
  })
  const { _id: conversationId } = (await conversation.json<{ data: { _id: string } }>()).data
  const listener = await connect(there, boss)
  listener.on('receive_message', ({ content }: { content: string }) => heard.add(content))
  // Our client does the same: after each connect it asks for what it missed.
  listener.on('connect', () => {
    void fetch(`${there}/api/v1/chat/conversations/${conversationId}/messages?limit=100`, {
      headers: { authorization: boss.bearer },
    })
      .then((answer) => answer.json() as Promise<{ data: Array<{ content: string }> }>)
      .then(({ data }) => {
        for (const { content } of data) heard.add(content)
      })
  })
  const sent: string[] = []
  const calls: Readonly<Record<string, () => Promise<boolean>>> = {
    'Sign-in': async () =>
      (await post(here, '/api/v1/auth/login', null, { username: 'admin', password: PASSWORD })).status === 200,
    'A message': async () => {
      const content = randomUUID()
      const answer = (await sender.timeout(PATIENCE_MS).emitWithAck('send_message', {
        conversationId,
        content,
        type: 'text',
        tempId: content,
      })) as { ok: boolean }
      if (answer.ok) sent.push(content)
      return answer.ok
    },
    'Opening a conversation': async () =>
      (await post(here, '/api/v1/chat/conversations', player, { currentUserId: player.id, participantId: boss.id }))
        .status === 200,
    'An upload': async () => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(image)]), 'a.png')
      const answer = await fetch(`${here}/api/v1/file-upload`, {
        method: 'POST',
        headers: { authorization: player.bearer },
        body: form,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      return answer.status === 200
    },
  }
  const slowest = new Map<string, number>()
  const round = async () => {
    await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        const startedMs = performance.now()
        const isAnswered = await call().catch(() => false)
        const tookMs = isAnswered ? performance.now() - startedMs : Number.POSITIVE_INFINITY
        slowest.set(name, Math.max(slowest.get(name) ?? 0, tookMs))
      }),
    )
  }
  await round()
  if (![...slowest.values()].every(Number.isFinite)) throw new Error('A call was refused while nothing was wrong')
  slowest.clear()
  redis.freeze()
  await round()
  // By now no call waits for Redis any more, so each should be as fast as before.
  await pause(5_000)
  const settled = new Map(slowest)
  slowest.clear()
  await round()
  const lines: BarLine[] = [...settled].map(([name, tookMs]) => {
    const laterMs = slowest.get(name) ?? Number.POSITIVE_INFINITY
    return {
      what: `${name}, Redis frozen: at once, and 5 s later`,
      seen: `${ms(tookMs)}, ${ms(laterMs)}`,
      bar: bar(BAR_MS),
      isMet: tookMs <= BAR_MS && laterMs <= BAR_MS,
    }
  })
  redis.thaw()
  const thawedMs = performance.now()
  while (sent.some((content) => !heard.has(content)) && performance.now() - thawedMs < PATIENCE_MS) await pause(20)
  const isKnown = sent.every((content) => heard.has(content))
  const caughtUpMs = isKnown ? performance.now() - thawedMs : Number.POSITIVE_INFINITY
  lines.push({
    what: `${sent.length} messages of that time known to a client of the other process, after Redis goes on`,
    seen: ms(caughtUpMs),
    bar: bar(CATCH_UP_BAR_MS),
    isMet: caughtUpMs <= CATCH_UP_BAR_MS,
  })
  sender.disconnect()
  listener.disconnect()
  return lines
}

/** A process that starts while Redis does not answer must name the wrong setting and exit. */
async function startAgainstSilence(env: Record<string, string>): Promise<BarLine> {
  const silent = await startSilentServer()
  const startedMs = performance.now()
  const { child, ended, err } = startProgram('server/main.ts', { env: { ...env, REDIS_URL: silent.url } })
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await ended
  clearTimeout(patience)
  silent.close()
  const tookMs = child.signalCode === null ? performance.now() - startedMs : Number.POSITIVE_INFINITY
  return {
    what: 'Start where Redis accepts and never answers: an error that names REDIS_URL',
    seen: `${ms(tookMs)}: ${err().trim()}`,
    bar: bar(START_BAR_MS),
    isMet: tookMs <= START_BAR_MS && err().startsWith('REDIS_URL: '),
  }
}

async function connect(address: string, { id, username, bearer }: TestPlayer): Promise<Socket> {
  const socket = io(address, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token: bearer.slice('Bearer '.length), userId: id, username },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

async function post(address: string, path: string, who: TestPlayer | null, body: object) {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(who === null ? {} : { authorization: who.bearer }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return { status: answer.status, json: <T>() => answer.json() as Promise<T> }
}

const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs))
const ms = (timeMs: number) =>
  Number.isFinite(timeMs) ? `${Math.round(timeMs).toLocaleString('en-US')} ms` : 'no answer in 40 s'
const bar = (timeMs: number) => `≤ ${timeMs.toLocaleString('en-US')} ms`
