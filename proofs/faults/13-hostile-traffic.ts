import { readFileSync } from 'node:fs'
import { Agent, get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { onDatabase } from '../../bench/scratch.ts'
import { makeWorld, ROUND_ID, tokenOf } from '../../bench/world.ts'
import { type BarLine, exactly } from '../report.ts'
import { type Attack, startAttack, STORM_SOCKETS, type Tally } from './attackers.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { makeOwnServer, type OwnServer } from '#testing/machines/process.ts'

/** Players before these are the well-behaved ones, who bet in turns. */
const FIRST_ATTACKER = 2_001
const P99_MS = 250
const P99_IN_STORM_MS = 1_000
const MiB = 1_024 * 1_024
const MEMORY_BYTES = 64 * MiB
/** The rest between two attacks, and the calls before the first, so that the server's code is compiled by then. */
const REST_MS = 3_000
const WARM_MS = 10_000
/** The calls of so long after the last attack are judged, too. */
const AFTER_MS = 10_000
/** A storm is over when all of its sockets are open; it is given up after this. */
const STORM_GIVEN_UP_MS = 60_000

const attacks: Readonly<Record<Exclude<Attack, 'storm'>, string>> = {
  bodies: 'bodies of 2 MB over 40 connections',
  slow: '200 connections that send a byte a second',
  headers: 'heads of 15 to 200 KB over 40 connections',
  frames: 'frames of 64 KiB over 20 sockets',
}

/** Attackers from many addresses make cheap requests: a client that behaves must hardly notice. */
export function hostileTraffic(isShort: boolean): Promise<BarLine[]> {
  return onDatabase('hostile', (url, db) =>
    inFolder(async (dataDir) => {
      await makeWorld(db, FIRST_ATTACKER + STORM_SOCKETS)
      const server = await makeOwnServer(dataDir, { DATABASE_URL: url, RATE_LIMIT_FACTOR: '1' })
      try {
        await server.start()
        return await attackAll(server, isShort)
      } finally {
        await server.kill()
      }
    }),
  )
}

async function attackAll(server: OwnServer, isShort: boolean): Promise<BarLine[]> {
  const lines: BarLine[] = []
  const client = startClient(server.url)
  const port = Number(new URL(server.url).port)
  /** When the last attack ended. */
  let endedMs = 0
  const seen = async (
    attack: Attack,
    what: string,
    barMs: number,
    work: (tally: () => Promise<Tally>) => Promise<void>,
  ) => {
    const beginMs = performance.now()
    const attackers = startAttack({ attack, port, firstPlayer: FIRST_ATTACKER })
    await work(() => attackers.tally())
    const tally = await attackers.stop()
    endedMs = performance.now()
    const took = client.callsSince(beginMs)
    const answers = Object.entries(tally.answers).map(([answer, count]) => `${count} × ${answer}`)
    process.stderr.write(
      `  ${attack}: ${tally.connections} connections, ${tally.sent} sent, ${answers.join(', ')}; ${took.length} calls, longest ${took.at(-1)?.toFixed(0)} ms\n`,
    )
    lines.push(p99Line(`${what}: p99 of a well-behaved client’s calls`, took, barMs))
    await sleep(REST_MS)
    return tally
  }
  try {
    await sleep(WARM_MS)
    const before = memoryOf(server)
    for (const [attack, what] of Object.entries(attacks) as Array<[keyof typeof attacks, string]>)
      // Long enough that slow senders are cut off and come again.
      await seen(attack, what, P99_MS, () => sleep(isShort ? 4_000 : attack === 'slow' ? 45_000 : 15_000))
    let openAfterMs = 0
    await seen('storm', `${STORM_SOCKETS} sockets in 2 s`, P99_IN_STORM_MS, async (tally) => {
      const beginMs = performance.now()
      for (let opened = 0; opened < STORM_SOCKETS;) {
        await sleep(100)
        const now = await tally()
        opened = now.opened
        openAfterMs = now.openedMs
        if (performance.now() - beginMs > STORM_GIVEN_UP_MS)
          throw new Error(`Only ${opened} sockets of a storm are open.`)
      }
    })
    process.stderr.write(`  storm: all open after ${(openAfterMs / 1000).toFixed(1)} s\n`)
    const restMs = performance.now()
    while (memoryOf(server) - before > MEMORY_BYTES && performance.now() - restMs < 60_000) {
      process.stderr.write(
        `  ${((performance.now() - restMs) / 1000).toFixed(0)} s: ${((memoryOf(server) - before) / MiB).toFixed(0)} MiB\n`,
      )
      await sleep(2_000)
    }
    const more = memoryOf(server) - before
    const backS = (performance.now() - restMs) / 1_000
    // Giving the memory back may stop the process for a moment.
    await sleep(Math.max(0, endedMs + AFTER_MS - performance.now()))
    const after = client.callsSince(endedMs, endedMs + AFTER_MS)
    process.stderr.write(`  afterwards: ${after.length} calls, longest ${after.at(-1)?.toFixed(0)} ms\n`)
    lines.push(
      p99Line('after the sockets: p99 of a well-behaved client’s calls', after, P99_MS),
      exactly('all of these: errors of that client', client.errors(), 0),
      {
        what: `memory of the process ${backS.toFixed(0)} s after the end`,
        seen: `${(more / MiB).toFixed(0)} MiB more than ${(before / MiB).toFixed(0)}`,
        bar: `≤ ${MEMORY_BYTES / MiB} MiB more`,
        isMet: more <= MEMORY_BYTES,
      },
    )
  } finally {
    await client.stop()
  }
  return lines
}

function p99Line(what: string, took: readonly number[], barMs: number): BarLine {
  const p99 = took[Math.ceil(took.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY
  return { what, seen: `${p99.toFixed(0)} ms of ${took.length}`, bar: `≤ ${barMs} ms`, isMet: p99 <= barMs }
}

interface Client {
  /** How long each call that began since then, and before `endMs`, took, ascending, in ms. */
  callsSince(beginMs: number, endMs?: number): number[]
  /** Calls without the right answer, and closings of its socket. */
  errors(): number
  stop(): Promise<void>
}

/** Somebody with the game open: reads, bets, new connections now and then, and a socket. */
function startClient(url: string): Client {
  const calls: Array<{ readonly beginMs: number; readonly tookMs: number }> = []
  let errors = 0
  let isOver = false
  const kept = new Agent({ keepAlive: true, maxSockets: 6 })
  let bets = 0
  async function timed(what: string, call: () => Promise<number>): Promise<void> {
    const beginMs = performance.now()
    const status = await call().catch((error: unknown) => String(error))
    calls.push({ beginMs, tookMs: performance.now() - beginMs })
    if (status === 200 || status === 201) return
    errors++
    process.stderr.write(`  ${what}: ${status}\n`)
  }
  const read = (path: string, agent: Agent | false) =>
    timed(path, () => {
      return new Promise<number>((resolve, reject) => {
        httpGet(`${url}${path}`, { agent, headers: { authorization: `Bearer ${tokenOf(1)}` } }, (answer) => {
          answer
            .resume()
            .on('end', () => resolve(answer.statusCode ?? 0))
            .on('error', reject)
        }).on('error', reject)
      })
    })
  const bet = () =>
    timed('a bet', async () => {
      const player = 1 + (bets++ % (FIRST_ATTACKER - 1))
      const answer = await fetch(`${url}/api/v1/history`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${tokenOf(player)}`, 'content-type': 'application/json' },
          'idempotency-key': `bet-${bets}`,
        },
        body: JSON.stringify({ gameId: ROUND_ID, score: 1, value: 'UP', seenBasis: 'PRICE' }),
      })
      await answer.arrayBuffer()
      return answer.status
    })
  const socket = io(url, { transports: ['websocket'], auth: { token: tokenOf(1) } })
  socket.on('disconnect', (reason) => {
    if (isOver) return
    errors++
    process.stderr.write(`  its socket: ${reason}\n`)
  })
  const loop = async (pauseMs: number, act: () => Promise<void>) => {
    for (; !isOver; await sleep(pauseMs)) await act()
  }
  const loops = Promise.all([
    loop(50, () => read('/api/v1/user/me', kept)),
    loop(50, () => read('/api/v1/public-config', kept)),
    loop(100, () => read('/api/v1/public-config', false)),
    loop(200, bet),
  ])
  return {
    callsSince: (fromMs, endMs = Number.POSITIVE_INFINITY) =>
      calls
        .filter(({ beginMs }) => beginMs >= fromMs && beginMs < endMs)
        .map(({ tookMs }) => tookMs)
        .toSorted((one, other) => one - other),
    errors: () => errors,
    async stop() {
      isOver = true
      await loops
      socket.disconnect()
      kept.destroy()
    },
  }
}

/** The memory of a process at the moment, in bytes. */
function memoryOf(server: OwnServer): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) * 1_024
}
