import * as z from 'zod/mini'
import { answer, instant, person, text, words } from './codecs.ts'

/** The open proposal about the request, dispute or account of the answer that has this field. For staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)

/** Whose sum of 24 hours would make the asking admin's approval a proposal: the player's or their own (rules §3.10). */
export const secondPersonSum = z.optional(z.nullable(words({ player: 'PLAYER', admin: 'YOU' })))
