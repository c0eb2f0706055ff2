import { setTimeout as sleep } from 'node:timers/promises'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import type { Account } from './accounts.ts'
import { createLoadClient, type SignedInClient } from './client.ts'
import { createMeasures, type Seen } from './measures.ts'
import { type Pace, randomOf, scheduleActs, typeOf } from './schedule.ts'
import type { CheckedClient } from './stored.ts'
import type { Acknowledged, Undecided } from './verdict.ts'

export interface LoadOptions {
  readonly url: string
  readonly seed: number
  readonly pace: Pace
  /** One account for each player. */
  readonly accounts: readonly Account[]
  /** Called every 10 s with the figures so far, and the seconds since the start. */
  readonly onProgress?: (seen: Seen, goneS: number) => void
}

export interface LoadRun {
  readonly seen: Seen
  readonly acknowledged: readonly Acknowledged[]
  readonly undecided: readonly Undecided[]
  /** The clients that signed in. */
  readonly clients: readonly CheckedClient[]
  readonly lastedS: number
}

/** After the planned end of the run, unanswered acts are repeated for this long. */
const GRACE_MS = 30_000
const PROGRESS_MS = 10_000

/** Runs the whole schedule. Each act begins when it is due, even if earlier ones failed or are still running. */
export async function runLoad({ url, seed, pace, accounts, onProgress }: LoadOptions): Promise<LoadRun> {
  const acts = scheduleActs(seed, pace)
  const lastsS = pace.rampS + pace.playS
  const measures = createMeasures(lastsS)
  const startedAtMs = performance.now()
  const nowMs = () => performance.now() - startedAtMs
  const clients = accounts.map((account, player) =>
    createLoadClient({
      url,
      account,
      type: typeOf(ROUND_TYPES, player),
      random: randomOf(seed + 1, player),
      measures,
      nowMs,
      givenUpMs: lastsS * 1000 + GRACE_MS,
    }),
  )
  const progress = setInterval(() => onProgress?.(measures.seen(), nowMs() / 1000), PROGRESS_MS)
  const running = new Set<Promise<void>>()
  const steps = acts
    .flatMap((act) => [
      { atMs: act.dueMs, act },
      ...(act.lostMs === null ? [] : [{ atMs: act.lostMs, act: null, player: act.player }]),
    ])
    .toSorted((a, b) => a.atMs - b.atMs)
  try {
    for (const step of steps) {
      const waitMs = step.atMs - nowMs()
      if (waitMs > 0) await sleep(waitMs)
      if (step.act === null) {
        clients[step.player]?.drop()
        continue
      }
      const doing = clients[step.act.player]?.perform(step.act) ?? Promise.resolve()
      running.add(doing)
      void doing.finally(() => running.delete(doing))
    }
    await sleep(Math.max(0, lastsS * 1000 - nowMs()))
    // Every act ends by itself, at the latest when it gives up after `GRACE_MS` and its last call times out.
    await Promise.all(running)
    const seen = measures.seen()
    return {
      seen,
      acknowledged: clients.flatMap((client) => client.acknowledged()),
      undecided: clients.flatMap((client) => client.undecided()),
      clients: clients.flatMap((client) => {
        const one: SignedInClient | null = client.signedIn()
        return one === null ? [] : [{ ...one, conversationId: client.conversationId() }]
      }),
      lastedS: nowMs() / 1000,
    }
  } finally {
    clearInterval(progress)
    for (const client of clients) client.close()
  }
}
