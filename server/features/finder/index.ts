/** Finder: what a few letters or digits may mean, read from other features. Owns nothing. Emits nothing. */
export { registerFinder } from './routes.ts'
