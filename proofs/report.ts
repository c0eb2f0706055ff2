import { printTable } from '../bench/report.ts'

/** A figure that a fault or an attack gave, beside its bar. */
export interface BarLine {
  readonly what: string
  readonly seen: string
  readonly bar: string
  readonly isMet: boolean
}

/** Prints the lines as rows of the table in docs/benchmarks.md. */
export function printBarLines(lines: readonly BarLine[]): void {
  printTable([
    ['what', 'seen', 'bar', ''],
    ...lines.map(({ what, seen, bar, isMet }) => [what, seen, bar, isMet ? 'met' : 'MISSED']),
  ])
}

/** A figure that must be exactly this. */
export const exactly = (what: string, seen: number, bar: number): BarLine => ({
  what,
  seen: String(seen),
  bar: String(bar),
  isMet: seen === bar,
})

/** A figure that must be reached, so that nothing is right because nothing happened. */
export const atLeast = (what: string, seen: number, bar: number): BarLine => ({
  what,
  seen: String(seen),
  bar: `≥ ${bar}`,
  isMet: seen >= bar,
})

/** A time that must not be exceeded. */
export const withinS = (what: string, seenMs: number, barS: number): BarLine => ({
  what,
  seen: `${(seenMs / 1000).toFixed(1)} s`,
  bar: `≤ ${barS} s`,
  isMet: seenMs <= barS * 1000,
})
