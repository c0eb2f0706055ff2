import type { ChatMessage, Quote } from './conversation.ts'

export type MessageChange = 'edit' | 'retract'

export const CHANGE_WITHIN_MS = 2 * 60_000

/** Returns whether a message of this kind and state allows the change. The caller checks sender and time limit. */
export const isChangeable = (
  { kind, file, disputeId, isRetracted = false }: Pick<ChatMessage, 'kind' | 'file' | 'disputeId' | 'isRetracted'>,
  change: MessageChange,
): boolean =>
  !isRetracted && disputeId === undefined && (change === 'retract' || (kind === 'text' && file === undefined))

export const QUOTE_MAX = 140

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
