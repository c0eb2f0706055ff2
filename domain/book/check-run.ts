import { type BookReader, type BookSummary, createBookReader, NOTHING_READ } from './book-reader.ts'
import { BookFaultError, type BookHead, type BookSource } from './book-source.ts'
import { type Sha256, toBase64 } from './bytes.ts'
import { type CheckStep, type Fault, type FaultKind, FAULTS_OF } from './faults.ts'
import { addCounts, dayOfRound, NO_COUNTS, type RateCounts } from './rate-counts.ts'
import { checkLines, type LoggedRound } from './round-check.ts'

/* The state of one check of a log, and the steps that add to its result (check-book.ts). */

export const CHECK_STEPS = Object.keys(FAULTS_OF) as readonly CheckStep[]

/** `pending`: right so far, but a seed is not opened or a round not closed yet. `stopped`: ended by `signal`. */
export type CheckState = 'running' | 'right' | 'wrong' | 'pending' | 'stopped'

export interface StepProgress {
  readonly step: CheckStep
  readonly state: CheckState
  readonly done: number
  readonly total: number | null
}

export interface CheckOptions {
  readonly sha256: Sha256
  readonly onStep?: (progress: StepProgress) => void
  /** Once `aborted` is true, the check stops at the next bundle or round, or when a call rejects. */
  readonly signal?: { readonly aborted: boolean }
  readonly readsReceipts?: boolean
}

export interface CheckedRates {
  readonly day: number
  readonly type: string
  readonly source: string
  readonly counts: RateCounts
}

export interface CheckResult {
  readonly state: Exclude<CheckState, 'running'>
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly head: BookHead | null
  readonly summary: BookSummary
  readonly settledBets: number
  readonly rates: readonly CheckedRates[]
}

const MOST_FAULTS = 1_000
const LANES = 8

class Stopped extends Error {}

interface RunOptions extends CheckOptions {
  readonly readsEvidence?: boolean
}

const beginCheck = (source: BookSource, options: RunOptions) => ({
  source,
  ...options,
  faults: [] as Fault[],
  faultCount: 0,
  wrong: new Set<CheckStep>(),
  progress: new Map<CheckStep, { readonly done: number; readonly total: number | null }>(),
  rates: new Map<string, CheckedRates>(),
  settledBets: 0,
  head: null as BookHead | null,
  reader: null as BookReader | null,
  closed: [] as LoggedRound[],
  isUnfinished: false,
})

export type Check = ReturnType<typeof beginCheck>

export async function runCheck(
  source: BookSource,
  options: RunOptions,
  work: (check: Check) => Promise<void>,
): Promise<CheckResult> {
  const check = beginCheck(source, options)
  let isStopped = false
  try {
    await work(check)
  } catch (error) {
    if (error instanceof BookFaultError) addFault(check, error.fault)
    else if (error instanceof Stopped || options.signal?.aborted === true) isStopped = true
    else throw error
  }
  const { faults, faultCount, head, settledBets, isUnfinished, wrong } = check
  const summary = check.reader?.summary() ?? NOTHING_READ
  const isPending = summary.pending > 0 || isUnfinished
  for (const [step, { done }] of check.progress) {
    const waits = step === 'prices' ? summary.pending > 0 : step === 'rounds' && isUnfinished
    // If the step `note` was done before the check was stopped, its state is not `stopped`.
    const isCut = isStopped && (step !== 'note' || done === 0)
    reportStep(check, step, wrong.has(step) ? 'wrong' : isCut ? 'stopped' : waits ? 'pending' : 'right')
  }
  const state = faultCount > 0 ? 'wrong' : isStopped ? 'stopped' : isPending ? 'pending' : 'right'
  const rates = [...check.rates.values()].toSorted(
    (a, b) =>
      a.day - b.day ||
      a.source.localeCompare(b.source) ||
      a.type.length - b.type.length ||
      a.type.localeCompare(b.type),
  )
  return { state, faults, faultCount, head, summary, settledBets, rates }
}

function reportStep({ onStep, progress }: Check, step: CheckStep, state: CheckState): void {
  onStep?.({ step, state, ...(progress.get(step) ?? { done: 0, total: null }) })
}

export function noteProgress(check: Check, step: CheckStep, done: number, total: number | null): void {
  check.progress.set(step, { done, total })
  reportStep(check, step, check.wrong.has(step) ? 'wrong' : 'running')
}

export function addFault(check: Check, fault: Fault): void {
  check.faultCount++
  if (check.faults.length < MOST_FAULTS) check.faults.push(fault)
  const step = stepOf(fault.kind)
  check.wrong.add(step)
  reportStep(check, step, 'wrong')
}

export function stopIfAsked({ signal }: CheckOptions): void {
  if (signal?.aborted === true) throw new Stopped()
}

/** Reads the host's newest note. The step `note` is done after `judge`, which may compare this note with another. */
export async function readHead(check: Check, judge?: (head: BookHead) => Promise<void>): Promise<BookHead> {
  noteProgress(check, 'note', 0, 1)
  const head = await check.source.head()
  check.head = head
  await judge?.(head)
  noteProgress(check, 'note', 1, 1)
  return head
}

export function startReader(check: Check, first: number, only?: string): BookReader {
  check.reader = createBookReader({
    sha256: check.sha256,
    first,
    ...(only === undefined ? {} : { only }),
    onFault: (found) => {
      if (only === undefined || found.round === only) addFault(check, found)
    },
    onClosed: (round) => check.closed.push(round),
  })
  return check.reader
}

export async function settleClosed(check: Check, only: string | null): Promise<void> {
  const due = check.closed.filter(({ entry }) => only === null || entry.round === only)
  check.closed = []
  const lane = async (): Promise<void> => {
    for (let round = due.shift(); round !== undefined; round = due.shift()) {
      stopIfAsked(check)
      try {
        await settleRound(check, round)
      } catch (error) {
        if (!(error instanceof BookFaultError)) throw error
        addFault(check, error.fault)
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  noteProgress(check, 'bets', check.settledBets, null)
}

async function settleRound(check: Check, round: LoggedRound): Promise<void> {
  const { type, source, opens, round: id } = round.entry
  const lines: string[] = []
  // A `closed` entry may claim any number of bets. One line beyond the log's bets shows that the number is wrong.
  const most = Math.min(round.closed?.entry.bets ?? 0, round.bets.length + 1)
  for await (const page of check.source.settledLines(id, most)) lines.push(...page)
  const { faults, counts } = checkLines(check.sha256, round, lines)
  for (const fault of faults) addFault(check, fault)
  if (check.readsEvidence === true) await checkEvidenceBytes(check, round)
  if (check.readsReceipts === true) await checkReceipt(check, round)
  check.settledBets += lines.length
  const day = dayOfRound(opens)
  const key = `${day} ${type} ${source}`
  const before = check.rates.get(key)?.counts ?? NO_COUNTS
  check.rates.set(key, { day, type, source, counts: addCounts(before, counts) })
}

async function checkReceipt(check: Check, { entry: { round }, ...logged }: LoggedRound): Promise<void> {
  const receipt = await check.source.receipt(round)
  if (receipt === null) return addFault(check, { kind: 'receipt-missing', index: logged.index, round })
  const places = { round: logged, result: logged.result, closed: logged.closed, announce: logged.announce }
  for (const part of PARTS) {
    const [expected, found] = [places[part]?.index ?? null, receipt[part]?.index ?? null]
    if (expected !== found) addFault(check, { kind: 'receipt-entry', index: expected, round, expected, found })
  }
}

const PARTS = ['round', 'result', 'closed', 'announce'] as const
export type Part = (typeof PARTS)[number]

async function checkEvidenceBytes(check: Check, { entry: { round, source }, closed }: LoggedRound): Promise<void> {
  for (const [second, expected] of closed?.entry.evidence ?? []) {
    const bytes = await check.source.evidence(source, second)
    const found = bytes === null ? null : toBase64(check.sha256(bytes))
    if (found !== expected)
      addFault(check, { kind: 'evidence-bytes', index: closed?.index ?? null, round, expected, found })
  }
}

export const stepOf = (kind: FaultKind): CheckStep =>
  CHECK_STEPS.find((step) => (FAULTS_OF[step] as readonly FaultKind[]).includes(kind)) ?? 'bets'
