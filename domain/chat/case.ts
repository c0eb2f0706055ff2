/** A case is a matter of a player with customer care, from its first message until `done` (rules §7.16). */
import type { MessageKind } from './conversation.ts'
import type { CaseTopic } from './desk.ts'
import { searchKey } from '#domain/search-text.ts'

export type Satisfaction = 'good' | 'bad'
export const SATISFACTION_TEXT_MAX = 500

export const REPORT_DAYS_MAX = 366

/** Patterns for texts without accents. The first pattern that matches decides, so "lệnh rút" is about a withdrawal. */
const TOPIC_WORDS: ReadonlyArray<readonly [CaseTopic, RegExp]> = [
  ['withdrawal', /\brut\b/],
  ['deposit', /\bnap\b/],
  ['bet', /\b(lenh|phien|vong)\b/],
  ['account', /\b(tai khoan|mat khau|dang nhap|ngan hang|xac thuc)\b/],
]

export function topicOf(message: {
  readonly kind: MessageKind
  readonly content: string
  readonly disputeId?: string | null | undefined
}): CaseTopic | null {
  if (message.disputeId) return 'bet'
  if (message.kind === 'image') return null
  const key = searchKey(message.content)
  return TOPIC_WORDS.find(([, words]) => words.test(key))?.[0] ?? null
}

export const isAsked = (last: {
  readonly isReplied: boolean
  readonly isDone: boolean
  readonly isRated: boolean
}): boolean => last.isReplied && last.isDone && !last.isRated
