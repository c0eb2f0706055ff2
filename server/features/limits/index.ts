/** Limits: limits on stakes, losses and time that players set for themselves. Owns player_limits; emits no events. */
export { bettingLimitsAt, readBettingLimits, readLimitsView } from './queries.ts'
export { registerLimits } from './routes.ts'
