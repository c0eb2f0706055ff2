import * as z from 'zod/mini'
import {
  ALL_TIMELINE_KINDS,
  TIMELINE_FILTERS,
  type TimelineFilter,
  type TimelineKind,
} from '#domain/customer/timeline.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { TRANSFER_REASONS } from '#domain/ledger/transfers.ts'
import { amount, answer, instant, json, judgedText, person, query, request, text } from './codecs.ts'
import { bankTexts } from './banks.ts'
import { endpoint, listOf } from './endpoint.ts'
import { namedRound } from './game.ts'
import { staffUser } from './staff-users.ts'
import { byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery } from './page-query.ts'
import { playerLimits } from './player-limits.ts'
import { ledgerRow } from './wallet.ts'

const device = answer(() => ({
  id: ['_id', text],
  userAgent: z.nullable(text),
  ip: z.nullable(text),
  createdAtMs: ['createdAt', instant],
  lastUsedAtMs: ['lastUsedAt', instant],
}))

/** A note of staff about a customer, for staff alone (rules §4.9). */
export const staffNote = answer(() => ({
  id: ['_id', text],
  writtenBy: ['author', person],
  text,
  createdAtMs: ['createdAt', instant],
}))
export type StaffNote = z.output<typeof staffNote>

export const customerPage = answer(() => ({
  user: staffUser,
  stakedMinor: ['staked', amount],
  reservedMinor: ['reserved', amount],
  isOnline: z.boolean(),
  lastSeenAtMs: ['lastSeen', z.nullable(instant)],
  /** The valid sessions, at most 20, the last used one first. `deviceCount` counts all. */
  devices: z.array(device),
  deviceCount: z.int(),
  record: z.optional(
    answer(() => ({
      depositedMinor: ['deposited', amount],
      withdrawnMinor: ['withdrawn', amount],
      openDisputes: z.int(),
      /** Closing balances of the 29 days before today, in Vietnam, oldest first; null before the first transfer. */
      balances: z.optional(z.array(z.nullable(amount))),
      newestNote: z.nullable(staffNote),
    })),
  ),
}))
export type CustomerPage = z.output<typeof customerPage>

export const sharer = answer(() => ({ id: ['_id', text], username: text, isDeleted: z.boolean() }))

const customerBank = answer(() => ({
  id: ['_id', text],
  ...bankTexts,
  createdAtMs: ['createdAt', instant],
  updatedAtMs: ['updatedAt', instant],
  /** At most 20 other users with the same account number, sorted by name. `sharedCount` counts all, up to 100. */
  sharedWith: z.array(sharer),
  sharedCount: z.int(),
}))
export type CustomerBank = z.output<typeof customerBank>

const customerConversation = answer(() => ({
  id: ['_id', text],
  holder: person,
  messages: z.int(),
  lastActivityAtMs: ['lastActivity', instant],
  createdAtMs: ['createdAt', instant],
}))
export type CustomerConversation = z.output<typeof customerConversation>

/** A UUID made by the client, with or without dashes. */
export const madeId = text.check(z.regex(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/))

/** One event in a customer's timeline. A field that the event's kind does not have is null. */
const timelineEntry = answer(() => ({
  cursor: ['_id', text],
  kind: ['type', z.enum(ALL_TIMELINE_KINDS as readonly [TimelineKind, ...TimelineKind[]])],
  atMs: ['at', instant],
  ref: text,
  actor: z.nullable(text),
  amountMinor: ['amount', z.nullable(amount)],
  profitMinor: ['profit', z.nullable(amount)],
  word: z.nullable(text),
  status: z.nullable(text),
  text: z.nullable(text),
  round: z.nullable(namedRound),
  before: json,
  after: json,
}))
export type TimelineEntry = z.output<typeof timelineEntry>

const timeline = answer(() => ({ entries: z.array(timelineEntry), hasMore: z.boolean() }))
export type TimelinePage = z.output<typeof timeline>

export const customerLedgerList = {
  sorts: [],
  firstSort: '-position',
  filters: {
    reason: { kind: 'choice', values: TRANSFER_REASONS },
    ...byTime,
    beforePosition: { kind: 'number' },
  },
} as const satisfies ListDeclaration

export const customerEndpoints = {
  readCustomerPage: endpoint('GET', '/api/v1/customers/{id}', 'staff', {
    data: customerPage,
    refusals: ['NOT_FOUND'],
    summary: 'A user as staff see them, with balances, presence and devices',
  }),
  listCustomerLedger: endpoint('GET', '/api/v1/customers/{id}/ledger', 'staff', {
    query: query(() => ({ ...listQuery, ...filterQuery(customerLedgerList.filters) })),
    ...listOf(ledgerRow),
    refusals: ['NOT_FOUND'],
    summary: 'Every change of a user’s balance, newest first',
  }),
  listCustomerBanks: endpoint('GET', '/api/v1/customers/{id}/banks', 'staff', {
    data: z.array(customerBank),
    refusals: ['NOT_FOUND'],
    summary: 'Linked banks of a user, and who else linked the same numbers',
  }),
  readCustomerLimits: endpoint('GET', '/api/v1/customers/{id}/limits', 'staff', {
    data: playerLimits,
    refusals: ['NOT_FOUND'],
    summary: 'The limits that a player set for themselves and what today used of them',
  }),
  listCustomerConversations: endpoint('GET', '/api/v1/customers/{id}/conversations', 'staff', {
    data: z.array(customerConversation),
    refusals: ['NOT_FOUND'],
    summary: 'Conversations of a user with customer care, the latest first, without their messages',
  }),
  listCustomerTimeline: endpoint('GET', '/api/v1/customers/{id}/timeline', 'staff', {
    query: query(() => ({
      limit: listQuery.limit,
      only: z.optional(z.enum(TIMELINE_FILTERS as readonly [TimelineFilter, ...TimelineFilter[]])),
      before: z.optional(text.check(z.regex(/^\d{1,17}~[a-z]{1,20}:[0-9a-f-]{1,36}$/))),
    })),
    data: timeline,
    refusals: ['NOT_FOUND'],
    summary: 'What happened with a user, newest first, from every feature',
  }),
  listCustomerNotes: endpoint('GET', '/api/v1/customers/{id}/notes', 'staff', {
    query: query(() => ({ page: listQuery.page, limit: listQuery.limit })),
    ...listOf(staffNote),
    refusals: ['NOT_FOUND', 'NOT_YOURSELF'],
    summary: 'What staff noted about a user, newest first',
  }),
  addCustomerNote: endpoint('POST', '/api/v1/customers/{id}/notes', 'staff', {
    parts: CAPABILITIES,
    body: request(() => ({ noteId: madeId, text: judgedText })),
    data: staffNote,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF', 'NOTE_INVALID', 'KEY_REUSED'],
    summary: 'Note something about a user for other staff; nobody changes or deletes it',
  }),
} as const
