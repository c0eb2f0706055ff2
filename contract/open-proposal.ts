import * as z from 'zod/mini'
import { answer, instant, person, text } from './codecs.ts'

/** What waits for a second person, told beside what it is about, for staff alone (rules §3.10). */
export const openProposal = z.optional(
  z.nullable(answer(() => ({ id: ['_id', text], by: ['proposedBy', person], expiresAtMs: ['expiresAt', instant] }))),
)
