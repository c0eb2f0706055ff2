/**
 * Market: the price of gold, and a list of coins. Owns ticks, tick_evidence, simulated_seeds, candles and coin_market.
 * Emits no events itself: it calls listeners once per second, and each process emits the tick to its own sockets.
 */
export { createCoinMarket } from './coins.ts'
export { prepareDetachingTicks } from './detach-ticks.ts'
export { createMarket, type Market } from './feed.ts'
export { registerMarket } from './routes.ts'
export { hasTickAfterSql, hasTickAtSql, readEvidenceHashes, TICKS_SO_FAR } from './ticks.ts'
