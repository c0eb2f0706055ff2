import type { BetPromise } from '#contract/book.ts'
import { keepEntry, readEntries, removeEntry } from '#web/platform/user-entries.ts'
import type { Mismatch, OwnBet } from './judge-seal.ts'

/** What this device keeps of a bet until its seal was checked, or until the logout if something did not match. */
export type KeptSeal = OwnBet & {
  readonly id: string
  readonly roundNumber: number
  /** The end of the bet's round, in Unix ms. */
  readonly closesAtMs: number
  /** Null if this browser has no promise, such as for a bet that was placed in another browser. */
  readonly promise: BetPromise | null
  /** Null unless something did not match. */
  readonly failure: SealFailure | null
}

/** The values that did not match, and what a third party needs to verify this. */
export type SealFailure = Mismatch & {
  /** When the mismatch was found, in the server's time. */
  readonly atMs: number
  /** `proof` is the proof that was received, `lastNote` the log's newest note that this browser had seen. */
  readonly proof: string | null
  readonly lastNote: string | null
}

export const readSeals = (userId: string): Promise<readonly KeptSeal[]> => readEntries<KeptSeal>('seals', userId)

export const readSeal = async (userId: string, betId: string): Promise<KeptSeal | null> =>
  (await readSeals(userId)).find(({ id }) => id === betId) ?? null

export const keepSeal = (userId: string, seal: KeptSeal): Promise<void> => keepEntry('seals', userId, seal)

export const removeSeal = (userId: string, betId: string): Promise<void> => removeEntry('seals', userId, betId)

/** Writes the evidence as a JSON file for a third party. */
export const evidenceOf = ({ failure, promise, ...bet }: KeptSeal): string =>
  `${JSON.stringify({ product: 'kim-phien', is: 'seal-mismatch', ...failure, bet, promise }, null, 2)}\n`
