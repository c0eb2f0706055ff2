/** Banks: accounts that players link, three at most. Owns banks; emits nothing. */
export { listBanks } from './queries.ts'
export { registerBanks } from './routes.ts'
