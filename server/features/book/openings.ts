import type { Bet } from '#contract/game.ts'
import type { Direction, ScriptedOutcome } from '#domain/game/bet.ts'
import type { BookDirection } from '#domain/book/entry.ts'
import { commitmentOf, encodeOpening, type Opening } from '#domain/book/opening.ts'
import { sha256 } from './key.ts'

/** A side in the words of the log. */
export const bookDirection = (direction: Direction): BookDirection => (direction === 'up' ? 'UP' : 'DOWN')

/** The direction and script of a bet in the words of the log. */
export const inBookWords = (bet: {
  readonly direction: Direction
  readonly scriptedOutcome: ScriptedOutcome | null
}): Pick<Opening, 'direction' | 'script'> => ({
  direction: bookDirection(bet.direction),
  script: bet.scriptedOutcome === null ? null : bet.scriptedOutcome === 'win' ? 'WIN' : 'LOSE',
})

/** The opening of a sealed bet, from the bet as its owner reads it. */
export const openingOf = (bet: Bet): Opening => ({
  bet: bet.id,
  round: bet.round.id,
  ...inBookWords({ direction: bet.direction, scriptedOutcome: bet.script ?? null }),
  stake: Number(bet.stakeMinor),
  basis: bet.basis,
  at: bet.createdAtMs,
  entryFrom: bet.entryFromMs / 1000,
})

/** c = SHA-256(salt ‖ opening), 32 bytes (docs/open-book.md §3). */
export const sealOf = (salt: Uint8Array, bet: Bet): Uint8Array =>
  commitmentOf(sha256, salt, encodeOpening(openingOf(bet)))
