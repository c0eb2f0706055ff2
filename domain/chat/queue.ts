/** Chooses the admin who gets a conversation from the queue (docs/rules.md §7.13). */

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
 * Chooses the admin with the fewest conversations; of several, the one who was given a conversation least recently.
 * Returns null if each admin on duty is in `serving` or has no capacity left.
 * @param serving ids of the admins who have a conversation with this player
 */
export function chooseHolder(onDuty: readonly OnDuty[], serving: ReadonlySet<string>): OnDuty | null {
  const free = onDuty.filter(({ id, load, capacity }) => load < capacity && !serving.has(id))
  const since = ({ assignedAtMs }: OnDuty) => assignedAtMs ?? Number.NEGATIVE_INFINITY
  const isBefore = (a: OnDuty, b: OnDuty) =>
    a.load !== b.load ? a.load < b.load : since(a) !== since(b) ? since(a) < since(b) : a.id < b.id
  return free.reduce<OnDuty | null>((best, one) => (best === null || isBefore(one, best) ? one : best), null)
}
