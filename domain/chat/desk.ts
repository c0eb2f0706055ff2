/** The state of staff's work on a conversation, for staff alone (docs/rules.md §7.12). */

export const DESK_STATES = ['open', 'snoozed', 'done'] as const
export type DeskState = (typeof DESK_STATES)[number]

export const CASE_TOPICS = ['bet', 'deposit', 'withdrawal', 'account', 'other'] as const
export type CaseTopic = (typeof CASE_TOPICS)[number]

export interface Desk {
  readonly state: DeskState
  readonly snoozedUntilMs: number | null
  readonly waitingSinceMs: number | null
  readonly tags?: readonly string[]
  /** The topic of the last case (rules §7.16): null if that case has none, absent if there is no case. */
  readonly topic?: CaseTopic | null
}

export const SNOOZE_MAX_MS = 90 * 24 * 60 * 60_000

export const deskStateAt = ({ state, snoozedUntilMs }: Desk, nowMs: number): DeskState =>
  state === 'snoozed' && (snoozedUntilMs ?? 0) <= nowMs ? 'open' : state

export const waitingSinceMs = (desk: Desk | undefined, nowMs: number): number | null =>
  desk === undefined || deskStateAt(desk, nowMs) === 'snoozed' ? null : desk.waitingSinceMs

/** Returns the desk after a message. A player's message opens the desk, staff's message ends the wait. */
export const deskAfter = (
  desk: Desk,
  message: { readonly isOfPlayer: boolean; readonly sentAtMs: number; readonly topic: CaseTopic | null },
): Desk =>
  message.isOfPlayer
    ? {
        ...desk,
        state: 'open',
        snoozedUntilMs: null,
        waitingSinceMs: desk.waitingSinceMs ?? message.sentAtMs,
        topic: (desk.state === 'done' ? null : desk.topic) ?? message.topic,
      }
    : { ...desk, waitingSinceMs: null }

type DeskRefusal = 'HOLDER_CHANGED' | 'NEW_MESSAGE' | 'SNOOZE_INVALID'

export function decideDeskChange(
  actorId: string,
  conversation: { readonly holderId: string; readonly newestOfPlayerSeq: number },
  change: { readonly state: DeskState; readonly untilMs: number | null; readonly seenSeq: number },
  nowMs: number,
): DeskRefusal | null {
  const { state, untilMs, seenSeq } = change
  if (conversation.holderId !== actorId) return 'HOLDER_CHANGED'
  if (state === 'snoozed' ? untilMs === null || untilMs <= nowMs || untilMs > nowMs + SNOOZE_MAX_MS : untilMs !== null)
    return 'SNOOZE_INVALID'
  return state !== 'open' && conversation.newestOfPlayerSeq > seenSeq ? 'NEW_MESSAGE' : null
}
