import type * as z from 'zod/mini'
import { customerEndpoints } from '#contract/customer.ts'
import { requestReviewEndpoints } from '#contract/request-review.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { readStaffUser } from '#server/features/identity/index.ts'
import { readLimitsView } from '#server/features/limits/index.ts'
import { countLedger, listLedger, positionAt } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { COUNT_CAP, listAnswer, pageOf } from '#server/platform/http/lists.ts'
import { readDossier } from './dossier.ts'
import { lookAt } from './look.ts'
import { addNote, countNotes, type CustomerHints, listNotes } from './notes.ts'
import { listCustomerBanks, listCustomerConversations, readBalances, readStanding } from './queries.ts'
import { readTimeline } from './timeline.ts'

const ENTRIES_PER_PAGE = 50

/** Only admins with the capability `users` are shown IP addresses (rules §4.5). */
const seesAddresses = ({ capabilities }: Subject): boolean => capabilities.includes('users')

/** Registers the routes of a customer's page; routes that read a customer's data record a look first (rules §4.9). */
export function registerCustomer(api: Api, db: Database, hints: CustomerHints): void {
  const seen = async <T>(subject: Subject, id: string, read: () => Promise<T>) =>
    (await lookAt(db, subject, id)) ?? read()
  api.handle(customerEndpoints.readCustomerPage, ({ subject, params: { id } }) =>
    seen(subject, id, () => readPage(db, subject, id)),
  )
  api.handle(customerEndpoints.listCustomerLedger, ({ subject, params: { id }, query }) =>
    seen(subject, id, () => pageOfLedger(db, id, query)),
  )
  api.handle(customerEndpoints.listCustomerBanks, ({ subject, params: { id } }) =>
    seen(subject, id, () => listCustomerBanks(db, id)),
  )
  api.handle(customerEndpoints.readCustomerLimits, ({ subject, params: { id } }) =>
    seen(subject, id, () => readLimitsView(db, id)),
  )
  api.handle(customerEndpoints.listCustomerConversations, ({ subject, params: { id } }) =>
    seen(subject, id, () => listCustomerConversations(db, id)),
  )
  api.handle(customerEndpoints.listCustomerTimeline, ({ subject, params: { id }, query }) =>
    seen(subject, id, () => pageOfTimeline(db, subject, id, query)),
  )
  api.handle(customerEndpoints.listCustomerNotes, ({ subject, params: { id }, query }) =>
    id === subject.userId ? refuse('NOT_YOURSELF') : seen(subject, id, () => pageOfNotes(db, id, query)),
  )
  api.handle(requestReviewEndpoints.readRequestDossier, ({ subject, params: { id } }) => readDossier(db, subject, id))
  api.handle(customerEndpoints.addCustomerNote, ({ subject, params: { id }, body }) =>
    addNote({ db, hints }, subject, id, body),
  )
}

type QueryOf<Name extends 'listCustomerLedger' | 'listCustomerTimeline' | 'listCustomerNotes'> = z.output<
  (typeof customerEndpoints)[Name]['query']
>

async function readPage(db: Database, subject: Subject, id: string) {
  const [user, standing, balances, [newestNote = null]] = await Promise.all([
    readStaffUser(db, id, subject),
    readStanding(db, id),
    readBalances(db, id),
    id === subject.userId ? [] : listNotes(db, id, { page: 1, limit: 1, offset: 0 }),
  ])
  const devices = seesAddresses(subject) ? standing.devices : standing.devices.map((one) => ({ ...one, ip: null }))
  const record = { ...standing.record, balances, newestNote }
  return user === null ? refuse('NOT_FOUND') : { user, ...standing, devices, record }
}

async function pageOfLedger(db: Database, id: string, query: QueryOf<'listCustomerLedger'>) {
  const page = pageOf(query)
  const reason = query.reason ?? null
  const [fromPosition, toPosition] = await Promise.all([
    query.from === undefined ? null : positionAt(db, id, query.from),
    query.to === undefined ? null : positionAt(db, id, query.to),
  ])
  const beforePosition = Math.min(query.beforePosition ?? Infinity, toPosition ?? Infinity)
  const [rows, counted] = await Promise.all([
    listLedger(db, id, {
      ...page,
      reason,
      beforePosition: Number.isFinite(beforePosition) ? beforePosition : null,
      fromPosition,
    }),
    countLedger(db, id, reason, COUNT_CAP, fromPosition, toPosition),
  ])
  // Only the account's owner may have the salt, with which the note can be compared to its hash in the open book.
  const unsalted = rows.map((row) => ({ ...row, noteSalt: null }))
  return listAnswer(unsalted, counted, page)
}

async function pageOfTimeline(db: Database, subject: Subject, id: string, query: QueryOf<'listCustomerTimeline'>) {
  const { limit } = pageOf({ limit: query.limit }, ENTRIES_PER_PAGE)
  const { only = null, before = null } = query
  const page = await readTimeline(db, { userId: id, only, before, limit, hasNotes: id !== subject.userId })
  if (seesAddresses(subject)) return page
  return { ...page, entries: page.entries.map((one) => (one.kind === 'session' ? { ...one, text: null } : one)) }
}

async function pageOfNotes(db: Database, id: string, query: QueryOf<'listCustomerNotes'>) {
  const page = pageOf(query)
  const [rows, counted] = await Promise.all([listNotes(db, id, page), countNotes(db, id, COUNT_CAP)])
  return listAnswer(rows, counted, page)
}
