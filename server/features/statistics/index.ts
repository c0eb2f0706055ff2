/**
 * Statistics: figures of a player's own bets and balance, folded (summed up) by day. Owns statistics_marks,
 * statistics_days and statistics_types; emits no events.
 */
export { startRolling } from './roll-up.ts'
export { registerStatistics } from './routes.ts'
