import { seeded } from '#testing/run/seeded.ts'
import type { RoundType } from '#domain/game/calendar.ts'

/** The kinds of acts of a player. The time of each act is fixed before the run begins. */
export type ActKind = 'sign in' | 'bet' | 'message' | 'look' | 'reconnect'

/** One act. All times are ms after the start of the run. */
export interface Act {
  readonly dueMs: number
  /** Index of the player. */
  readonly player: number
  readonly kind: ActKind
  /**
   * For a reconnect, the time at which the connection is lost; `dueMs` is when the phone has its network back. Null for
   * other acts.
   */
  readonly lostMs: number | null
}

/** How much the players do. Rates are per player and minute. */
export interface Pace {
  readonly players: number
  /** The players sign in over this time, in seconds. */
  readonly rampS: number
  /** The run ends this long after the ramp, in seconds. */
  readonly playS: number
  readonly bets: number
  readonly messages: number
  /** How often a player opens the history of the own bets. */
  readonly looks: number
  /** How often a phone loses its network. */
  readonly drops: number
  /** How long a phone is without a network, on average, in seconds. */
  readonly awayS: number
}

/** A phone is without a network for at least this long. */
const LEAST_AWAY_MS = 500

/** Returns a player's own sequence of random numbers, so that one more player changes nothing for the others. */
export const randomOf = (seed: number, player: number): (() => number) =>
  seeded(Math.imul(seed + 1, 0x9e_37_79_b1) ^ Math.imul(player + 1, 0x85_eb_ca_6b))

export const typeOf = (types: readonly RoundType[], player: number): RoundType => types[player % types.length] ?? '60s'

/** Returns the times of a Poisson process with the mean gap `gapMs`, from `fromMs` up to `toMs`. */
export function arrivals(random: () => number, gapMs: number, fromMs: number, toMs: number): number[] {
  const times: number[] = []
  const next = (after: number) => after - Math.log(1 - random()) * gapMs
  if (gapMs < Number.POSITIVE_INFINITY) for (let at = next(fromMs); at < toMs; at = next(at)) times.push(at)
  return times
}

/**
 * Returns every act of a run, sorted by time. No act waits for the answer to an earlier act, so the times do not depend
 * on how fast the server is. A phone without a network does nothing.
 */
export function scheduleActs(seed: number, pace: Pace): Act[] {
  const endMs = (pace.rampS + pace.playS) * 1000
  const acts: Act[] = []
  for (let player = 0; player < pace.players; player++) {
    const random = randomOf(seed, player)
    // If the number of arrivals of a Poisson process is known, each arrival is uniformly distributed.
    const signInMs = random() * pace.rampS * 1000
    acts.push({ dueMs: signInMs, player, kind: 'sign in', lostMs: null })
    const away: Array<{ lostMs: number; backMs: number }> = []
    for (const lostMs of arrivals(random, 60_000 / pace.drops, signInMs, endMs)) {
      const backMs = lostMs + Math.max(LEAST_AWAY_MS, -Math.log(1 - random()) * pace.awayS * 1000)
      if (lostMs < (away.at(-1)?.backMs ?? 0) || backMs >= endMs) continue
      away.push({ lostMs, backMs })
      acts.push({ dueMs: backMs, player, kind: 'reconnect', lostMs })
    }
    const rates = [
      ['bet', pace.bets],
      ['message', pace.messages],
      ['look', pace.looks],
    ] as const
    for (const [kind, rate] of rates)
      for (const dueMs of arrivals(random, 60_000 / rate, signInMs, endMs))
        if (!away.some(({ lostMs, backMs }) => dueMs >= lostMs && dueMs < backMs))
          acts.push({ dueMs, player, kind, lostMs: null })
  }
  return acts.toSorted((a, b) => a.dueMs - b.dueMs)
}
