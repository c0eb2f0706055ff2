/** Chooses who is given conversations from the queue (docs/rules.md §7.13). */

export const AWAY_AFTER_MS = 15 * 60_000
export const CAPACITY_MAX = 100
export const CAPACITY_DEFAULT = 20
export const LOAD_MS = 7 * 24 * 60 * 60_000

export interface Duty {
  readonly isOnDuty: boolean
  readonly capacity: number
}

export interface OnDuty {
  readonly id: string
  readonly load: number
  readonly capacity: number
  readonly assignedAtMs: number | null
}

/**
 * Chooses who is given a conversation, among those who are below their capacity and have no other conversation with its
 * player: the one with the fewest, then the one who was given one longest ago; null when nobody qualifies.
 * @param serving the ids of those who have one with this player
 */
export function chooseHolder(onDuty: readonly OnDuty[], serving: ReadonlySet<string>): OnDuty | null {
  const free = onDuty.filter(({ id, load, capacity }) => load < capacity && !serving.has(id))
  const since = ({ assignedAtMs }: OnDuty) => assignedAtMs ?? Number.NEGATIVE_INFINITY
  const isBefore = (a: OnDuty, b: OnDuty) =>
    a.load !== b.load ? a.load < b.load : since(a) !== since(b) ? since(a) < since(b) : a.id < b.id
  return free.reduce<OnDuty | null>((best, one) => (best === null || isBefore(one, best) ? one : best), null)
}
