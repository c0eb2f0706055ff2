/** Overview: the first screen of staff, read from other features. Emits nothing. */
export { registerOverview } from './routes.ts'
