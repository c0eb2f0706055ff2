import type { BetStatus } from '../game/bet.ts'
import type { Minor } from '../money.ts'

export const DISPUTE_STATUSES = ['open', 'upheld', 'rejected'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Longest text in UTF-16 units, after trimming (rules §9.1). */
export const DISPUTE_TEXT_MAX = 300
export const DISPUTABLE_DAYS = 30
export const DISPUTES_PER_DAY = 10

const DAY_MS = 86_400_000

export const OPENING_REFUSALS = [
  'STAFF_CANNOT_PLAY',
  'REASON_REQUIRED',
  'BET_NOT_SETTLED',
  'DISPUTE_TOO_LATE',
  'DISPUTE_EXISTS',
  'TOO_MANY_DISPUTES',
  'NOT_SEALED_YET',
] as const
type OpeningRefusal = (typeof OPENING_REFUSALS)[number]

export function cleanSentence(text: string): string | null {
  const cleaned = text.trim().replaceAll(/\s+/g, ' ')
  const isSentence = /[\p{L}\p{N}]/u.test(cleaned) && cleaned.length <= DISPUTE_TEXT_MAX
  return isSentence && !cleaned.includes('\0') && cleaned.isWellFormed() ? cleaned : null
}

export const disputableUntilMs = (settledAtMs: number): number => settledAtMs + DISPUTABLE_DAYS * DAY_MS

/**
 * Decides whether a player may dispute their own bet (rules §9.1).
 * @param asked.text the sentence after `cleanSentence`
 * @param asked.seal the bet's entry in the present log: `waiting` if queued, `none` if there is none (rules §9.3)
 */
export function decideOpening(asked: {
  readonly isStaff: boolean
  readonly text: string | null
  readonly betStatus: BetStatus
  readonly settledAtMs: number | null
  readonly nowMs: number
  readonly isDisputed: boolean
  readonly openedLastDay: number
  readonly seal: 'sealed' | 'waiting' | 'none'
}): OpeningRefusal | null {
  if (asked.isStaff) return 'STAFF_CANNOT_PLAY'
  if (asked.text === null) return 'REASON_REQUIRED'
  if (asked.isDisputed) return 'DISPUTE_EXISTS'
  if (asked.betStatus === 'open' || asked.settledAtMs === null) return 'BET_NOT_SETTLED'
  if (asked.nowMs >= disputableUntilMs(asked.settledAtMs)) return 'DISPUTE_TOO_LATE'
  if (asked.openedLastDay >= DISPUTES_PER_DAY) return 'TOO_MANY_DISPUTES'
  return asked.seal === 'waiting' ? 'NOT_SEALED_YET' : null
}

export const ANSWER_REFUSALS = [
  'ALREADY_DECIDED',
  'REASON_REQUIRED',
  'NOT_YOURSELF',
  'AMOUNT_REQUIRED',
  'AMOUNT_LIMIT',
] as const
type AnswerRefusal = (typeof ANSWER_REFUSALS)[number]

/** Decides whether a dispute may get this answer (rules §9.2). */
export function decideAnswer(asked: {
  readonly status: DisputeStatus
  readonly isOwnDispute: boolean
  readonly verdict: 'upheld' | 'rejected'
  readonly text: string | null
  readonly correctionMinor: Minor | null
  readonly stakeMinor: Minor
}): AnswerRefusal | null {
  if (asked.isOwnDispute) return 'NOT_YOURSELF'
  if (asked.status !== 'open') return 'ALREADY_DECIDED'
  if (asked.text === null) return 'REASON_REQUIRED'
  if (asked.verdict === 'rejected') return asked.correctionMinor === null ? null : 'AMOUNT_LIMIT'
  if (asked.correctionMinor === null || asked.correctionMinor <= 0n) return 'AMOUNT_REQUIRED'
  return asked.correctionMinor > asked.stakeMinor ? 'AMOUNT_LIMIT' : null
}
