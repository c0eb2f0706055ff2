/**
 * Many idle sockets and some that write, in a separate process behind its own proxy: one process may not open as many
 * files as all of them need, and its clients must not wait for each other's work. Started by the proofs of chat.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openSockets } from '#testing/app/chat-client.ts'
import { waitFor } from '#testing/time/until.ts'
import { startProxy } from './fleet.ts'
import type { PagePlayer } from './page.ts'

export interface SwarmOrder {
  readonly ports: readonly number[]
  readonly players: readonly PagePlayer[]
  /** Conversations of the first players, who are the writers. */
  readonly conversationIds: readonly string[]
  /** Messages per second, of all writers together. */
  readonly perS: number
  readonly forS: number
}
export type SwarmReport =
  | { readonly is: 'connected' }
  | { readonly is: 'written'; readonly sent: number; readonly latenciesMs: number[] }

/**
 * A process that has just started compiles its code and plans its queries: latencies of its first seconds are not
 * counted.
 */
const WARM_S = 10

const tell = (report: SwarmReport): void => void process.send?.(report)

process.once('message', (order: SwarmOrder) => void connect(order))

async function connect({ ports, players, conversationIds, perS, forS }: SwarmOrder): Promise<void> {
  const proxy = await startProxy(() => ports)
  const sockets = await openSockets(proxy.url, players)
  process.once('message', () => void write())
  tell({ is: 'connected' })

  async function write(): Promise<void> {
    const startedMs = performance.now()
    const writers = sockets.slice(0, conversationIds.length)
    const latenciesMs: number[] = []
    let sent = 0
    let waiting = 0
    let isWarm = false
    const send = async (at: number, n: number): Promise<void> => {
      const sentMs = performance.now()
      const isCounted = isWarm
      const message = { conversationId: conversationIds[at], content: `p${n}`, type: 'text', tempId: `p${n}` }
      waiting += 1
      // A message without an answer counts as lost, unless it is in the database.
      const answer = await writers[at]?.ask('send_message', message).catch(() => null)
      waiting -= 1
      if (answer?.ok === true && isCounted) latenciesMs.push(performance.now() - sentMs)
    }
    for (let goneS = 0; goneS < WARM_S + forS; goneS = (performance.now() - startedMs) / 1000) {
      isWarm = goneS > WARM_S
      // The rate rises linearly while the processes warm up.
      const due = goneS < WARM_S ? (goneS * goneS * perS) / (2 * WARM_S) : (goneS - WARM_S / 2) * perS
      for (; sent < due; sent++) void send(sent % writers.length, sent)
      await sleep(5)
    }
    await waitFor(() => waiting === 0, 60_000)
    tell({ is: 'written', sent, latenciesMs })
  }
}
