import type { BetStatus, Direction, ScriptedOutcome } from '../game/bet.ts'
import type { BookDirection } from './entry.ts'
import type { Opening } from './opening.ts'
import type { SettledLine } from './settled-line.ts'

export const toBookDirection = (direction: Direction): BookDirection => (direction === 'up' ? 'UP' : 'DOWN')
export const fromBookDirection = (direction: BookDirection): Direction => (direction === 'UP' ? 'up' : 'down')

export const toBookScript = (script: ScriptedOutcome | null): Opening['script'] =>
  script === null ? null : script === 'win' ? 'WIN' : 'LOSE'

export const openingOf = (bet: {
  readonly id: string
  readonly round: { readonly id: string }
  readonly direction: Direction
  readonly stakeMinor: bigint
  readonly basis: Opening['basis']
  readonly script?: ScriptedOutcome | null | undefined
  readonly createdAtMs: number
  readonly entryFromMs: number
}): Opening => ({
  bet: bet.id,
  round: bet.round.id,
  direction: toBookDirection(bet.direction),
  stake: Number(bet.stakeMinor),
  basis: bet.basis,
  script: toBookScript(bet.script ?? null),
  at: bet.createdAtMs,
  entryFrom: bet.entryFromMs / 1000,
})

const statuses = { WIN: 'won', LOSE: 'lost', VOID: 'voided' } as const
export const fromBookStatus = (status: SettledLine['status']): Exclude<BetStatus, 'open'> => statuses[status]
