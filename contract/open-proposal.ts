import * as z from 'zod/mini'
import { answer, instant, person, text, words } from './codecs.ts'

/** The open proposal about the request, dispute or account that has this field. For staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)

/**
 * Set if an approval by the asking admin would only become a proposal. The reason is a sum of the points moved in the
 * last 24 hours. The value says whose sum: the player's, or the admin's (rules §3.10).
 */
export const secondPersonSum = z.optional(z.nullable(words({ player: 'PLAYER', admin: 'YOU' })))
