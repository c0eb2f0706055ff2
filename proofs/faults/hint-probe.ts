import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { COUNT, HOST } from '../../scripts/cluster/parts.ts'
import { waitFor } from '#testing/time/until.ts'
import type { ClusterWorld } from './cluster-world.ts'
import { createWriters } from './writers.ts'

/** Sockets that stay open, of an admin on each process, and players who cause events there. */
export interface HintProbe {
  /**
   * Files withdrawals on every process until the sockets of all other processes have heard of one. Returns the ms until
   * the last of them did; gives up after half a minute.
   */
  heardAfterMs(): Promise<number>
  close(): void
}

const PROBE_EVERY_MS = 500
const GIVEN_UP_MS = 30_000

export async function openHintProbe({ db, ports }: ClusterWorld): Promise<HintProbe> {
  const places = Array.from({ length: COUNT }, (_, nth) => nth)
  const urlOf = (nth: number) => `http://${HOST}:${ports.process(nth)}`
  const admins = await createPlayers(db, COUNT, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  const sockets = admins.map(({ bearer, id: userId, username }, nth) => {
    const heard = new Set<string>()
    // It reconnects faster than a page does, because the server is measured here.
    const socket = io(urlOf(nth), {
      ...{ transports: ['websocket'], forceNew: true, reconnectionDelay: 300, reconnectionDelayMax: 1_500 },
      auth: { token: bareToken({ bearer }), userId, username },
    })
    socket.on('transaction_changed', ({ requestId }: { requestId: string }) => heard.add(requestId))
    return { socket, heard }
  })
  if ((await waitFor(() => sockets.every(({ socket }) => socket.connected), GIVEN_UP_MS)) === null)
    throw new Error('Not every admin could connect.')

  async function file({ bearer }: TestPlayer, nth: number): Promise<string> {
    const answer = await fetch(`${urlOf(nth)}/api/v1/transaction`, {
      method: 'POST',
      headers: { authorization: bearer, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ type: 'WITHDRAW', money: 1 }),
    })
    if (!answer.ok) throw new Error(`A withdrawal was answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { _id: string } }).data._id
  }

  return {
    async heardAfterMs() {
      const beganMs = performance.now()
      // One player for each probe: an account has 20 pending requests at most.
      const players = await createWriters(db, (COUNT * GIVEN_UP_MS) / PROBE_EVERY_MS)
      const fresh = players.values()
      const times = places.map(async (nth) => {
        const others = sockets.filter((_, at) => at !== nth)
        const filed: string[] = []
        while (performance.now() - beganMs < GIVEN_UP_MS) {
          const { value: player } = fresh.next()
          if (player === undefined) break
          filed.push(await file(player, nth))
          const probeMs = performance.now()
          while (performance.now() - probeMs < PROBE_EVERY_MS) {
            if (others.every(({ heard }) => filed.some((id) => heard.has(id)))) return performance.now() - beganMs
            await sleep(10)
          }
        }
        return Number.POSITIVE_INFINITY
      })
      return Math.max(...(await Promise.all(times)))
    },
    close() {
      for (const { socket } of sockets) socket.disconnect()
    },
  }
}
