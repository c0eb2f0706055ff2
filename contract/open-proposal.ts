import * as z from 'zod/mini'
import { answer, instant, person, text, words } from './codecs.ts'

/** What waits for a second person, told beside what it is about, for staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)

/** Whose sum of 24 hours would make an approval by the admin who asks a proposal (rules §3.10). */
export const secondPersonSum = z.optional(z.nullable(words({ player: 'PLAYER', admin: 'YOU' })))
