/** The bank accounts that a player links, at most three. Owns banks; emits account_changed when staff correct one. */
export { listBanks } from './queries.ts'
export { registerBanks } from './routes.ts'
