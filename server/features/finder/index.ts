/** Finder: the possible meanings of a few letters or digits, read from other features. Owns nothing. Emits nothing. */
export { registerFinder } from './routes.ts'
