import * as z from 'zod/mini'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, instant, json, person, query, text } from './codecs.ts'
import { endpoint, listOf } from './endpoint.ts'
import { SECOND_FACTOR_MODES } from './limits.ts'
import { byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery } from './page-query.ts'
import { feedStatus } from './market.ts'

/** The acts in the audit log. A name must not be changed or removed, because stored rows keep it. */
export const AUDIT_ACTS = [
  'user.update',
  'user.set-role',
  'user.grant',
  'user.delete',
  'user.close',
  'user.view',
  'user.search',
  'user.note',
  'user.add-factor',
  'user.remove-factor',
  'user.new-recovery-codes',
  'user.reset-factors',
  'user.undo-factors',
  'user.end-sessions',
  'bank.edit',
  'request.approve',
  'request.reject',
  'request.edit-reason',
  'request.delete',
  'round.set-result',
  'round.delete',
  'round.hide',
  'round.force-create',
  'bet.hide',
  'chat.read',
  'chat.search',
  'chat.customer',
  'chat.note',
  'chat.claim',
  'chat.hand-over',
  'chat.assign',
  'chat.tags',
  'chat.merge',
  'chat.hours',
  'chat.transcript',
  'chat.retract',
  'dispute.open',
  'dispute.uphold',
  'dispute.reject',
  'ledger.clear',
  'log.restart',
  'audit.acknowledge',
  'money.propose',
  'money.confirm',
  'money.withdraw',
  'money.expire',
] as const
export type AuditAct = (typeof AUDIT_ACTS)[number]

/**
 * One row of the audit log. `actor` is a username or `system`. `act` may be missing in `AUDIT_ACTS` if a newer version
 * of the server wrote the row. `names` are users whose ids stand in `before` or `after`. `hash` chains the row to the
 * row before (rules §3.12).
 */
export const auditRow = answer(() => ({
  seq: ['_id', z.int()],
  atMs: ['createdAt', instant],
  actor: text,
  act: text,
  target: text,
  targetName: z.nullable(text),
  targetOwner: z.nullable(person),
  targetRound: z.nullable(
    answer(() => ({ type: ['gameType', z.enum(ROUND_TYPES)], roundNumber: ['turnNumber', z.int()] })),
  ),
  before: json,
  after: json,
  names: z.array(person),
  reason: z.nullable(text),
  hash: text,
}))
export type AuditRow = z.output<typeof auditRow>

export const overview = answer(() => ({
  pendingRequests: z.int(),
  oldestPendingAtMs: ['oldestPendingAt', z.nullable(instant)],
  rounds: z.array(
    answer(() => ({
      id: ['_id', text],
      type: ['gameType', z.enum(ROUND_TYPES)],
      roundNumber: ['turnNumber', z.int()],
      closesAtMs: ['endTime', instant],
      bets: z.int(),
      stakedUpMinor: ['stakedUp', amount],
      stakedDownMinor: ['stakedDown', amount],
      isAnnounced: z.boolean(),
    })),
  ),
  netTodayMinor: ['netToday', amount],
  betsToday: z.int(),
  feed: feedStatus,
  ledger: answer(() => ({ isOpen: z.boolean(), checkedAtMs: ['checkedAt', z.nullable(instant)] })),
  secondFactor: z.optional(
    answer(() => ({
      mode: z.enum(SECOND_FACTOR_MODES),
      adminsWithout: z.int(),
    })),
  ),
  serverTimeMs: ['serverTime', instant],
}))
export type Overview = z.output<typeof overview>

export const auditList = {
  sorts: ['createdAt'],
  firstSort: '-createdAt',
  filters: {
    /** Selects only rows with a smaller `seq`, so that pages do not shift when new rows arrive. */
    beforeSeq: { kind: 'number' },
    actor: { kind: 'text', inAddress: 'by' },
    act: { kind: 'text' },
    target: { kind: 'text', maxLength: 80 },
    ...byTime,
  },
} as const satisfies ListDeclaration

export const backOfficeEndpoints = {
  listAudit: endpoint('GET', '/api/v1/audit-log', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(auditList.filters) })),
    ...listOf(auditRow),
    summary: 'Acts of staff, newest first',
  }),
  overview: endpoint('GET', '/api/v1/overview', 'staff', {
    data: overview,
    summary: 'Open requests, running rounds, today’s net, feed and books',
  }),
} as const
