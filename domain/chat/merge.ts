/** Two conversations of one player made into one by staff (docs/rules.md §7.19). */

export type MergeRefusal = 'HOLDER_CHANGED' | 'MERGE_OTHER_PLAYER' | 'MERGE_HELD'

/** The facts of a conversation that a merge needs. */
export interface Mergeable {
  readonly playerId: string
  /** Null while nobody holds the conversation. */
  readonly holderId: string | null
  /** Whether its holder still answers. */
  readonly isActive: boolean
  readonly isDone: boolean
}

/**
 * Whether another admin holds the conversation and is not done with it, so that a merge into one's own needs their
 * consent first.
 */
export const isHeld = ({ holderId, isActive, isDone }: Omit<Mergeable, 'playerId'>): boolean =>
  holderId !== null && isActive && !isDone

/** Decides whether an admin may merge another conversation into one that they hold. */
export function decideMerge(actorId: string, own: Mergeable, other: Mergeable): MergeRefusal | null {
  if (own.holderId !== actorId) return 'HOLDER_CHANGED'
  if (own.playerId !== other.playerId) return 'MERGE_OTHER_PLAYER'
  return isHeld(other) ? 'MERGE_HELD' : null
}
