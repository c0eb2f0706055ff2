import * as z from 'zod/mini'
import { answer, instant, person, text, words } from './codecs.ts'

/** The open proposal about a request, dispute or account, in the answer about that. For staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)

/**
 * The sum of 24 hours, the player's or the admin's, because of which an approval by the admin who asks would become a
 * proposal (rules §3.10).
 */
export const secondPersonSum = z.optional(z.nullable(words({ player: 'PLAYER', admin: 'YOU' })))
