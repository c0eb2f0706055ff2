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
 * Follows own bets into the public log (docs/open-book.md §3): judges the promise at once, and the proof once the bet is
 * sealed. A seal that waits or does not match is kept, so that a reload goes on from there.
 */

export type SealState =
  | { readonly is: 'sealing' }
  /** Sealed by the server's word; this page has not seen the proof yet. */
  | { readonly is: 'checking' }
  /** Longer than it should take, but nothing is known to be wrong. */
  | { readonly is: 'slow' }
  /** `isLate` is no fault; such bets are counted on `/so-mo`. */
  | { readonly is: 'sealed'; readonly index: number; readonly isLate: boolean }
  | { readonly is: 'failed'; readonly seal: KeptSeal }

/** To be compared with the order that the server says it accepted. */
export type SentOrder = Omit<CallInput<typeof gameEndpoints.placeBet>['body'], 'userId'>

/** Between two requests for a proof, and once the log is slow. */
const askAgainMs = 1_000
const slowMs = 10_000
/** Within this a promise has to be kept, and a newer note has to replace a stale one. */
const patienceMs = 60_000
/** A page that is open for hours stops asking; the next one goes on. */
const giveUpMs = 15 * 60_000

export type SealingDeps = {
  readonly ask: typeof askWorker
  readonly fetchProof: typeof fetchProof
  readonly nowMs: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** `known` are the logs as this device saw them before. */
type Verdict =
  | { readonly is: 'open'; readonly isOverdue: boolean }
  | { readonly is: 'sealed'; readonly index: number; readonly isLate: boolean }
  | ({ readonly is: 'wrong' } & Wrong)

type Wrong = { readonly mismatch: Mismatch; readonly proof: string | null; readonly known: readonly KeptLog[] }

const fault = (of: 'note-stale' | 'promise-unkept'): Mismatch => ({ fault: of, expected: null, found: null })

/** Judges a bet by its promise, then by its proof. Returns a function that looks once. */
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
    // A proven bet is sealed by now: mostly in time, and the log need not be read on.
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

  /** Whether the log went on without the bet that it promised to seal. */
  async function isUnkept(proof: ProofAnswer['is'], isOverdue: boolean, known: readonly KeptLog[]): Promise<boolean> {
    if (promise === null || proof === 'outside') return promise !== null
    if (proof !== 'unsealed' || !isOverdue) return false
    // The bet may have been sealed after the request for its proof: it also has to be missing at the next look.
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
  /** The newest following of each bet. */
  const followed = new Map<string, object>()
  /** Begins to follow a bet in place of what followed it before. Returns whether none has begun since. */
  const begin = (betId: string): (() => boolean) => {
    const own = {}
    followed.set(betId, own)
    return () => followed.get(betId) === own
  }

  async function fail(userId: string, seal: KeptSeal, { mismatch, proof, known }: Wrong) {
    const lastNote = known.find(({ note }) => note !== null)?.note ?? null
    const failed = { ...seal, failure: { ...mismatch, atMs: nowMs(), proof, lastNote } }
    await keepSeal(userId, failed)
    show(seal.id, { is: 'failed', seal: failed })
  }

  async function judge(userId: string, seal: KeptSeal, isSealed: boolean, isNewest: () => boolean): Promise<void> {
    const { id } = seal
    const sinceMs = nowMs()
    const look = createTrial(deps, seal)
    // An order that comes after the proof is judged while the seal stays shown.
    const showOpen = (is: 'checking' | 'sealing' | 'slow') => states.get(id)?.is !== 'sealed' && show(id, { is })
    showOpen(isSealed ? 'checking' : 'sealing')
    // Most bets are sealed within this first wait.
    if (!isSealed) await wait(askAgainMs / 2)

    while (isNewest() && nowMs() - sinceMs < giveUpMs) {
      const verdict = await look()
      if (!isNewest()) return
      if (verdict.is === 'wrong') return fail(userId, seal, verdict)
      if (verdict.is === 'sealed') {
        await removeSeal(userId, id)
        return show(id, verdict)
      }
      if (verdict.isOverdue) showOpen('slow')
      await wait(verdict.isOverdue ? slowMs : askAgainMs)
    }
    // The next page, or the next look at the bet, continues.
    if (isNewest()) followed.delete(id)
  }

  /** Follows a bet to its seal, once; `order` comes from the page that has just placed it. */
  async function follow(userId: string, bet: SealableBet, order?: SentOrder): Promise<void> {
    // The sent order may come after a list that has the bet already: only the order brings the promise.
    if (bet.salt == null || (followed.has(bet.id) && order === undefined)) return
    const isNewest = begin(bet.id)
    const kept = order === undefined ? await readSeal(userId, bet.id) : null
    if (!isNewest()) return
    if (kept?.failure != null) return show(bet.id, { is: 'failed', seal: kept })
    const promise = bet.promise ?? kept?.promise ?? null
    const isSealed = bet.sealIndex != null
    if (promise === null && !isSealed && bet.status !== 'open') {
      // Not in the log, and not promised to be.
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
    /** Goes on with the bets that an earlier page of this user left. */
    resume: async (userId: string) => {
      for (const seal of await readSeals(userId)) {
        if (seal.failure !== null || followed.has(seal.id)) continue
        await judge(userId, seal, false, begin(seal.id))
      }
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

/** Compares the order that was sent with the one that the server says it accepted. */
function mismatchOf(bet: SealableBet, order: SentOrder): Mismatch | null {
  const sent = [order.roundId, order.direction, order.stakeMinor, order.seenBasis].join(' ')
  const accepted = [bet.round.id, bet.direction, bet.stakeMinor, bet.basis].join(' ')
  return sent === accepted ? null : { fault: 'bet-answer', expected: sent, found: accepted }
}

export const sealing = createSealing({ ask: askWorker, fetchProof, nowMs: serverNowMs, pause })
