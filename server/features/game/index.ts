/**
 * Game: rounds by the calendar, bets, settlement. Owns the tables rounds and bets. Emits round_changed, bet_changed,
 * balance_changed and notices_changed through `GameHints`.
 */
export { closeBets } from './close-bets.ts'
export { closeDueInBook, reopenInBook } from './close-in-book.ts'
export { deleteRound } from './delete-round.ts'
export { type EngineDeps, type RoundEngine, settleDue, startRoundEngine } from './engine.ts'
export { openRound } from './open-round.ts'
export { type BetCall, createBetPlacer } from './place-bets.ts'
export type { GameHints, RoundPrices } from './ports.ts'
export { registerGame } from './routes.ts'
export { measureSettlement } from './watch-settlement.ts'
export { listRunningRounds, readToday } from './staff-queries.ts'
