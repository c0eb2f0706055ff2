import type { BetPromise } from '#contract/book.ts'
import type { gameEndpoints } from '#contract/game.ts'
import { isSealedLate } from '#domain/book/rate-counts.ts'
import { openingOf } from '#domain/book/spelling.ts'
import { type KeptLog, keepLog, readKeptLogs } from '#web/platform/book-notes.ts'
import type { CallInput } from '#web/platform/api.ts'
import { pause } from '#web/platform/pause.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { createSignal } from '#web/platform/signal.ts'
import { fetchProof, type ProofAnswer, type SealableBet } from './api.ts'
import { askWorker } from './ask-worker.ts'
import type { Mismatch } from './judge-seal.ts'
import { type KeptSeal, keepSeal, readSeal, readSeals, removeSeal } from './kept-seal.ts'

/**
 * Follows the player's bets into the public log (docs/open-book.md §3): judges first the promise of a bet, then the
 * proof that the bet is sealed. The device keeps mismatches, and the unfinished checks of bets with a promise.
 */

export type SealState =
  | { readonly is: 'sealing' }
  /** The server says that the bet is sealed, but the proof is not judged yet. */
  | { readonly is: 'checking' }
  /** The bet was accepted over `patienceMs` ago, no proof is judged yet, and no fault is known. */
  | { readonly is: 'slow' }
  /** A bet that was sealed late (`isLate`) is no fault. The page `/so-mo` counts late bets. */
  | { readonly is: 'sealed'; readonly index: number; readonly isLate: boolean }
  | { readonly is: 'failed'; readonly seal: KeptSeal }

/** The order as it was sent, for comparison with the order that the server accepted. */
export type SentOrder = Omit<CallInput<typeof gameEndpoints.placeBet>['body'], 'userId'>

/** The time between two requests for a proof: `askAgainMs`, or `slowMs` once the bet waits longer than `patienceMs`. */
const askAgainMs = 1_000
const slowMs = 10_000
/** Within this time a promise has to be kept, and a stale note has to be followed by a newer note. */
const patienceMs = 60_000
/** After this time, requests for a bet's proof stop until the page is reloaded or the bet is shown again. */
const giveUpMs = 15 * 60_000
/** The number of checks that are resumed in parallel. With only one, a bet without a proof would delay all others. */
const resumedAtOnce = 4

export type SealingDeps = {
  readonly ask: typeof askWorker
  readonly fetchProof: typeof fetchProof
  readonly nowMs: () => number
  readonly pause: (ms: number) => Promise<void>
}

type Verdict =
  | { readonly is: 'open'; readonly isOverdue: boolean }
  | { readonly is: 'sealed'; readonly index: number; readonly isLate: boolean }
  | ({ readonly is: 'wrong' } & Wrong)

/** `known`: the logs that this device had seen before the check that failed. */
type Wrong = { readonly mismatch: Mismatch; readonly proof: string | null; readonly known: readonly KeptLog[] }

const fault = (of: 'note-stale' | 'promise-unkept'): Mismatch => ({ fault: of, expected: null, found: null })

/** Returns a function that makes one attempt to judge a bet: first by its promise, then by its proof. */
function createTrial({ ask, fetchProof: readProof, nowMs }: Omit<SealingDeps, 'pause'>, seal: KeptSeal) {
  const { id, opening, promise, closesAtMs } = seal
  let isPromiseRight = promise === null
  let staleSinceMs: number | null = null
  let hasGoneOn = false

  async function judgePromise(known: readonly KeptLog[]): Promise<Mismatch | null> {
    if (promise === null || isPromiseRight) return null
    const answer = await ask({ known, ask: 'promise', bet: seal, promise })
    if (answer.is === 'wrong') return answer.mismatch
    if (answer.is === 'right') {
      await keepLog(answer.log)
      isPromiseRight = true
    }
    return null
  }

  async function judgeProof(proof: string, known: readonly KeptLog[]): Promise<Verdict | null> {
    // If a bet sealed now would not be late, this bet is not late. Otherwise the worker reads its time of sealing.
    const mayBeLate = isSealedLate(opening.at, nowMs(), closesAtMs)
    const answer = await ask({
      ...{ known: await readKeptLogs(), ask: 'proof', bet: seal, proof },
      closesAtMs: mayBeLate ? closesAtMs : null,
    })
    if (answer.is === 'wrong') return { is: 'wrong', mismatch: answer.mismatch, proof, known }
    if (answer.is === 'right' && answer.index !== null) {
      await keepLog(answer.log)
      return { is: 'sealed', index: answer.index, isLate: answer.isLate }
    }
    if (answer.is !== 'stale') return null
    staleSinceMs ??= nowMs()
    return nowMs() - staleSinceMs > patienceMs ? { is: 'wrong', mismatch: fault('note-stale'), proof, known } : null
  }

  /** Returns whether the promise is broken: the log will never hold the bet, or has gone on without the bet. */
  async function isUnkept(proof: ProofAnswer['is'], isOverdue: boolean, known: readonly KeptLog[]): Promise<boolean> {
    if (promise === null || proof === 'outside') return promise !== null
    if (proof !== 'unsealed' || !isOverdue) return false
    // The bet may have been sealed after its proof was requested, so only the next attempt can find the promise broken.
    if (hasGoneOn) return true
    const origin = promise.note.slice(0, promise.note.indexOf('/promise\n'))
    const answer = await ask({ known, ask: 'beat-after', origin, ms: opening.at + patienceMs })
    hasGoneOn = answer.is === 'beat-after' && answer.isSo
    return false
  }

  return async (): Promise<Verdict> => {
    const known = await readKeptLogs()
    const broken = await judgePromise(known)
    if (broken !== null) return { is: 'wrong', mismatch: broken, proof: null, known }
    const isOverdue = nowMs() - opening.at > patienceMs
    const proof: ProofAnswer = isPromiseRight ? await readProof(id) : { is: 'away' }
    const verdict = proof.is === 'proof' ? await judgeProof(proof.text, known) : null
    if (verdict === null && (await isUnkept(proof.is, isOverdue, known)))
      return { is: 'wrong', mismatch: fault('promise-unkept'), proof: null, known }
    return verdict ?? { is: 'open', isOverdue }
  }
}

// oxlint-disable-next-line max-lines-per-function -- parts over one state (decision 036)
export function createSealing(deps: SealingDeps) {
  const { nowMs, pause: wait } = deps
  const states = new Map<string, SealState>()
  const changed = createSignal()
  const show = (betId: string, state: SealState): void => {
    states.set(betId, state)
    changed.tell()
  }
  /** For each bet id, a token of the newest run that follows the bet. */
  const followed = new Map<string, object>()
  /** Begins a run for a bet, in place of an earlier one. The returned function says if this run is still the newest. */
  const begin = (betId: string): (() => boolean) => {
    const own = {}
    followed.set(betId, own)
    return () => followed.get(betId) === own
  }

  async function fail(userId: string, seal: KeptSeal, { mismatch, proof, known }: Wrong) {
    const ofProof = known.find(({ origin }) => proof?.includes(`\n${origin}\n`))
    // If there is no proof, or it names no known log, take the log that the promise names.
    const lastNote =
      (ofProof ?? known.find(({ origin }) => seal.promise?.note.startsWith(`${origin}/promise\n`)))?.note ?? null
    const failed = { ...seal, failure: { ...mismatch, atMs: nowMs(), proof, lastNote } }
    await keepSeal(userId, failed)
    show(seal.id, { is: 'failed', seal: failed })
  }

  async function judge(userId: string, seal: KeptSeal, isSealed: boolean, isNewest: () => boolean): Promise<void> {
    const { id } = seal
    const sinceMs = nowMs()
    const look = createTrial(deps, seal)
    // If an earlier run has shown the bet as sealed, the bet stays shown as sealed while this run checks again.
    const showOpen = (is: 'checking' | 'sealing' | 'slow') => states.get(id)?.is !== 'sealed' && show(id, { is })
    showOpen(isSealed ? 'checking' : 'sealing')
    // A new bet needs a moment to be sealed.
    if (!isSealed) await wait(askAgainMs / 2)

    while (isNewest() && nowMs() - sinceMs < giveUpMs) {
      const verdict = await look()
      if (!isNewest()) return
      if (verdict.is === 'wrong') return fail(userId, seal, verdict)
      if (verdict.is === 'sealed') {
        await removeSeal(userId, id)
        return show(id, verdict)
      }
      // A bet that the server lists as sealed is not slow: only the check can't be made now.
      if (verdict.isOverdue && !isSealed) showOpen('slow')
      await wait(verdict.isOverdue ? slowMs : askAgainMs)
    }
    // The check continues when the page is reloaded or the bet is shown again.
    if (isNewest()) followed.delete(id)
  }

  /** Follows a bet, unless a run follows it already. With `order`, the sent order of a new bet, a run always begins. */
  async function follow(userId: string, bet: SealableBet, order?: SentOrder): Promise<void> {
    // The answer to an order begins a new run even if `SealLine` already began one: only the answer has the promise.
    if (bet.salt == null || (followed.has(bet.id) && order === undefined)) return
    const isNewest = begin(bet.id)
    const kept = order === undefined ? await readSeal(userId, bet.id) : null
    if (!isNewest()) return
    if (kept?.failure != null) return show(bet.id, { is: 'failed', seal: kept })
    const promise = bet.promise ?? kept?.promise ?? null
    const isSealed = bet.sealIndex != null
    if (promise === null && !isSealed && bet.status !== 'open') {
      // The bet is not in the log, and no promise says that it should be.
      followed.delete(bet.id)
      return
    }
    const seal = sealOf(bet, bet.salt, promise)
    if (order !== undefined) {
      if (promise !== null) await keepSeal(userId, seal)
      const mismatch = mismatchOf(bet, order)
      if (mismatch !== null) return fail(userId, seal, { mismatch, proof: null, known: [] })
    }
    await judge(userId, seal, isSealed, isNewest)
  }

  return {
    stateOf: (betId: string) => states.get(betId),
    onChange: changed.listen,
    follow,
    /** Continues the unfinished checks of this user that the device keeps, a few at a time. */
    resume: async (userId: string) => {
      const seals = (await readSeals(userId)).values()
      const goThrough = async () => {
        for (const seal of seals)
          if (seal.failure === null && !followed.has(seal.id)) await judge(userId, seal, false, begin(seal.id))
      }
      await Promise.all(Array.from({ length: resumedAtOnce }, goThrough))
    },
  }
}

const sealOf = (bet: SealableBet, salt: string, promise: BetPromise | null): KeptSeal => ({
  salt,
  opening: openingOf(bet),
  id: bet.id,
  roundNumber: bet.round.roundNumber,
  closesAtMs: bet.closesAtMs,
  promise,
  failure: null,
})

function mismatchOf(bet: SealableBet, order: SentOrder): Mismatch | null {
  const sent = [order.roundId, order.direction, order.stakeMinor, order.seenBasis].join(' ')
  const accepted = [bet.round.id, bet.direction, bet.stakeMinor, bet.basis].join(' ')
  return sent === accepted ? null : { fault: 'bet-answer', expected: sent, found: accepted }
}

export const sealing = createSealing({ ask: askWorker, fetchProof, nowMs: serverNowMs, pause })
