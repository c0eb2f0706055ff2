type MergeRefusal = 'HOLDER_CHANGED' | 'MERGE_OTHER_PLAYER' | 'MERGE_HELD'

export interface Mergeable {
  readonly playerId: string
  readonly holderId: string | null
  readonly isActive: boolean
  readonly isDone: boolean
}

/** Returns whether a conversation is not done and has a holder who can answer. If so, no other admin may merge it. */
export const isHeld = ({ holderId, isActive, isDone }: Omit<Mergeable, 'playerId'>): boolean =>
  holderId !== null && isActive && !isDone

export function decideMerge(actorId: string, own: Mergeable, other: Mergeable): MergeRefusal | null {
  if (own.holderId !== actorId) return 'HOLDER_CHANGED'
  if (own.playerId !== other.playerId) return 'MERGE_OTHER_PLAYER'
  return isHeld(other) ? 'MERGE_HELD' : null
}
