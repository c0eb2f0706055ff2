import { isSealedLate } from '#domain/book/rate-counts.ts'
import { toBookDirection, toBookScript } from '#domain/book/spelling.ts'
import { type KeptLog, keepLog, readKeptLogs } from '#web/platform/book-notes.ts'
import { pause } from '#web/platform/pause.ts'
import { serverNowMs } from '#web/platform/server-time.ts'
import { fetchProof, type SealableBet } from './api.ts'
import { askWorker } from './ask-worker.ts'
import type { Mismatch, OwnBet } from './judge-seal.ts'
import { type KeptSeal, keepSeal, readSeal, readSeals, removeSeal } from './kept-seal.ts'
import type { SealJob } from './seal-jobs.ts'

/**
 * Follows own bets into the public log (docs/open-book.md §3): judges the promise at once, asks for the proof until the
 * bet is sealed, and judges that. What waits or does not match is kept, so that a reload goes on where it was.
 */

export type SealState =
  | { readonly is: 'sealing' }
  /** Longer than it should take, and nothing says yet that something is wrong. */
  | { readonly is: 'slow' }
  /** `isLate` is no fault; such bets are counted on `/so-mo`. */
  | { readonly is: 'sealed'; readonly index: number; readonly isLate: boolean }
  | { readonly is: 'failed'; readonly seal: KeptSeal }

/** What the player sent, to be compared with what the server says it accepted. */
export type SentOrder = {
  readonly roundId: string
  readonly stakeMinor: bigint
  readonly direction: SealableBet['direction']
  readonly seenBasis: SealableBet['basis']
}

/** Between two questions for a proof, and once the log is slow. */
const askAgainMs = 1_000
const slowMs = 10_000
/** A promise has to be kept, and a stale note to be outgrown, within this. */
const patienceMs = 60_000
/** A page that is open for hours asks no longer; the next one goes on. */
const giveUpMs = 15 * 60_000

export type SealingDeps = {
  readonly ask: typeof askWorker
  readonly fetchProof: typeof fetchProof
  readonly nowMs: () => number
  readonly pause: (ms: number) => Promise<void>
}

export type Sealing = {
  /** Undefined while nothing is known or said of the bet's seal. */
  readonly stateOf: (betId: string) => SealState | undefined
  readonly onChange: (listener: () => void) => () => void
  /** Follows a bet to its seal, once; `order` is given by the page that has just placed it. */
  readonly follow: (userId: string, bet: SealableBet, order?: SentOrder) => Promise<void>
  /** Goes on with the bets that an earlier page of this user left. */
  readonly resume: (userId: string) => Promise<void>
}

export const ownBetOf = (bet: SealableBet, salt: string): OwnBet => ({
  salt,
  opening: {
    bet: bet.id,
    round: bet.round.id,
    direction: toBookDirection(bet.direction),
    stake: Number(bet.stakeMinor),
    basis: bet.basis,
    script: toBookScript(bet.script ?? null),
    at: bet.createdAtMs,
    entryFrom: bet.entryFromMs / 1000,
  },
})

export function createSealing({ ask, fetchProof: readProof, nowMs, pause: wait }: SealingDeps): Sealing {
  const states = new Map<string, SealState>()
  const followed = new Set<string>()
  const listeners = new Set<() => void>()

  const show = (betId: string, state: SealState) => {
    states.set(betId, state)
    for (const listener of listeners) listener()
  }

  async function fail(
    userId: string,
    seal: KeptSeal,
    mismatch: Mismatch,
    proof: string | null,
    known: readonly KeptLog[],
  ) {
    const lastNote = known.find(({ note }) => note !== null)?.note ?? null
    const failed = { ...seal, failure: { ...mismatch, atMs: nowMs(), proof, lastNote } }
    await keepSeal(userId, failed)
    show(seal.id, { is: 'failed', seal: failed })
  }

  async function judge(userId: string, seal: KeptSeal, isSealed: boolean): Promise<void> {
    const { id, opening, promise, closesAtMs } = seal
    const sinceMs = nowMs()
    let isPromiseRight = promise === null
    let staleSinceMs: number | null = null
    show(id, { is: 'sealing' })
    // Most bets are sealed within this.
    if (!isSealed) await wait(askAgainMs / 2)

    while (nowMs() - sinceMs < giveUpMs) {
      const known = await readKeptLogs()
      if (promise !== null && !isPromiseRight) {
        const answer = await ask({ known, ask: 'promise', bet: seal, promise })
        if (answer.is === 'wrong') return fail(userId, seal, answer.mismatch, null, known)
        if (answer.is === 'right') {
          await keepLog(answer.log)
          isPromiseRight = true
        }
      }
      const isOverdue = nowMs() - opening.at > patienceMs
      const proof = isPromiseRight ? await readProof(id) : ({ is: 'away' } as const)
      if (proof.is === 'proof') {
        // What is proven by now was sealed by now: mostly that is in time, and the log need not be read on.
        const mayBeLate = isSealedLate(opening.at, nowMs(), closesAtMs)
        const answer = await ask({
          ...{ known: await readKeptLogs(), ask: 'proof', bet: seal, proof: proof.text },
          closesAtMs: mayBeLate ? closesAtMs : null,
        })
        if (answer.is === 'wrong') return fail(userId, seal, answer.mismatch, proof.text, known)
        if (answer.is === 'right' && answer.index !== null) {
          await keepLog(answer.log)
          await removeSeal(userId, id)
          return show(id, { is: 'sealed', index: answer.index, isLate: answer.isLate })
        }
        if (answer.is === 'stale') {
          staleSinceMs ??= nowMs()
          const mismatch = { fault: 'note-stale', expected: null, found: null } as const
          if (nowMs() - staleSinceMs > patienceMs) return fail(userId, seal, mismatch, proof.text, known)
        }
      }
      if (promise !== null && (proof.is === 'outside' || (proof.is === 'unsealed' && isOverdue))) {
        const mismatch = { fault: 'promise-unkept', expected: null, found: null } as const
        const origin = promise.note.slice(0, promise.note.indexOf('/promise\n'))
        const job: SealJob = { known, ask: 'beat-after', origin, ms: opening.at + patienceMs }
        const answer = proof.is === 'outside' ? null : await ask(job)
        if (answer === null || (answer.is === 'beat-after' && answer.isSo))
          return fail(userId, seal, mismatch, null, known)
      }
      if (isOverdue) show(id, { is: 'slow' })
      await wait(isOverdue ? slowMs : askAgainMs)
    }
    // The next page, or the next look at the bet, goes on.
    followed.delete(id)
  }

  async function follow(userId: string, bet: SealableBet, order?: SentOrder): Promise<void> {
    if (bet.salt == null || followed.has(bet.id)) return
    followed.add(bet.id)
    const kept = order === undefined ? await readSeal(userId, bet.id) : null
    if (kept?.failure != null) return show(bet.id, { is: 'failed', seal: kept })
    const promise = bet.promise ?? kept?.promise ?? null
    const isSealed = bet.sealIndex != null
    if (promise === null && !isSealed) {
      // Placed elsewhere and not sealed yet: its next answer names the place.
      followed.delete(bet.id)
      return
    }
    const own = ownBetOf(bet, bet.salt)
    const seal: KeptSeal = {
      ...own,
      id: bet.id,
      roundNumber: bet.round.roundNumber,
      closesAtMs: bet.closesAtMs,
      promise,
      failure: null,
    }
    if (order !== undefined) {
      if (promise !== null) await keepSeal(userId, seal)
      const mismatch = mismatchOf(bet, order)
      if (mismatch !== null) return fail(userId, seal, mismatch, null, [])
    }
    await judge(userId, seal, isSealed)
  }

  return {
    stateOf: (betId) => states.get(betId),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow,
    resume: async (userId) => {
      for (const seal of await readSeals(userId)) {
        if (seal.failure !== null || followed.has(seal.id)) continue
        followed.add(seal.id)
        await judge(userId, seal, false)
      }
    },
  }
}

/** What was sent against what the server says it accepted. */
function mismatchOf(bet: SealableBet, order: SentOrder): Mismatch | null {
  const sent = [order.roundId, order.direction, order.stakeMinor, order.seenBasis].join(' ')
  const accepted = [bet.round.id, bet.direction, bet.stakeMinor, bet.basis].join(' ')
  return sent === accepted ? null : { fault: 'bet-answer', expected: sent, found: accepted }
}

/** The page's own. */
export const sealing = createSealing({ ask: askWorker, fetchProof, nowMs: serverNowMs, pause })
