import * as z from 'zod/mini'
import { answer, instant, person, text, words } from './codecs.ts'

/** The open proposal about the request, dispute or account that has this field. For staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)

/** The sum of 24 hours that makes an approval a proposal: the player's, or the asking admin's (rules §3.10). */
export const secondPersonSum = z.optional(z.nullable(words({ player: 'PLAYER', admin: 'YOU' })))
