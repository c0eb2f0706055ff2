/**
 * Attention: what staff have to look at, read from other features, and the alerts that each admin wants (rules §6.12).
 * Owns attention_choices; emits nothing.
 */
export { registerAttention } from './routes.ts'
