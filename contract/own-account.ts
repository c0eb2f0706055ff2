import * as z from 'zod/mini'
import { answer, instant, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** A valid session (rules §4.8). */
export const ownSession = answer(() => ({
  id: ['_id', text],
  userAgent: z.nullable(text),
  ip: z.nullable(text),
  isCurrent: z.boolean(),
  createdAtMs: ['createdAt', instant],
  /** Exact to within some minutes. */
  lastUsedAtMs: ['lastUsedAt', instant],
}))
export type OwnSession = z.output<typeof ownSession>

export const ownAccountEndpoints = {
  listSessions: endpoint('GET', '/api/v1/user/sessions', 'own-data', {
    data: z.array(ownSession),
    summary: 'The own sessions that are valid: this one first, then the last used',
  }),
  endSession: endpoint('DELETE', '/api/v1/user/sessions/{id}', 'player', {
    refusals: ['NOT_FOUND'],
    summary: 'End one of the own sessions',
  }),
  endOtherSessions: endpoint('DELETE', '/api/v1/user/sessions', 'player', {
    data: z.object({ ended: z.int() }),
    summary: 'End every own session but this one',
  }),
  exportData: endpoint('GET', '/api/v1/user/data-export', 'own-data', {
    isFile: true,
    summary: 'Everything that is stored of the own account, as a ZIP of JSON and CSV',
  }),
  closeAccount: endpoint('POST', '/api/v1/auth/close-account', 'player', {
    body: request(() => ({ password: text.check(z.maxLength(1024)) })),
    refusals: ['NOT_YOURSELF', 'PASSWORD_WRONG', 'LOGIN_BLOCKED', 'USER_HAS_OPEN_ITEMS'],
    summary: 'Close the own account for good; name, books and history stay',
  }),
} as const
