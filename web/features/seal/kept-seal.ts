import type { BetPromise } from '#contract/book.ts'
import { keepEntry, readEntries, removeEntry } from '#web/platform/user-entries.ts'
import type { Mismatch, OwnBet } from './judge-seal.ts'

/** Kept on the user's device until the seal was checked; for ever, when something did not match. */
export type KeptSeal = OwnBet & {
  readonly id: string
  readonly roundNumber: number
  /** End of its round, Unix ms. */
  readonly closesAtMs: number
  /** Null for a bet that another browser placed. */
  readonly promise: BetPromise | null
  /** Null until something does not match. */
  readonly failure: SealFailure | null
}

/** The values that did not match, and what a third person needs to see it. */
export type SealFailure = Mismatch & {
  /** By this device's clock. */
  readonly atMs: number
  /** The received proof, and the log's newest note that this browser had seen. */
  readonly proof: string | null
  readonly lastNote: string | null
}

export const readSeals = (userId: string): Promise<readonly KeptSeal[]> => readEntries<KeptSeal>('seals', userId)

export const readSeal = async (userId: string, betId: string): Promise<KeptSeal | null> =>
  (await readSeals(userId)).find(({ id }) => id === betId) ?? null

export const keepSeal = (userId: string, seal: KeptSeal): Promise<void> => keepEntry('seals', userId, seal)

export const removeSeal = (userId: string, betId: string): Promise<void> => removeEntry('seals', userId, betId)

/** The evidence as a JSON file for a third person. */
export const evidenceOf = ({ failure, promise, ...bet }: KeptSeal): string =>
  `${JSON.stringify({ product: 'kim-phien', is: 'seal-mismatch', ...failure, bet, promise }, null, 2)}\n`
