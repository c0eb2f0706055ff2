import { printTable } from '../report.ts'

/** What was measured in one attack, beside its bar. */
export interface AttackLine {
  readonly what: string
  readonly seen: string
  readonly bar: string
  readonly isMet: boolean
}

/** Prints the lines as rows of the table in docs/benchmarks.md. */
export function printAttackLines(lines: readonly AttackLine[]): void {
  printTable([
    ['what', 'seen', 'bar', ''],
    ...lines.map(({ what, seen, bar, isMet }) => [what, seen, bar, isMet ? 'met' : 'MISSED']),
  ])
}
