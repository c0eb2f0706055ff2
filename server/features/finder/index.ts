/** Finder: staff's search field, which reads other features' tables (rules §6.14). Owns no tables. Emits no events. */
export { registerFinder } from './routes.ts'
