import {
  type BookAnswer,
  BookFaultError,
  BookHostError,
  type BookSource,
  openBookSource,
  originOfRound,
} from '#domain/book/book-source.ts'
import { checkBook, checkProof, checkRound, originOfProof, type StepProgress, stepOf } from '#domain/book/check-book.ts'
import type { Fault } from '#domain/book/faults.ts'
import { sha256, verifyEd25519 } from '#web/platform/book-crypto.ts'
import type { KeptLog } from '#web/platform/book-notes.ts'
import { pause } from '#web/platform/pause.ts'
import type { CheckReport, CheckRequest, FromWorker } from './check-messages.ts'

export type CheckTools = {
  /** Fetches a path from the server. Rejects if no answer comes. */
  readonly get: (path: string) => Promise<BookAnswer>
  /** The logs that this device has seen. A known log that is missing now, or has another key or history, is a fault. */
  readonly known: readonly KeptLog[]
  readonly tell: (message: FromWorker) => void
  readonly signal: { readonly aborted: boolean }
}

/** The least time between two reports of steps, so that a phone need not draw each one. */
const TELL_EVERY_MS = 100

/** Runs a check, and reports its steps and at last a report or a failure. The promise never rejects. */
export async function runCheck(request: CheckRequest, { get, known, tell, signal }: CheckTools): Promise<void> {
  const onStep = sparingly((step) => tell({ step }))
  const seen: { offline: boolean } = { offline: false }
  const reach: CheckTools['get'] = (path) =>
    get(path).catch((error: unknown) => {
      seen.offline = true
      throw error
    })
  try {
    const report = await checkInItsLog(request, reach, known, onStep, signal)
    onStep.flush()
    tell({ report })
  } catch (error) {
    if (signal.aborted) return tell({ report: untrusted(request, 'stopped', []) })
    // The server or the network is the cause if no answer came, or if an answer does not belong to a log.
    tell({ failure: seen.offline || error instanceof BookHostError ? 'host' : 'crash' })
  }
}

type OnStep = (step: StepProgress) => void

/** A restart of the book begins a new log. Checks the log of the requested round or proof, or else the newest log. */
async function checkInItsLog(
  request: CheckRequest,
  get: CheckTools['get'],
  known: readonly KeptLog[],
  onStep: OnStep,
  signal: CheckTools['signal'],
): Promise<CheckReport> {
  const checkIn = (origin: string | undefined) => check(request, origin, { get, known, signal }, onStep)
  if (request.kind !== 'round') return checkIn(request.kind === 'proof' ? originOfProof(request.text) : undefined)
  const origin = await originOfRound({ get }, request.round)
  const report = await checkIn(origin)
  if (report.state !== 'wrong') return report
  // If the round was still open, a restart during the check may have moved it to the next log, which is then checked.
  const movedTo = await originOfRound({ get }, request.round).catch(() => undefined)
  return movedTo === undefined || movedTo === origin ? report : checkIn(movedTo)
}

async function check(
  request: CheckRequest,
  origin: string | undefined,
  { get, known, signal }: Omit<CheckTools, 'tell'>,
  onStep: OnStep,
): Promise<CheckReport> {
  const options = { sha256, onStep, signal }
  let source: BookSource
  try {
    source = await openBookSource({ get, sha256, verifyEd25519, wait: pause, origin, known })
  } catch (error) {
    if (error instanceof BookFaultError) {
      onStep({ step: stepOf(error.fault.kind), state: 'wrong', done: 0, total: null })
      return untrusted(request, 'wrong', [error.fault])
    }
    throw error
  }
  const { vkey } = source.log
  if (request.kind === 'round')
    return { ...(await checkRound(source, request.round, options)), request, vkey, proof: null }
  if (request.kind === 'rounds')
    return { ...(await checkBook(source, { ...options, rounds: request.count })), request, vkey, proof: null }
  const { index, opening, ...result } = await checkProof(source, request.text, options)
  return { ...result, request, vkey, proof: { index, opening } }
}

/** Returns the report of a check that ended before the log was opened: by a fault, or because it was stopped. */
const untrusted = (request: CheckRequest, state: CheckReport['state'], faults: readonly Fault[]): CheckReport => ({
  ...{ request, state, faults, faultCount: faults.length, head: null, settledBets: 0 },
  ...{ summary: null, vkey: null, proof: null },
})

/** Passes on the newest state of each step, at most once in TELL_EVERY_MS. `flush` passes on what was held back. */
function sparingly(tell: (step: StepProgress) => void) {
  const waiting = new Map<StepProgress['step'], StepProgress>()
  let toldAtMs = Number.NEGATIVE_INFINITY
  const flush = () => {
    for (const step of waiting.values()) tell(step)
    waiting.clear()
    toldAtMs = performance.now()
  }
  const onStep = (step: StepProgress) => {
    waiting.set(step.step, step)
    if (performance.now() - toldAtMs >= TELL_EVERY_MS) flush()
  }
  return Object.assign(onStep, { flush })
}
