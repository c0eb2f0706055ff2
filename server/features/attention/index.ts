/**
 * Attention: the list of what staff have to look at, read from other features' tables, and each admin's choice of
 * alerts (rules §6.12). Owns attention_choices; emits no events.
 */
export { registerAttention } from './routes.ts'
