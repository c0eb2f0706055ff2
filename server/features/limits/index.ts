/** Limits: what players allow themselves. Owns player_limits; emits nothing. */
export { bettingLimitsAt, readBettingLimits } from './queries.ts'
export { registerLimits } from './routes.ts'
