import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { openRawSocket, type RawSocket } from './raw-socket.ts'
import type { Line } from './report.ts'
import { type RunningServer, withServer } from '#testing/machines/process.ts'
import { onDatabase } from './scratch.ts'
import { makeWorld, tokenOf } from './world.ts'

/** This many sockets are opened at the same time. */
const AT_ONCE = 200
/** Returns how long to wait after the last socket has opened, until presence is written and garbage is collected. */
const settleMs = (count: number) => Math.min(15_000, count * 5)
const CORE_BAR = 0.3
const SPREAD_BAR_MS = 250

interface SocketsSeen {
  /** The server process's user and system time, as a part of one core. */
  readonly core: number
  /** `p50Ms` and `p99Ms`: the time from the first socket that gets a tick to the last one. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly ticks: number
}

/** Returns the seconds of processor time, user and system, that the server has used until now. */
export const cpuSeconds = ({ address }: Pick<RunningServer, 'address'>): Promise<number> =>
  metric(address, 'process_cpu_seconds_total')

async function metric(address: string, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const value = Number(new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(text)?.[1])
  if (Number.isNaN(value)) throw new Error(`/metrics has no ${name}.`)
  return value
}

/** Opens a socket for each of the players 1 to `count`. A quarter of the sockets watches each round type. */
export async function openWatchers(
  address: string,
  count: number,
  onEvent: (buffer: Buffer, start: number, end: number) => void,
): Promise<RawSocket[]> {
  const sockets: RawSocket[] = []
  let next = 1
  const open = async () => {
    while (next <= count) {
      const n = next++
      const socket = await openRawSocket(address, tokenOf(n), onEvent)
      const answer = await socket.ask('watch_game', { type: ROUND_TYPES[n % ROUND_TYPES.length] })
      if (!answer.includes('"ok":true')) throw new Error(`A socket may not watch: ${answer}`)
      sockets.push(socket)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, open))
  return sockets
}

/** Measures how `count` sockets, all of them opened by this process, receive the ticks of one server. */
async function watch(
  address: string,
  readCpuS: () => Promise<number>,
  count: number,
  ticks: number,
): Promise<SocketsSeen> {
  const seen = new Map<number, { firstMs: number; lastMs: number; count: number }>()
  const mark = '"second":'
  const sockets = await openWatchers(address, count, (buffer, start, end) => {
    const text = buffer.toString('latin1', start, end)
    if (!text.startsWith('["price_tick"')) return
    const second = Number.parseInt(text.slice(text.indexOf(mark) + mark.length), 10)
    const nowMs = performance.now()
    const tick = seen.get(second)
    if (tick === undefined) seen.set(second, { firstMs: nowMs, lastMs: nowMs, count: 1 })
    else {
      tick.lastMs = nowMs
      tick.count += 1
    }
  })
  try {
    await sleep(settleMs(count))
    const [cpuBefore, beganMs] = [await readCpuS(), performance.now()]
    seen.clear()
    await sleep(ticks * 1000)
    const cpuS = (await readCpuS()) - cpuBefore
    const lastedS = (performance.now() - beganMs) / 1000
    // The start or the end of the measurement may have cut off a part of the first and of the last tick.
    const whole = [...seen.values()].slice(1, -1)
    const missing = whole.filter((tick) => tick.count !== count)
    if (missing.length > 0 || whole.length < ticks - 4)
      throw new Error(`${missing.length} of ${whole.length} ticks did not reach every one of ${count} sockets.`)
    const spreads = whole.map(({ firstMs, lastMs }) => lastMs - firstMs).toSorted((a, b) => a - b)
    const at = (share: number) => spreads[Math.ceil(spreads.length * share) - 1] ?? Number.NaN
    return { core: cpuS / lastedS, p50Ms: at(0.5), p99Ms: at(0.99), ticks: whole.length }
  } finally {
    for (const socket of sockets) socket.close()
  }
}

/** Measures the product with `count` game sockets, each of which gets a price every second. */
export const runSockets = (count: number, ticks: number): Promise<SocketsSeen & { serverMb: number }> =>
  onDatabase(`sockets_${count}`, async (url, db) => {
    await makeWorld(db, count)
    return withServer({ DATABASE_URL: url }, async (server) => {
      const seen = await watch(server.address, () => cpuSeconds(server), count, ticks)
      return { ...seen, serverMb: (await metric(server.address, 'process_resident_memory_bytes')) / 2 ** 20 }
    })
  })

/** Measures the yardstick with `count` connections: a process that only writes the same bytes to each connection. */
export async function runBareSockets(count: number, ticks: number): Promise<SocketsSeen> {
  const child = fork(new URL('bare-sockets.ts', import.meta.url), { execArgv: [] })
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const readCpuS = async () => {
      child.send('cpu')
      return ((await once(child, 'message')) as [{ cpuS: number }])[0].cpuS
    }
    return await watch(`http://127.0.0.1:${port}`, readCpuS, count, ticks)
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** Measures each number of sockets, on a server of its own and on the yardstick. */
export async function measureSockets(counts: readonly number[], ticks: number): Promise<Line[]> {
  const lines: Line[] = []
  for (const count of counts) {
    const bare = await runBareSockets(count, ticks)
    const ours = await runSockets(count, ticks)
    const percent = (core: number) => `${(core * 100).toFixed(1)} %`
    lines.push(
      {
        name: `${count} game sockets, a tick each second: the server's part of a core`,
        ours: percent(ours.core),
        yardstick: percent(bare.core),
        ratio: `${(ours.core / bare.core).toFixed(2)} ×`,
        bar: `≤ ${CORE_BAR * 100} %`,
        isMet: ours.core <= CORE_BAR,
        note: `${((ours.core * 1e6) / count).toFixed(1)} µs a socket and second, ${ours.serverMb.toFixed(0)} MB`,
      },
      {
        name: `${count} game sockets: from the first to the last that is told`,
        ours: `p99 ${ours.p99Ms.toFixed(0)} ms`,
        yardstick: `p99 ${bare.p99Ms.toFixed(0)} ms`,
        ratio: `${(ours.p99Ms / bare.p99Ms).toFixed(2)} ×`,
        bar: `≤ ${SPREAD_BAR_MS} ms`,
        isMet: ours.p99Ms <= SPREAD_BAR_MS,
        note: `p50 ${ours.p50Ms.toFixed(0)} and ${bare.p50Ms.toFixed(0)} ms, ${ours.ticks} ticks, clients beside it`,
      },
    )
  }
  return lines
}
