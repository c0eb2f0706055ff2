import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { frameOf, UPGRADE } from '../../bench/raw-socket.ts'
import { withServer } from '#testing/machines/process.ts'
import type { BarLine } from '../report.ts'

const FLOODERS = 3
/** A flood ends after this time even when it was not cut off. */
const FLOOD_MS = 8_000
/** Three seconds of rules §6, the rest of the second in which the flood began, and the close. */
const CUT_BAR_MS = 5_000
const OTHER_BAR_MS = 250

/**
 * Players who send tiny events as fast as the network takes them: measures when they are cut off, and the effect on
 * others.
 */
export async function attackWithSockets(): Promise<BarLine[]> {
  return withServer({ RATE_LIMIT_FACTOR: '100' }, async ({ address }) => {
    const tokens = await Promise.all(
      Array.from({ length: FLOODERS + 1 }, (_, index) => register(address, `lu${index}x`)),
    )
    const watcher = io(address, { transports: ['websocket'], auth: { token: tokens[FLOODERS] } })
    const seconds: number[] = []
    watcher.on('price_tick', ({ second }: { second: number }) => void seconds.push(second))
    await watcher.timeout(10_000).emitWithAck('watch_game', { type: '30s' })
    await sleep(2_000)
    const waits: number[] = []
    let isOver = false
    const asking = (async () => {
      for (; !isOver; await sleep(50)) {
        const startedAt = performance.now()
        await (await fetch(`${address}/api/v1/public-config`)).text()
        waits.push(performance.now() - startedAt)
      }
    })()
    const floods = await Promise.all(tokens.slice(0, FLOODERS).map((token) => flood(address, token)))
    await sleep(2_000)
    isOver = true
    await asking
    watcher.disconnect()
    const [first = 0] = seconds
    const skipped = (seconds.at(-1) ?? 0) - first + 1 - seconds.length
    const lastedMs = Math.max(...floods.map(({ ms }) => ms))
    const told = floods.filter(({ isTold }) => isTold).length
    const sent = floods.reduce((sum, { frames }) => sum + frames, 0)
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
    return [
      {
        what: `${FLOODERS} sockets send tiny events as fast as they can (${sent} in all)`,
        seen: `cut off after ${(lastedMs / 1000).toFixed(1)} s, ${told} with a reason`,
        bar: `≤ ${CUT_BAR_MS / 1000} s, all with a reason`,
        isMet: lastedMs <= CUT_BAR_MS && told === FLOODERS,
      },
      {
        what: 'what others notice of it: an HTTP call every 50 ms, ticks of a watched game',
        seen: `p99 ${p99.toFixed(0)} ms, longest ${Math.max(...waits).toFixed(0)} ms, ${skipped} ticks skipped`,
        bar: `p99 ≤ ${OTHER_BAR_MS} ms, 0 skipped`,
        isMet: p99 <= OTHER_BAR_MS && skipped === 0,
      },
    ]
  })
}

async function register(address: string, username: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'matkhau1', rePassword: 'matkhau1', code: 'KIMPHIEN' }),
  })
  return ((await response.json()) as { data: { access_token: string } }).data.access_token
}

/** Floods over its own connection by sending the same buffer again and again, which costs this process least. */
async function flood(address: string, token: string): Promise<{ ms: number; frames: number; isTold: boolean }> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let heard = ''
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    // The flood asks for no acknowledgements, so little arrives.
    heard += bytes.toString('latin1')
  })
  socket.write(UPGRADE)
  while (!heard.includes('"sid"')) await sleep(10)
  socket.write(frameOf(`40${JSON.stringify({ token })}`))
  while (!heard.includes('40{"sid"')) await sleep(10)
  const PIECE = 1_000
  const piece = Buffer.concat(Array.from({ length: PIECE }, () => frameOf('42["nope"]')))
  const startedAt = performance.now()
  let frames = 0
  while (!heard.includes('cut_off') && !socket.destroyed && performance.now() - startedAt < FLOOD_MS) {
    if (socket.writableLength < 1_000_000) {
      socket.write(piece)
      frames += PIECE
    }
    await sleep(socket.writableLength < 1_000_000 ? 0 : 5)
  }
  const ms = performance.now() - startedAt
  socket.destroy()
  return { ms, frames, isTold: heard.includes('cut_off') }
}
