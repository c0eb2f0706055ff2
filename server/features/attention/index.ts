/**
 * Attention: what staff have to look at, read from other features, and what each admin wants to be told of (rules §6.12).
 * Owns attention_choices; emits nothing.
 */
export { registerAttention } from './routes.ts'
