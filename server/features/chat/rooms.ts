import { staffRooms } from '#contract/events.ts'
import { canHold, CARE_DESK, type Conversation } from '#domain/chat/conversation.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { ChatDeps, Sides } from './ports.ts'
import { readAccount, readConversation } from './queries.ts'

interface Deps {
  readonly db: Database
  readonly hub: ChatDeps['hub']
}

/** Emits `viewerId`'s view of a conversation to the sockets of `room` that are not in `except`. Returns the view. */
export async function emitView(
  { db, hub }: Deps,
  room: ReturnType<typeof holderRoom>,
  conversationId: string,
  viewerId: string,
  except?: ReturnType<typeof holderRoom>,
): Promise<Conversation | null> {
  const seen = await readConversation(db, conversationId, viewerId)
  if (seen !== null) hub.emitTo(room, 'conversation_changed', seen, except)
  return seen
}

/** Returns the room of the holder's sockets; without a holder, the room of all admins with `care`. */
export const holderRoom = (holderId: string | null) =>
  holderId === null ? staffRooms.receive_message : (`chat:${holderId}` as const)

export async function emitConversation(
  { db, hub }: Deps,
  name: 'conversation_created' | 'conversation_changed',
  conversationId: string,
  { playerId, holderId }: Sides,
): Promise<void> {
  for (const [room, viewerId] of [
    [`chat:${playerId}`, playerId],
    [holderRoom(holderId), holderId ?? CARE_DESK.id],
  ] as const) {
    const conversation = await readConversation(db, conversationId, viewerId)
    if (conversation !== null) hub.emitTo(room, name, conversation)
  }
}

/**
 * Emits a merge (rules §7.19). Both sides and all staff with `care` get the new conversation, with the old ids in
 * `mergedFrom`. For clients that do not know `mergedFrom`, `conversation_removed` with the old ids is emitted, too: to
 * both sides and to `otherHolderId`, who held the old conversation that the merging admin did not hold. If nobody held
 * that conversation, all staff with `care` get the event.
 */
export async function emitMerge(
  deps: Deps,
  intoId: string,
  merge: { readonly sides: Sides; readonly fromIds: readonly string[]; readonly otherHolderId: string | null },
): Promise<void> {
  const { sides, fromIds, otherHolderId } = merge
  await emitView(deps, 'staff:care', intoId, CARE_DESK.id, holderRoom(sides.holderId))
  await emitConversation(deps, 'conversation_changed', intoId, sides)
  const rooms = [`chat:${sides.playerId}` as const, holderRoom(sides.holderId), holderRoom(otherHolderId)]
  for (const conversationId of fromIds)
    deps.hub.emitTo(rooms, 'conversation_removed', { conversationId, throughSeq: null })
}

/**
 * Emits a change of holder to both sides and to the former holder or, if there was none, to all admins with `care`. A
 * former holder who may hold no conversations any more gets `conversation_removed`.
 */
export async function emitHolderChange(
  deps: Deps,
  conversationId: string,
  fromId: string | null,
  sides: Sides,
): Promise<void> {
  if (fromId !== null && !canHold(await readAccount(deps.db, fromId)))
    deps.hub.emitTo(holderRoom(fromId), 'conversation_removed', { conversationId, throughSeq: null })
  else await emitView(deps, holderRoom(fromId), conversationId, CARE_DESK.id, holderRoom(sides.holderId))
  await emitConversation(deps, 'conversation_changed', conversationId, sides)
}
