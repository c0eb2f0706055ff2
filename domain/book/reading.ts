import type { Sha256 } from './bytes.ts'
import type { EntryFields, EntryOf } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { createBitSet, type StretchSet } from './number-sets.ts'
import type { LoggedRound, Placed } from './round-check.ts'

const HOUR = 3_600
const HOURS_KEPT = 96

interface Hour {
  /** The price of each second of the hour: 0 if the second was not seen, −1 if it was seen and has no price. */
  readonly prices: Int32Array
  readonly ages: Int16Array
}

/**
 * Keeps the prices of the entries that were read, hour by hour, to find two different prices of one second
 * (docs/open-book.md §2). To limit memory, only the 96 hours of each source that were added last are kept.
 */
function createKnownPrices() {
  const sources = new Map<string, Map<number, Hour>>()
  return {
    /** Stores price and age of a second and returns null. For a known second, only returns the stored price and age. */
    note(source: string, second: number, price: number | null, age: number | null) {
      const hours = sources.get(source) ?? new Map<number, Hour>()
      sources.set(source, hours)
      const number = Math.floor(second / HOUR)
      let hour = hours.get(number)
      if (hour === undefined) {
        hour = { prices: new Int32Array(HOUR), ages: new Int16Array(HOUR) }
        hours.set(number, hour)
        if (hours.size > HOURS_KEPT) hours.delete(hours.keys().next().value ?? number)
      }
      const at = second % HOUR
      const known = hour.prices[at] ?? 0
      if (known !== 0)
        return { price: known < 0 ? null : known, age: (hour.ages[at] ?? 0) < 0 ? null : (hour.ages[at] ?? 0) }
      hour.prices[at] = price ?? -1
      hour.ages[at] = age ?? -1
      return null
    },
  }
}

export interface BookReaderOptions {
  readonly sha256: Sha256
  readonly first: number
  readonly only?: string
  readonly onFault: (fault: Fault) => void
  readonly onClosed: (round: LoggedRound) => void
}

export const NOTHING_COUNTED = {
  entries: 0,
  notUnderstood: 0,
  rounds: 0,
  closed: 0,
  deleted: 0,
  bets: 0,
  pending: 0,
  onPath: 0,
  outside: 0,
}

interface Due {
  overSince: number | null
  isOverdue: boolean
}

export interface RunningRound extends LoggedRound, Due {
  announce: Placed<EntryOf<'announce'>> | null
  readonly bets: { index: number; entry: EntryOf<'bet'>; sealedAtMs: number | null }[]
  deletedAtMs: number | null
  result: Placed<EntryOf<'result'>> | null
  closed: Placed<EntryOf<'closed'>> | null
}

export interface Attempt {
  readonly attempt: number
  isDeleted: boolean
}

export interface Day extends Due {
  readonly commitment: string
  opened: { readonly seed: Uint8Array; readonly startPrice: number } | null
}

export interface RoundPath {
  readonly round: string
  readonly index: number
  readonly from: number
  readonly ticks: Int32Array
}

export const beginReading = (options: BookReaderOptions) => ({
  ...options,
  running: new Map<string, RunningRound>(),
  ended: new Map<string, true>(),
  windows: new Map<string, Attempt>(),
  firstAttempts: new Map<string, StretchSet>(),
  days: new Map<number, Day>(),
  unopened: new Map<number, Day>(),
  pending: new Map<number, RoundPath[]>(),
  prices: createKnownPrices(),
  betIndexes: createBitSet(),
  references: new Set<number>(),
  disputed: new Set<number>(),
  proposals: [] as { readonly actor: string | null; readonly amount: number | null; readonly at: number }[],
  isRestarted: false,
  rules: null as EntryFields['rules'] | null,
  unsealed: [] as { sealedAtMs: number | null }[],
  firstAt: null as number | null,
  firstBeatAt: null as number | null,
  beatAt: null as number | null,
  lastKind: '',
  /** Time in ms in which the log has gone on: the sum of the gaps between beats, each counted as at most 10 s. */
  goneOn: 0,
  count: { ...NOTHING_COUNTED },
})

export type Reading = ReturnType<typeof beginReading>

export const say = (
  { onFault }: Reading,
  kind: FaultKind,
  index: number | null,
  round: string | null = null,
  told: Pick<Fault, 'expected' | 'found'> = {},
): void => onFault({ kind, index, round, ...told })

/**
 * Returns true once: at the first call where `goneOn` has grown by more than `afterMs` since the first call for `due`.
 */
export function hasBecomeOverdue({ goneOn }: Reading, due: Due, afterMs: number): boolean {
  if (due.isOverdue) return false
  due.overSince ??= goneOn
  due.isOverdue = goneOn - due.overSince > afterMs
  return due.isOverdue
}
