import * as z from 'zod/mini'
import {
  ALL_TIMELINE_KINDS,
  TIMELINE_FILTERS,
  type TimelineFilter,
  type TimelineKind,
} from '#domain/customer/timeline.ts'
import { CAPABILITIES } from '#domain/identity/permissions.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { TRANSFER_REASONS } from '#domain/ledger/transfers.ts'
import { amount, answer, id, instant, json, person, query, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { staffUser } from './staff-users.ts'
import { byTime, filterQuery, type ListDeclaration } from './lists.ts'
import { listQuery } from './page-query.ts'
import { playerLimits } from './player-limits.ts'
import { ledgerRow } from './wallet.ts'

/** A session of the customer that is still valid. */
const device = answer(() => ({
  id: ['_id', text],
  /** The browser's own description of itself; null where it sent none. */
  userAgent: z.nullable(text),
  ip: z.nullable(text),
  createdAtMs: ['createdAt', instant],
  /** Exact to within some minutes. */
  lastUsedAtMs: ['lastUsedAt', instant],
}))

/** A note about a customer that one of staff wrote for the others. Never sent to the customer. */
export const staffNote = answer(() => ({
  id: ['_id', text],
  writtenBy: ['author', person],
  text,
  createdAtMs: ['createdAt', instant],
}))
export type StaffNote = z.output<typeof staffNote>

/** A customer as staff see them: the account, the three balances, presence and devices. */
export const customerPage = answer(() => ({
  user: staffUser,
  stakedMinor: ['staked', amount],
  reservedMinor: ['reserved', amount],
  isOnline: z.boolean(),
  /** The last use of a session or a socket; null for somebody who never signed in. */
  lastSeenAtMs: ['lastSeen', z.nullable(instant)],
  /** The last used first, at most 20 of `deviceCount`. */
  devices: z.array(device),
  deviceCount: z.int(),
  /** Figures about the account's past so far. Absent in answers of the previous version's server. */
  record: z.optional(
    answer(() => ({
      /** Sums of approved requests. */
      depositedMinor: ['deposited', amount],
      withdrawnMinor: ['withdrawn', amount],
      openDisputes: z.int(),
      /** The wallet at the ends of the last 29 days in Vietnam, the oldest first; null before its first transfer. */
      balances: z.optional(z.array(z.nullable(amount))),
      /** Null where staff wrote none, and for the customer themselves. */
      newestNote: z.nullable(staffNote),
    })),
  ),
}))
export type CustomerPage = z.output<typeof customerPage>

/** Another account that linked the same bank number. */
export const sharer = answer(() => ({ id: ['_id', text], username: text, isDeleted: z.boolean() }))

/** A linked bank, and the other users who linked its number. The wire's names are swapped as in `bankAccount`. */
const customerBank = answer(() => ({
  id: ['_id', text],
  accountNumber: ['bankNumber', text],
  accountHolder: ['nameBank', text],
  bankName: ['nameOwner', text],
  createdAtMs: ['createdAt', instant],
  updatedAtMs: ['updatedAt', instant],
  /** Sorted by name, at most 20 of `sharedCount`. */
  sharedWith: z.array(sharer),
  /** At most 100 are counted. */
  sharedCount: z.int(),
}))
export type CustomerBank = z.output<typeof customerBank>

/** A conversation of the customer with customer care, without any of its messages. */
const customerConversation = answer(() => ({
  id: ['_id', text],
  holder: person,
  messages: z.int(),
  lastActivityAtMs: ['lastActivity', instant],
  createdAtMs: ['createdAt', instant],
}))
export type CustomerConversation = z.output<typeof customerConversation>

/** A UUID that a client made, with or without dashes. */
export const madeId = text.check(z.regex(/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/))

/** One event in a customer's time line. A field that its kind does not have is null. */
const timelineEntry = answer(() => ({
  /** Its place in the time line, for `before`. */
  cursor: ['_id', text],
  kind: ['type', z.enum(ALL_TIMELINE_KINDS as readonly [TimelineKind, ...TimelineKind[]])],
  atMs: ['at', instant],
  /** Id of the bet, request, bank, session, conversation, dispute or note; the number of an act. */
  ref: text,
  /** A username or `system`; null where the customer did it. */
  actor: z.nullable(text),
  amountMinor: ['amount', z.nullable(amount)],
  /** The profit of a bet. */
  profitMinor: ['profit', z.nullable(amount)],
  /** The kind of event in one word: a direction, a kind of request, a reason of the ledger, an act. */
  word: z.nullable(text),
  /** How it ended: the status of a bet, a request or a dispute. */
  status: z.nullable(text),
  text: z.nullable(text),
  round: z.nullable(
    answer(() => ({
      id: ['_id', text],
      roundNumber: ['turnNumber', z.int()],
      type: ['gameType', z.enum(ROUND_TYPES)],
    })),
  ),
  /** For an act of staff: the values before and after, as the audit log has them. */
  before: json,
  after: json,
}))
export type TimelineEntry = z.output<typeof timelineEntry>

const timeline = answer(() => ({ entries: z.array(timelineEntry), hasMore: z.boolean() }))
export type TimelinePage = z.output<typeof timeline>

const params = z.object({ id })

/** The page of one customer in the back office. Each call is a look at them, which the audit log has once an hour. */
/** A ledger by the time of its bookings, newest first. */
export const customerLedgerList = {
  sorts: [],
  firstSort: '-position',
  filters: {
    reason: { kind: 'choice', values: TRANSFER_REASONS },
    ...byTime,
    /** Only rows below this position, so that pages do not shift when new rows arrive. */
    beforePosition: { kind: 'number' },
  },
} as const satisfies ListDeclaration

export const customerEndpoints = {
  readCustomerPage: endpoint('GET', '/api/v1/customers/{id}', 'staff', {
    params,
    data: customerPage,
    refusals: ['NOT_FOUND'],
    summary: 'A user as staff see them, with balances, presence and devices',
  }),
  listCustomerLedger: endpoint('GET', '/api/v1/customers/{id}/ledger', 'staff', {
    params,
    query: query(() => ({ ...listQuery, ...filterQuery(customerLedgerList.filters) })),
    data: z.array(ledgerRow),
    isList: true,
    refusals: ['NOT_FOUND'],
    summary: 'Every change of a user’s balance, newest first',
  }),
  listCustomerBanks: endpoint('GET', '/api/v1/customers/{id}/banks', 'staff', {
    params,
    data: z.array(customerBank),
    refusals: ['NOT_FOUND'],
    summary: 'Linked banks of a user, and who else linked the same numbers',
  }),
  readCustomerLimits: endpoint('GET', '/api/v1/customers/{id}/limits', 'staff', {
    params,
    data: playerLimits,
    refusals: ['NOT_FOUND'],
    summary: 'The limits that a player set for themselves and what today used of them',
  }),
  listCustomerConversations: endpoint('GET', '/api/v1/customers/{id}/conversations', 'staff', {
    params,
    data: z.array(customerConversation),
    refusals: ['NOT_FOUND'],
    summary: 'Conversations of a user with customer care, the latest first, without their messages',
  }),
  listCustomerTimeline: endpoint('GET', '/api/v1/customers/{id}/timeline', 'staff', {
    params,
    query: query(() => ({
      limit: listQuery.limit,
      only: z.optional(z.enum(TIMELINE_FILTERS as readonly [TimelineFilter, ...TimelineFilter[]])),
      /** The `_id` of the last entry of the page before. */
      before: z.optional(text.check(z.regex(/^\d{1,17}~[a-z]{1,20}:[0-9a-f-]{1,36}$/))),
    })),
    data: timeline,
    refusals: ['NOT_FOUND'],
    summary: 'What happened with a user, newest first, from every feature',
  }),
  listCustomerNotes: endpoint('GET', '/api/v1/customers/{id}/notes', 'staff', {
    params,
    query: query(() => ({ page: listQuery.page, limit: listQuery.limit })),
    data: z.array(staffNote),
    isList: true,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF'],
    summary: 'What staff noted about a user, newest first',
  }),
  addCustomerNote: endpoint('POST', '/api/v1/customers/{id}/notes', 'staff', {
    /** One of them is enough. */
    parts: CAPABILITIES,
    params,
    body: request(() => ({
      /** A note that is sent again is the same note. */
      noteId: madeId,
      /** Longer than the rule allows, so that a long note is refused with the rule's own words. */
      text: text.check(z.maxLength(10_000)),
    })),
    data: staffNote,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF', 'NOTE_INVALID', 'KEY_REUSED'],
    summary: 'Note something about a user for other staff; nobody changes or deletes it',
  }),
} as const
