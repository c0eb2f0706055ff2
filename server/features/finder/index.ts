/** Finder: finds what a few letters or digits may mean, read from other features. Owns no tables. Emits no events. */
export { registerFinder } from './routes.ts'
