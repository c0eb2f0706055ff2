/** Limits: limits that players set for themselves. Owns player_limits; emits nothing. */
export { bettingLimitsAt, readBettingLimits } from './queries.ts'
export { registerLimits } from './routes.ts'
