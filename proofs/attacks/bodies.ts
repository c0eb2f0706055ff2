import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { type RunningServer, withServer } from '#testing/machines/process.ts'
import type { BarLine } from '../report.ts'

const KiB = 1024
const MiB = 1024 * KiB
/** No answer to a refused request is larger (rules §6). */
const ANSWER_BAR_BYTES = 16 * KiB
/** How long a hostile request may take: as long as any other request, plus the noise of a busy machine. */
const TIME_BAR_MS = 250
const MEMORY_BAR_BYTES = 64 * MiB
const AT_ONCE = 6
/** A pause before and after the attack, so that ticks arrive at their usual rate. */
const SETTLE_MS = 3_000

const manyKeys = (count: number, key: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 0]))
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const signIn = { username: 'an', password: 'x' }

/** The body that once broke this bar, then similar ones. Each is below the size limit of a body. */
const bodies: Readonly<Record<string, string>> = {
  '6,500 unknown keys': JSON.stringify({ ...signIn, ...manyKeys(6_500, (index) => `k${index}`) }),
  'one key of 60 KB': JSON.stringify({ ...signIn, ['k'.repeat(60_000)]: 0 }),
  '60 keys of 1 KB': JSON.stringify({ ...signIn, ...manyKeys(60, (index) => `${index}`.padEnd(1_000, 'x')) }),
  '60 keys of what JSON escapes': JSON.stringify({
    ...signIn,
    ...manyKeys(60, (index) => `${index}`.padEnd(160, '\u0001')),
  }),
  'values of every wrong kind': JSON.stringify({ username: [], password: {} }),
  'a text of 60 KB': JSON.stringify({ username: 'x'.repeat(60_000), password: 'x' }),
  '30,000 arrays in each other': nested(30_000, '[', ']'),
  '10,000 objects in each other': nested(10_000, '{"a":', '').concat('0', '}'.repeat(10_000)),
  '30,000 items': JSON.stringify({ username: Array.from({ length: 30_000 }, () => 0), password: 'x' }),
  'a number of 60,000 digits': `{"username":1${'0'.repeat(60_000)},"password":1e400}`,
  'a key of the prototype': `{"__proto__":{"x":1},"constructor":{"prototype":{}},"username":"an"}`,
}
const ATTACK = '6,500 unknown keys'

interface Seen {
  readonly ms: number
  readonly bytesOut: number
  readonly status: number
}

async function send(address: string, body: string): Promise<Seen> {
  const startedAt = performance.now()
  const response = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body,
  })
  let bytesOut = 0
  if (response.body !== null) for await (const chunk of response.body) bytesOut += (chunk as Uint8Array).length
  return { ms: performance.now() - startedAt, bytesOut, status: response.status }
}

async function askMany(address: string): Promise<Seen> {
  const startedAt = performance.now()
  const names = Array.from({ length: 3_000 }, (_, index) => `k${index}=1`).join('&')
  const response = await fetch(`${address}/api/v1/market/seeds?page=x&${names.slice(0, 15_000)}`)
  const bytesOut = (await response.arrayBuffer()).byteLength
  return { ms: performance.now() - startedAt, bytesOut, status: response.status }
}

/** The highest resident memory that a process ever had, in bytes. */
function memoryPeakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * KiB
}

/** Watches a game as a player while `work` runs. Returns how many seconds' prices never arrived. */
async function countingSkippedTicks(address: string, work: () => Promise<void>): Promise<number> {
  const body = { username: 'xem', password: 'matkhau1', rePassword: 'matkhau1', code: 'KIMPHIEN' }
  const response = await fetch(`${address}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { data: { access_token: string } }
  const socket = io(address, { transports: ['websocket'], auth: { token: data.access_token } })
  const seconds: number[] = []
  socket.on('price_tick', ({ second }: { second: number }) => void seconds.push(second))
  try {
    await socket.timeout(10_000).emitWithAck('watch_game', { type: '30s' })
    await sleep(SETTLE_MS)
    await work()
    await sleep(SETTLE_MS)
  } finally {
    socket.disconnect()
  }
  const [first = 0] = seconds
  return (seconds.at(-1) ?? 0) - first + 1 - seconds.length
}

/** Bodies that are cheap to send and expensive to validate, sent without signing in: measures time and answer size. */
export async function attackWithBodies(): Promise<BarLine[]> {
  return withServer({}, async ({ address, pid }: RunningServer) => {
    for (let index = 0; index < 20; index++) await send(address, JSON.stringify(signIn))
    const attack = bodies[ATTACK] as string
    const peakBefore = memoryPeakOf(pid)
    let one: Seen | undefined
    let six: Seen[] = []
    let sixMs = 0
    const skipped = await countingSkippedTicks(address, async () => {
      one = await send(address, attack)
      const startedAt = performance.now()
      six = await Promise.all(Array.from({ length: AT_ONCE }, () => send(address, attack)))
      sixMs = performance.now() - startedAt
    })
    const grown = memoryPeakOf(pid) - peakBefore
    if (one === undefined) throw new Error('Nothing was sent.')

    const kin = [await askMany(address)]
    for (const body of Object.values(bodies)) kin.push(await send(address, body))
    const largest = Math.max(...[one, ...six, ...kin].map(({ bytesOut }) => bytesOut))
    const slowest = Math.max(...kin.map(({ ms }) => ms))
    const unmeant = kin.filter(({ status }) => status < 400 || status > 499)
    return [
      {
        what: `${Math.round(attack.length / KiB)} KiB with ${ATTACK}, without an account`,
        seen: `${one.ms.toFixed(0)} ms, ${kib(one.bytesOut)} out`,
        bar: `≤ ${TIME_BAR_MS} ms, ≤ ${kib(ANSWER_BAR_BYTES)} out`,
        isMet: one.ms <= TIME_BAR_MS && one.bytesOut <= ANSWER_BAR_BYTES,
      },
      {
        what: `${AT_ONCE} of them at once`,
        seen: `${sixMs.toFixed(0)} ms, ${(grown / MiB).toFixed(0)} MiB more memory at its peak, ${skipped} ticks skipped`,
        bar: `≤ ${TIME_BAR_MS} ms, ≤ ${MEMORY_BAR_BYTES / MiB} MiB, 0 skipped`,
        isMet: sixMs <= TIME_BAR_MS && grown <= MEMORY_BAR_BYTES && skipped === 0,
      },
      {
        what: `${kin.length} other hostile bodies and queries: the slowest, the largest answer`,
        seen: `${slowest.toFixed(0)} ms, ${kib(largest)}${unmeant.length === 0 ? '' : `, statuses ${unmeant.map(({ status }) => status).join(' ')}`}`,
        bar: `≤ ${TIME_BAR_MS} ms, ≤ ${kib(ANSWER_BAR_BYTES)}, each a 4xx`,
        isMet: slowest <= TIME_BAR_MS && largest <= ANSWER_BAR_BYTES && unmeant.length === 0,
      },
    ]
  })
}

const kib = (bytes: number): string => `${(bytes / KiB).toFixed(1)} KiB`
