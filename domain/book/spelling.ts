import type { BetStatus, Direction, ScriptedOutcome } from '../game/bet.ts'
import type { BookDirection } from './entry.ts'
import type { Opening } from './opening.ts'
import type { SettledLine } from './settled-line.ts'

/* Our words and the log's spellings of them (docs/open-book.md §2). */

export const toBookDirection = (direction: Direction): BookDirection => (direction === 'up' ? 'UP' : 'DOWN')
export const fromBookDirection = (direction: BookDirection): Direction => (direction === 'UP' ? 'up' : 'down')

export const toBookScript = (script: ScriptedOutcome | null): Opening['script'] =>
  script === null ? null : script === 'win' ? 'WIN' : 'LOSE'

const statuses = { WIN: 'won', LOSE: 'lost', VOID: 'voided' } as const
export const fromBookStatus = (status: SettledLine['status']): Exclude<BetStatus, 'open'> => statuses[status]
