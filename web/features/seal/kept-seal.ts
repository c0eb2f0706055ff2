import type { BetPromise } from '#contract/book.ts'
import { keepEntry, readEntries, removeEntry } from '#web/platform/user-entries.ts'
import type { Mismatch, OwnBet } from './judge-seal.ts'

/** The data that a user's device keeps of a bet until its seal was checked; for ever, when something did not match. */
export type KeptSeal = OwnBet & {
  /** The bet's id. */
  readonly id: string
  readonly roundNumber: number
  /** End of its round, Unix ms. */
  readonly closesAtMs: number
  /** Null for a bet that another browser placed. */
  readonly promise: BetPromise | null
  /** Null until something does not match. */
  readonly failure: SealFailure | null
}

/** The values that did not match, with everything that a third person needs to see it. */
export type SealFailure = Mismatch & {
  /** The time by this device's clock. */
  readonly atMs: number
  /** The proof that came, and the newest note of the log that this browser had seen; null without one. */
  readonly proof: string | null
  readonly lastNote: string | null
}

export const readSeals = (userId: string): Promise<readonly KeptSeal[]> => readEntries<KeptSeal>('seals', userId)

export const readSeal = async (userId: string, betId: string): Promise<KeptSeal | null> =>
  (await readSeals(userId)).find(({ id }) => id === betId) ?? null

export const keepSeal = (userId: string, seal: KeptSeal): Promise<void> => keepEntry('seals', userId, seal)

export const removeSeal = (userId: string, betId: string): Promise<void> => removeEntry('seals', userId, betId)

/** The evidence as a file, for any third person: JSON, with the proof as the log wrote it. */
export const evidenceOf = ({ failure, promise, ...bet }: KeptSeal): string =>
  `${JSON.stringify({ product: 'kim-phien', is: 'seal-mismatch', ...failure, bet, promise }, null, 2)}\n`
