import * as z from 'zod/mini'
import { BOOK_ACTS } from '#domain/book/entry.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { amount, answer, askedInstant, day, instant, query, queryInt, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/*
 * The answers for the public pages of the open book (docs/open-book.md §5, §6). By themselves, the answers prove
 * nothing. But each row of the call `listNoted` names its place in the log, where anybody can read the signed entry.
 */

export const NOTED_KINDS = ['act', 'feed', 'dispute'] as const
export type NotedKind = (typeof NOTED_KINDS)[number]

/** In the log, an announced result is of kind `announce`, not `act`. The pages show both kinds as acts of staff. */
export const NOTED_ACTS = ['announce', ...BOOK_ACTS] as const
export type NotedAct = (typeof NOTED_ACTS)[number]

/** The place where a page of the call `listNoted` ends: a log's generation and an index in that log. */
const cursor = z.codec(
  text.check(z.regex(/^\d{1,6}\.\d{1,15}$/)),
  z.custom<{ readonly log: number; readonly index: number }>(),
  {
    decode: (text) => {
      const [log = 0, index = 0] = text.split('.').map(Number)
      return { log, index }
    },
    encode: ({ log, index }) => `${log}.${index}`,
  },
)

export const notedEntry = answer(() => ({
  log: z.int(),
  index: z.int(),
  kind: z.enum(['announce', ...NOTED_KINDS]),
  atMs: ['at', instant],
  entry: text,
  answeredAtMs: ['answeredAt', z.nullable(instant)],
}))
export type NotedEntry = z.output<typeof notedEntry>

export const NOTED_LIMIT_MAX = 100
export const NOTED_LIMIT_DEFAULT = 20

/**
 * Counts and sums of docs/open-book.md §6. The first four fields count rounds, without deleted and announced ones. The
 * other fields are about bets, without bets that an announcement or a script decided.
 */
const counted = {
  up: z.int(),
  down: z.int(),
  ties: z.int(),
  missing: z.int(),
  won: ['win', z.int()],
  lost: ['lose', z.int()],
  tied: z.int(),
  voided: ['void', z.int()],
  stakedMinor: ['staked', amount],
  profitMinor: ['profit', amount],
  late: z.int(),
  lateWon: ['lateWin', z.int()],
  lateLost: ['lateLose', z.int()],
} as const

/** A sum of squared minor units, as a text, because the sum may exceed 2^53. */
const squares = z.codec(text.check(z.regex(/^\d{1,60}$/)), z.bigint(), { decode: BigInt, encode: String })

export const bookRates = answer(() => ({
  types: z.array(
    answer(() => ({
      type: ['gameType', z.enum(ROUND_TYPES)],
      source: text,
      ...counted,
      squares,
    })),
  ),
  days: z.array(answer(() => ({ day, profitMinor: ['profit', amount], squares }))),
  disputes: answer(() => ({
    open: z.int(),
    upheld: z.int(),
    rejected: z.int(),
    oldestOpenAtMs: ['oldestOpenAt', z.nullable(instant)],
  })),
}))
export type BookRates = z.output<typeof bookRates>

export const bookPageEndpoints = {
  listNoted: endpoint('GET', '/api/v1/book/acts', 'public', {
    /** `from` is included, `to` is not. `after` is the `next` of the previous page; `next` is null on the last page. */
    query: query(() => ({
      kind: z.optional(z.enum(NOTED_KINDS)),
      act: z.optional(z.enum(NOTED_ACTS)),
      from: z.optional(askedInstant),
      to: z.optional(askedInstant),
      after: z.optional(cursor),
      limit: z.optional(queryInt),
    })),
    data: answer(() => ({ rows: z.array(notedEntry), next: z.nullable(cursor) })),
    summary: 'Acts of staff, feed closings and disputes in the log, newest first',
  }),
  readRates: endpoint('GET', '/api/v1/book/rates', 'public', {
    query: query(() => ({ from: z.optional(day), to: z.optional(day) })),
    data: bookRates,
    summary: 'Measured rates of all closed rounds in the log, by type and source, and by day',
  }),
} as const

export type NotedQuery = z.output<typeof bookPageEndpoints.listNoted.query>
export type RatesQuery = z.output<typeof bookPageEndpoints.readRates.query>
