import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { brokenInvariants } from '#testing/play/books.ts'
import { COUNT, HOST } from '../../scripts/cluster/parts.ts'
import { isRunning } from '../../scripts/cluster/processes.ts'
import { until } from '#testing/time/until.ts'
import { type BarLine, exactly, withinS } from '../report.ts'
import { type ClusterWorld, openCluster } from './cluster-world.ts'
import { moneyLines, withMoneyWorld } from './money-world.ts'
import { compareWritten, createWritersWorld, startFastWriters, type Written } from './writers.ts'

/** This many calls are on their way at every moment, and this many sockets are open. */
const WRITERS = 200
const SOCKETS = 500
const ENDED_S = 10
const BACK_S = 5
const GIVEN_UP_MS = 60_000
/** The process that is stopped alone has no proxy before it; all the same it serves on for a moment. */
const DRAIN_SECONDS = '1'

/** Processes are ended while money moves: one over and over, then each of three behind HAProxy. */
export async function stopping(isShort: boolean): Promise<BarLine[]> {
  return [...(await stoppingOne(isShort ? 2 : 20)), ...(await restartingAll(isShort ? 1 : 3))]
}

/** Stops one process that its clients reach directly, without a proxy. */
function stoppingOne(stops: number): Promise<BarLine[]> {
  const accounts = WRITERS * (2 + Math.ceil(stops / 2))
  return withMoneyWorld('native', 'stopping', accounts, async ({ server, writers: world, judge }) => {
    const start = async () => {
      await server.start({ DRAIN_SECONDS })
    }
    await start()
    const writers = startFastWriters(server.url, world, WRITERS)
    const sockets = openSockets(
      server.url,
      world.players.slice(0, SOCKETS).map(({ bearer }) => bearer),
    )
    const toldMs: number[] = []
    const tookMs: number[] = []
    let inOrder = 0
    try {
      for (let stop = 1; stop <= stops; stop++) {
        await until('all sockets are open', GIVEN_UP_MS, () => sockets.count() === SOCKETS)
        await sleep(500 + Math.random() * 500)
        const beginMs = performance.now()
        toldMs.push(beginMs)
        await server.stop()
        tookMs.push(performance.now() - beginMs)
        if (server.exitCode() === 0) inOrder++
        else process.stderr.write(`  stop ${stop}: ${server.exitCode()} ${server.said()}\n`)
        await start()
      }
    } finally {
      sockets.close()
    }
    const written = await writers.stop()
    const onTheirWay = written.attempts.filter(({ endMs, tookMs: ms }) =>
      toldMs.some((at) => endMs > at && endMs - ms < at),
    )
    const unanswered = onTheirWay.filter(({ status }) => status === 0 || status >= 500)
    const judged = await judge([written])
    return [
      exactly(`${stops} × SIGTERM, ${SOCKETS} sockets open: ended in order`, inOrder, stops),
      withinS('the longest until the process had ended', Math.max(...tookMs), ENDED_S),
      exactly(
        `of ${onTheirWay.length} calls on their way at a SIGTERM, answered by none or by 5xx`,
        unanswered.length,
        0,
      ),
      ...moneyLines(`${stops} × SIGTERM`, written, judged),
    ]
  })
}

/** A cluster of three processes, one restarted after the other as at an upgrade; clients know HAProxy alone. */
async function restartingAll(rounds: number): Promise<BarLine[]> {
  const world = await openCluster()
  try {
    const accounts = await createWritersWorld(world.db, Math.max(SOCKETS, WRITERS * (2 + rounds)))
    const writers = startFastWriters(world.url, accounts, WRITERS)
    const sockets = openSockets(
      world.url,
      accounts.players.slice(0, SOCKETS).map(({ bearer }) => bearer),
    )
    const endedMs: number[] = []
    let written: Written
    try {
      await until('all sockets are open', GIVEN_UP_MS, () => sockets.count() === SOCKETS)
      await sleep(1_000)
      for (let restart = 0; restart < rounds * COUNT; restart++)
        endedMs.push(await restartProcess(world, restart % COUNT))
      await until('all sockets are back', GIVEN_UP_MS, () => sockets.count() === SOCKETS)
    } finally {
      sockets.close()
      written = await writers.stop()
    }
    const refused = Object.entries(written.answers).filter(([status]) => status !== '200' && status !== '201')
    for (const [status, count] of refused) process.stderr.write(`  ${count} × ${status}\n`)
    const compared = await compareWritten(world.db, written)
    const judged = { ...compared, findings: await brokenInvariants(world.db) }
    const what = `${rounds * COUNT} processes restarted behind HAProxy`
    return [
      withinS(`${what}: the longest until one had ended`, Math.max(...endedMs), ENDED_S),
      exactly(
        `${what}: answers of 5xx that HAProxy counted`,
        Number(await askHaproxy(world, 'web', 'FRONTEND', 'hrsp_5xx')),
        0,
      ),
      exactly(
        `${what}: of ${written.attempts.length} money calls, refused or lost`,
        refused.reduce((sum, [, count]) => sum + count, 0),
        0,
      ),
      withinS(
        `${what}: ${sockets.losses()} closings of ${SOCKETS} sockets, the longest away`,
        sockets.longestMs(),
        BACK_S,
      ),
      ...moneyLines(what, written, judged),
    ]
  } finally {
    await world.stop()
  }
}

/** Ends it as a service manager does, starts it again, and waits until it is ready. Returns after how many ms it ended. */
async function restartProcess(world: ClusterWorld, nth: number): Promise<number> {
  const member = world.member(`process${nth + 1}`)
  const beginMs = performance.now()
  process.kill(member.pid, 'SIGTERM')
  await until(`${member.name} has ended`, GIVEN_UP_MS, () => !isRunning(member))
  const tookMs = performance.now() - beginMs
  world.revive()
  const address = `http://${HOST}:${world.ports.process(nth)}/readyz`
  await until(
    `${member.name} is ready`,
    GIVEN_UP_MS,
    async () => (await fetch(address).catch(() => null))?.status === 200,
  )
  await until(
    `HAProxy leads to ${member.name}`,
    GIVEN_UP_MS,
    async () => (await askHaproxy(world, 'processes', member.name, 'status')) === 'UP',
  )
  return tookMs
}

/** A field of HAProxy's statistics, such as `hrsp_5xx` of the frontend `web`. */
async function askHaproxy({ ports }: ClusterWorld, proxy: string, name: string, field: string): Promise<string> {
  const text = await (await fetch(`http://${HOST}:${ports.haproxyStats}/;csv`)).text()
  const [names = [], ...rows] = text.split('\n').map((line) => line.replace('# ', '').split(','))
  const answer = rows.find((row) => row[0] === proxy && row[1] === name)?.[names.indexOf(field)]
  if (answer === undefined || answer === '') throw new Error(`HAProxy does not say ${field} of ${proxy} ${name}.`)
  return answer
}

interface Sockets {
  /** The number of open sockets. */
  count(): number
  losses(): number
  /** The longest time that any socket was away until it was back. */
  longestMs(): number
  close(): void
}

/** Sockets of these players, which connect again as the library does by itself. */
function openSockets(url: string, bearers: readonly string[]): Sockets {
  let losses = 0
  let longestMs = 0
  const sockets = bearers.map((bearer) => {
    const socket = io(url, {
      ...{ transports: ['websocket'], forceNew: true, reconnectionDelayMax: 2_000 },
      auth: { token: bearer.slice('Bearer '.length) },
    })
    let lostMs: number | null = null
    socket.on('connect', () => {
      if (lostMs !== null) longestMs = Math.max(longestMs, performance.now() - lostMs)
      lostMs = null
    })
    socket.on('disconnect', () => {
      losses++
      lostMs = performance.now()
    })
    return socket
  })
  return {
    count: () => sockets.filter(({ connected }) => connected).length,
    losses: () => losses,
    longestMs: () => longestMs,
    close: () => void sockets.map((socket) => socket.off('disconnect').disconnect()),
  }
}
