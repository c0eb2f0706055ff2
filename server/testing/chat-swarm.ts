/**
 * Many idle sockets and some that write, in a process of its own behind a proxy of its own: one process may not have as
 * many files open as all of them need, and its clients must not wait for each other's work. Started by the proofs of chat.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetPlayer, openFleetClient, startProxy, waitFor } from './chat-fleet.ts'

export interface SwarmOrder {
  readonly ports: readonly number[]
  readonly players: readonly FleetPlayer[]
  /** Of the first players; they write. */
  readonly conversationIds: readonly string[]
  /** Messages a second of all of them. */
  readonly perS: number
  readonly forS: number
}
export type SwarmReport =
  | { readonly is: 'connected' }
  | { readonly is: 'written'; readonly sent: number; readonly latenciesMs: number[] }

/** A process that has just begun compiles its code and plans its queries first: latencies of so long are not counted. */
const WARM_S = 10

const tell = (report: SwarmReport): void => void process.send?.(report)

process.once('message', (order: SwarmOrder) => void connect(order))

async function connect({ ports, players, conversationIds, perS, forS }: SwarmOrder): Promise<void> {
  const proxy = await startProxy(() => ports)
  const clients = players.map((player) => openFleetClient(proxy.url, player, { isLight: true }))
  for (let at = 0; at < clients.length; at += 100) {
    const some = clients.slice(at, at + 100)
    for (const one of some) one.connect()
    await waitFor(() => some.every((one) => one.isConnected()), 60_000)
  }
  process.once('message', () => void write())
  tell({ is: 'connected' })

  async function write(): Promise<void> {
    const startedMs = performance.now()
    const writers = clients.slice(0, conversationIds.length)
    let sent = 0
    let isWarm = false
    for (let goneS = 0; goneS < WARM_S + forS; goneS = (performance.now() - startedMs) / 1000) {
      if (goneS > WARM_S && !isWarm) {
        isWarm = true
        for (const one of writers) one.latenciesMs.length = 0
      }
      // The rate rises evenly while the processes warm up.
      const due = goneS < WARM_S ? (goneS * goneS * perS) / (2 * WARM_S) : (goneS - WARM_S / 2) * perS
      for (; sent < due; sent++) {
        const at = sent % writers.length
        writers[at]?.send(conversationIds[at] ?? '', `p${sent}`, `p${sent}`)
      }
      await sleep(5)
    }
    await waitFor(() => writers.every((one) => one.waiting.size === 0), 60_000)
    tell({ is: 'written', sent, latenciesMs: writers.flatMap(({ latenciesMs }) => latenciesMs) })
  }
}
