/** Overview: what staff see first, read from what other features tell. Emits nothing. */
export { registerOverview } from './routes.ts'
