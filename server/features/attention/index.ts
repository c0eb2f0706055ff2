/**
 * Attention: the list of what staff have to look at, read from other features' tables, and the alerts that each admin
 * has muted (rules §6.12). Owns attention_choices; emits no events.
 */
export { registerAttention } from './routes.ts'
