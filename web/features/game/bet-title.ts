import type { BetStatus, Direction } from '#domain/game/bet.ts'
import type { RoundType } from '#domain/game/calendar.ts'
import { directionWords, statusWords } from './bet-words.ts'

type Titled = { readonly direction: Direction; readonly type: RoundType; readonly status: BetStatus }

/** Names a bet and its status in one line: `Bán 30s · Thua`. */
export const betTitle = ({ direction, type, status }: Titled): string =>
  `${directionWords[direction].label} ${type} · ${statusWords[status].label}`
