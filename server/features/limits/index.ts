/** Limits: limits that players set for themselves. Owns player_limits; emits nothing. */
export { bettingLimitsAt, readBettingLimits, readLimitsView } from './queries.ts'
export { registerLimits } from './routes.ts'
