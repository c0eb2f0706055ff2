import type { BetPromise } from '#contract/book.ts'
import { keepEntry, readEntries, removeEntry } from '#web/platform/user-entries.ts'
import type { Mismatch, OwnBet } from './judge-seal.ts'

/** The data that the device keeps about a bet until its seal is checked, or after a mismatch until the logout. */
export type KeptSeal = OwnBet & {
  readonly id: string
  readonly roundNumber: number
  /** The end of the bet's round, in Unix ms. */
  readonly closesAtMs: number
  /** Null if this page got no promise, for example because the bet was placed in another browser. */
  readonly promise: BetPromise | null
  readonly failure: SealFailure | null
}

/** A mismatch, with the evidence that a third party needs to verify it. */
export type SealFailure = Mismatch & {
  /** When the mismatch was found, in the server's time. */
  readonly atMs: number
  /** `proof`: the wrong or stale proof, or null. `lastNote`: the newest note seen before this check, or null. */
  readonly proof: string | null
  readonly lastNote: string | null
}

export const readSeals = (userId: string): Promise<readonly KeptSeal[]> => readEntries<KeptSeal>('seals', userId)

export const readSeal = async (userId: string, betId: string): Promise<KeptSeal | null> =>
  (await readSeals(userId)).find(({ id }) => id === betId) ?? null

export const keepSeal = (userId: string, seal: KeptSeal): Promise<void> => keepEntry('seals', userId, seal)

export const removeSeal = (userId: string, betId: string): Promise<void> => removeEntry('seals', userId, betId)

export const evidenceOf = ({ failure, promise, ...bet }: KeptSeal): string =>
  `${JSON.stringify({ product: 'kim-phien', is: 'seal-mismatch', ...failure, bet, promise }, null, 2)}\n`
