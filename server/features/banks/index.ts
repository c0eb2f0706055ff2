/** Banks: accounts that players link, three at most. Owns banks; emits account_changed when staff correct one. */
export { listBanks } from './queries.ts'
export { registerBanks } from './routes.ts'
