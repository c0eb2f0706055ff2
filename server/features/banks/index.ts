/** Banks: the bank accounts that players link, at most three each. Owns banks; emits account_changed when staff correct an account. */
export { listBanks } from './queries.ts'
export { registerBanks } from './routes.ts'
