import type { CheckStep, StepProgress } from '#domain/book/check-book.ts'
import type { Fault } from '#domain/book/faults.ts'
import { formatCount } from '#web/platform/formats.ts'
import type { CheckReport, CheckRequest } from './check-messages.ts'
import { checkTexts as texts } from './check-texts.ts'
import type { CheckState } from './use-check.ts'

/** `absent`: the book does not have the requested round. `failed`: the check ended without a report. */
export type Verdict = 'running' | 'right' | 'wrong' | 'pending' | 'stopped' | 'absent' | 'failed'

export function verdictOf({ outcome }: CheckState): Verdict {
  if (outcome === null) return 'running'
  if (!('report' in outcome)) return 'failed'
  return isAbsent(outcome.report) ? 'absent' : outcome.report.state
}

/** Returns whether the requested round is missing. If only a receipt page is missing, the fault has `expected`. */
const isAbsent = ({ request, faults: [fault] }: CheckReport): boolean =>
  request.kind === 'round' && fault?.kind === 'receipt-missing' && fault.expected === undefined

export function verdictText(check: CheckState): string {
  const { outcome } = check
  if (outcome === null) return texts.running
  if (verdictOf(check) === 'absent') return texts.absent
  if ('failure' in outcome) return outcome.failure === 'host' ? texts.failed : texts.crashed
  const { state, faultCount, summary } = outcome.report
  if (state === 'pending' && (summary?.pending ?? 0) === 0) return texts.unclosed
  return state === 'wrong' ? texts.wrong(formatCount(faultCount)) : texts[state]
}

export function stateText({ step, state }: Pick<StepProgress, 'step' | 'state'>): string {
  if (state !== 'pending') return texts.states[state]
  return step === 'prices' ? texts.waitsForSeed : texts.waitsForClose
}

/** Returns `12/40`, or `12` if the total is unknown. Null if the total is 0, or if it is unknown and `done` is 0. */
export function progressText({ done, total }: StepProgress): string | null {
  if (total === null) return done === 0 ? null : formatCount(done)
  return total === 0 ? null : texts.of(formatCount(done), formatCount(total))
}

const valueText = (value: string | number | null): string =>
  value === null ? texts.nothing : typeof value === 'number' ? formatCount(value) : value

export function faultDetails({ index, round, expected, found }: Fault): readonly string[] {
  const place = [index !== null && texts.place(formatCount(index)), round !== null && texts.inRound(round)]
    .filter((part) => part !== false)
    .join(' · ')
  return [
    place !== '' && place,
    expected !== undefined && texts.expected(valueText(expected)),
    found !== undefined && texts.found(valueText(found)),
  ].filter((line) => line !== false)
}

export const stepsOf = (kind: CheckRequest['kind']): readonly CheckStep[] =>
  kind === 'proof' ? ['note'] : ['note', 'entries', 'rounds', 'bets', 'prices']
