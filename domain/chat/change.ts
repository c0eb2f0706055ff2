import type { ChatMessage, Quote } from './conversation.ts'

/** What a sender may do with a message afterwards (docs/rules.md §7.15). */
export type MessageChange = 'edit' | 'retract'

/** So long after it was sent a message can be changed. */
export const CHANGE_WITHIN_MS = 2 * 60_000

/** Whether a message can be changed in this way at all; who may, and how long, is judged beside it. */
export const isChangeable = (
  { kind, file, disputeId, isRetracted = false }: Pick<ChatMessage, 'kind' | 'file' | 'disputeId' | 'isRetracted'>,
  change: MessageChange,
): boolean =>
  !isRetracted && disputeId === undefined && (change === 'retract' || (kind === 'text' && file === undefined))

/** In characters. */
export const QUOTE_MAX = 140

/** The quote of a message that is known. */
export const quoteOf = ({
  seq,
  sender,
  kind,
  content,
  isRetracted = false,
}: Pick<ChatMessage, 'seq' | 'sender' | 'kind' | 'content' | 'isRetracted'>): Quote => ({
  seq,
  username: sender.username,
  kind: isRetracted ? 'retracted' : kind,
  text: kind === 'text' ? Array.from(content).slice(0, QUOTE_MAX).join('') : '',
})
