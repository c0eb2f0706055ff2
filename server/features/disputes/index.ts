/**
 * Disputes: players dispute settled bets, and staff answer each dispute once (rules §9). Owns disputes; emits
 * dispute_changed, balance_changed and account_changed through `DisputeHints`.
 */
export { answerProposed } from './answer-dispute.ts'
export type { DisputeHints } from './ports.ts'
export { registerDisputes } from './routes.ts'
