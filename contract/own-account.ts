import * as z from 'zod/mini'
import { answer, id, instant, json, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** A session of the own account that is still valid: where it was opened, and when it was last used (rules §4.8). */
export const ownSession = answer(() => ({
  id: ['_id', text],
  /** The browser's own description of itself; null where it sent none. */
  userAgent: ['userAgent', z.nullable(text)],
  ip: ['ip', z.nullable(text)],
  /** True for the session that asks. */
  isCurrent: ['isCurrent', z.boolean()],
  createdAtMs: ['createdAt', instant],
  /** Exact to within some minutes; for a session of an older version, when it was opened. */
  lastUsedAtMs: ['lastUsedAt', instant],
}))
export type OwnSession = z.output<typeof ownSession>

/** Calls by which users change their own account on the settings screen (rules §4.8). */
export const ownAccountEndpoints = {
  listSessions: endpoint({
    method: 'GET',
    path: '/api/v1/user/sessions',
    access: 'own-data',
    data: z.array(ownSession),
    summary: 'The own sessions that are valid: this one first, then the last used',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions/{id}',
    access: 'player',
    params: z.object({ id }),
    data: z.null(),
    refusals: ['NOT_FOUND'],
    summary: 'End one of the own sessions',
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/v1/user/sessions',
    access: 'player',
    data: z.object({ ended: z.int() }),
    summary: 'End every own session but this one',
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/api/v1/user/data-export',
    access: 'own-data',
    data: json,
    isFile: true,
    summary: 'Everything that is stored of the own account, as a ZIP of JSON and CSV',
  }),
  closeAccount: endpoint({
    method: 'POST',
    path: '/api/v1/auth/close-account',
    access: 'player',
    body: request(() => ({ password: ['password', text.check(z.maxLength(1024))] })),
    data: z.null(),
    refusals: ['NOT_YOURSELF', 'PASSWORD_WRONG', 'LOGIN_BLOCKED', 'USER_HAS_OPEN_ITEMS'],
    summary: 'Close the own account for good; name, books and history stay',
  }),
} as const
