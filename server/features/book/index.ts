/**
 * Book: the public log of all that decides a result. Owns book_logs, book_tips, book_queue, book_entries, book_nodes,
 * book_places, book_notable, book_texts, book_feeds, book_secret, book_reasons and book_rates. Emits no events.
 */
export { queueAct } from './acts.ts'
export { registerBookPages } from './book-page-routes.ts'
export { countRoundInRates } from './rates.ts'
export { listOpenFeeds, queueFeed } from './feeds.ts'
export { promiseAgain, promiseBets, type PromiseSigner, sealOf } from './promises.ts'
export { readResultEntry, readSettledBets } from './receipts.ts'
export { registerReceipts } from './receipt-routes.ts'
export { type BetToQueue, queuedBetsCte, queuedBetsValues, queuedCte, queueEntries } from './queue.ts'
export { type BookKey, bookKeyOf, loadBookKey, sha256, verifyEd25519 } from './key.ts'
export { registerLog } from './log-routes.ts'
export { openBook, type OpenBook } from './open-book.ts'
export { registerBookStatus, silenceOf } from './status-routes.ts'
export { isRestartWhy, RESTART_WHYS, restartLog, type RestartReport, stopAsRestored } from './restart.ts'
export { askWitnesses } from './witnesses.ts'
