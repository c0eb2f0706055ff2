/**
 * Overview: the first screen of staff, read from other features, and figures of a time range. Owns figure_marks,
 * figure_bets, figure_hours, figure_players, figure_days, figure_requests, figure_waits, figure_refusals and
 * figure_states; emits no events.
 */
export { startCountingFigures } from './count-figures.ts'
export { createRefusalCounter, startNotingFigures } from './note-figures.ts'
export { feedNow, readFeedState, registerOverview } from './routes.ts'
