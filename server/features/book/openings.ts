import { hash } from 'node:crypto'
import type { Bet } from '#contract/game.ts'
import { commitmentOf, encodeOpening, type Opening } from '#domain/book/opening.ts'

/** SHA-256 as domain/book/ takes it. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/** What a sealed bet says, from the bet as its owner reads it. */
export const openingOf = (bet: Bet): Opening => ({
  bet: bet.id,
  round: bet.round.id,
  direction: bet.direction === 'up' ? 'UP' : 'DOWN',
  stake: Number(bet.stakeMinor),
  basis: bet.basis,
  script: bet.script ?? null,
  at: bet.createdAtMs,
  entryFrom: bet.entryFromMs / 1000,
})

/** c = SHA-256(salt ‖ opening), 32 bytes (docs/open-book.md §3). */
export const sealOf = (salt: Uint8Array, bet: Bet): Uint8Array =>
  commitmentOf(sha256, salt, encodeOpening(openingOf(bet)))
