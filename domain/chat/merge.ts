/** Two conversations of one player made into one by staff (docs/rules.md §7.19). */

export type MergeRefusal = 'HOLDER_CHANGED' | 'MERGE_OTHER_PLAYER' | 'MERGE_HELD'

/** What a merge needs to know of a conversation. */
export interface Mergeable {
  readonly playerId: string
  /** Null where nobody holds it. */
  readonly holderId: string | null
  /** Whether its holder still answers. */
  readonly isActive: boolean
  readonly isDone: boolean
}

/** Who must be asked before another one is merged into one's own: a colleague who is not done with it. */
export const isHeld = ({ holderId, isActive, isDone }: Omit<Mergeable, 'playerId'>): boolean =>
  holderId !== null && isActive && !isDone

/** Decides whether an admin may merge another conversation into one that they hold. */
export function decideMerge(actorId: string, own: Mergeable, other: Mergeable): MergeRefusal | null {
  if (own.holderId !== actorId) return 'HOLDER_CHANGED'
  if (own.playerId !== other.playerId) return 'MERGE_OTHER_PLAYER'
  return isHeld(other) ? 'MERGE_HELD' : null
}
