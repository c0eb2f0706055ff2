import { decideLimits, type LimitsState, type PendingRaise, type PlayerLimits } from '#domain/game/limits.ts'
import { type Minor, MINOR_PER_POINT } from '#domain/money.ts'
import { readNumber } from '#domain/typed-number.ts'
import { numberProblems } from '#web/ui/typed-texts.ts'
import { formatDate, formatMinute, formatWholeAmount } from '#web/platform/formats.ts'
import { limitsTexts, reminderTexts } from './limits-texts.ts'

const minuteMs = 60_000

/** Describes how saving would change the daily limits and a pending raise. Empty if the server would refuse. */
export function describeChange(before: LimitsState, wish: PlayerLimits, nowMs: number): readonly string[] {
  const decision = decideLimits(before, wish, nowMs)
  if (!decision.ok) return []
  const { limits, pending } = decision.state
  const lowers =
    limits.dailyStakeMinor !== before.limits.dailyStakeMinor || limits.dailyLossMinor !== before.limits.dailyLossMinor
  const isNewRaise = pending !== null && pending !== before.pending
  const sentences: string[] = []
  if (lowers) sentences.push(limitsTexts.willLower)
  if (isNewRaise) sentences.push(before.pending === null ? limitsTexts.willRaise : limitsTexts.willReplaceRaise)
  if (before.pending !== null && pending === null) sentences.push(limitsTexts.willCancelRaise)
  return sentences
}

/** Returns `15:04 20/11/2026`. */
export const momentText = (atMs: number): string => `${formatMinute(atMs)} ${formatDate(atMs)}`

export const limitText = (limitMinor: Minor | null): string =>
  limitMinor === null ? limitsTexts.noLimit.toLowerCase() : limitsTexts.points(formatWholeAmount(limitMinor))

export function pendingWords(limits: PlayerLimits, pending: PendingRaise): string {
  const parts: string[] = []
  if (pending.dailyStakeMinor !== limits.dailyStakeMinor)
    parts.push(limitsTexts.pendingStake(limitText(pending.dailyStakeMinor)))
  if (pending.dailyLossMinor !== limits.dailyLossMinor)
    parts.push(limitsTexts.pendingLoss(limitText(pending.dailyLossMinor)))
  return `${limitsTexts.pendingTitle(momentText(pending.takesEffectAtMs))} ${parts.join(', ')}`
}

/** Returns whole points, or '' without a limit. A fraction, which only another client can have set, is cut off. */
export const digitsOf = (limitMinor: Minor | null): string =>
  limitMinor === null ? '' : String(limitMinor / MINOR_PER_POINT)

/** Returns the typed limit: null (no limit) for an empty field, `before` for a text that is no number. */
export function limitOf(typed: string, before: Minor | null): Minor | null {
  const read = readNumber(typed, 'whole')
  return read.ok ? read.minor : read.problem === 'empty' ? null : before
}

export function limitProblem(typed: string): string | undefined {
  const read = readNumber(typed, 'whole')
  return read.ok || read.problem === 'empty' ? undefined : numberProblems[read.problem]
}

/** Returns `45 phút` or `2 giờ 5 phút`. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / minuteMs)
  return minutes < 60 ? reminderTexts.minutes(minutes) : reminderTexts.hours(Math.floor(minutes / 60), minutes % 60)
}
