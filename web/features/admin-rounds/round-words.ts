import type { Direction } from '#domain/game/bet.ts'
import { STAFF_ACT_MIN_LEFT_MS } from '#domain/game/calendar.ts'
import { adminRoundTexts as texts } from './admin-round-texts.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import type { Round } from './api.ts'

/** Returns `Mua ▲` or `Bán ▼`. */
export const directionText = (direction: Direction): string => `${texts[direction]} ${direction === 'up' ? '▲' : '▼'}`

export const statusOf = (round: Round): { readonly label: string; readonly tone: BadgeTone } => {
  if (round.isDeleted) return { label: texts.deleted, tone: 'neutral' }
  if (round.status === 'running') return { label: texts.running, tone: 'info' }
  return round.status === 'settling' ? { label: texts.settling, tone: 'warn' } : { label: texts.ended, tone: 'neutral' }
}

/** Returns true if a colleague set the result, which is hidden from this admin until the round's end (rules §1.2). */
export const isSecret = (round: Round): boolean =>
  round.status !== 'ended' && round.announcement !== null && round.announcement.direction === null

/** Returns the announced result if this admin may see it, else the round's own result. A deleted round has none. */
export const resultOf = (round: Round): Direction | null =>
  round.isDeleted ? null : (round.announcement?.direction ?? round.result)

/** Returns what decides the round, by a text; '' for a deleted round, which nothing decides. */
export const decidedByText = ({ isDeleted, resultSource }: Round): string =>
  isDeleted ? '' : resultSource === 'ADMIN' ? texts.byStaff : texts.byPrice

/** Returns whether the round ended without a result, because its prices tie or one is missing (rules §2.6). */
export const isUndecided = (round: Round): boolean =>
  round.status === 'ended' && !round.isDeleted && resultOf(round) === null

/** The deadline for staff to set a running round's result or to delete the running round (rules §2.9). */
export const actsUntilMs = ({ closesAtMs }: { readonly closesAtMs: number }): number =>
  closesAtMs - STAFF_ACT_MIN_LEFT_MS
