import type { Sha256 } from './bytes.ts'
import type { EntryFields, EntryOf } from './entry.ts'
import type { Fault, FaultKind } from './faults.ts'
import { createKnownPrices } from './known-prices.ts'
import { createBitSet, type StretchSet } from './number-sets.ts'
import type { LoggedRound, Placed } from './round-check.ts'

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
