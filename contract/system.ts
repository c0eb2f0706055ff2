import * as z from 'zod/mini'
import { ALARM_WHYS } from './attention.ts'
import { answer, instant, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** The parts of the system that are checked, each with its section of the operators' manual. */
export const SYSTEM_PAGES = {
  database: 'docs/operations/databases.md#which-database-serves-what',
  migrations: 'docs/operations/databases.md#moving-to-postgresql',
  partitions: 'docs/operations/databases.md#ticks-and-the-audit-log-by-month',
  clock: 'docs/operations/watching.md#when-the-clock-is-set',
  feed: 'docs/operations/watching.md#price-feeds',
  book: 'docs/operations/book.md#the-open-book',
  ledger: 'docs/operations/watching.md#watching-it',
  archive: 'docs/operations/backup.md#backup-and-restore',
  backup: 'docs/operations/backup.md#backup-and-restore',
  rehearsal: 'docs/operations/backup.md#backup-and-restore',
  disk: 'docs/operations/databases.md#ticks-and-the-audit-log-by-month',
  backupDisk: 'docs/operations/backup.md#backup-and-restore',
  redis: 'docs/operations/databases.md#more-processes',
  proxy: 'docs/operations/databases.md#more-processes',
  use: 'docs/operations/watching.md#under-load',
  version: 'docs/operations/backup.md#back-to-the-version-before',
} as const
export type SystemPart = keyof typeof SYSTEM_PAGES
export const SYSTEM_PARTS = Object.keys(SYSTEM_PAGES) as [SystemPart, ...SystemPart[]]

/** Why a part is wrong or not known (rules §6.15). `LATE`: the check took too long. `BROKEN`: the check failed. */
export const SYSTEM_WHYS = [
  ...ALARM_WHYS,
  ...(['LATE', 'BROKEN', 'NONE', 'OLD', 'FAILED', 'UNPROVED', 'FULL', 'FILLING', 'SLOW', 'OFF'] as const),
  ...(['READ_ONLY', 'OUTDATED', 'NEWER', 'MISSING', 'MOVING', 'UNTRUSTED', 'PLAIN_HTTP'] as const),
] as const
export type SystemWhy = (typeof SYSTEM_WHYS)[number]

const fact = z.optional(z.number())
const when = z.optional(instant)
const word = z.optional(text)

/** The findings of a check, without personal data, paths and keys (rules §6.15). */
export const systemFacts = answer(() => ({
  version: word,
  newer: word,
  source: word,
  atMs: ['at', when],
  failedAtMs: ['failedAt', when],
  sizeBytes: ['size', fact],
  freeBytes: ['free', fact],
  allBytes: ['all', fact],
  /** Average growth per day; absent until there are measurements of three days (rules §6.15). */
  growthBytes: ['growth', fact],
  daysLeft: fact,
  entries: fact,
  tookMs: ['took', fact],
  offMs: ['off', fact],
  sessions: fact,
  sockets: fact,
}))
export type SystemFacts = z.output<typeof systemFacts>

const systemPart = answer(() => ({
  part: z.enum(SYSTEM_PARTS),
  is: ['state', z.enum(['ok', 'wrong', 'skipped'])],
  why: z.nullable(z.enum(SYSTEM_WHYS)),
  facts: systemFacts,
}))

const systemFailure = answer(() => ({
  text,
  code: z.nullable(text),
  count: z.int(),
  atMs: ['lastAt', instant],
}))

export const system = answer(() => ({
  parts: z.array(systemPart),
  failures: z.array(systemFailure),
  serverTimeMs: ['serverTime', instant],
}))
export type System = z.output<typeof system>

export const systemEndpoints = {
  system: endpoint('GET', '/api/v1/system', 'staff:owner', {
    data: system,
    summary: 'How this installation fares: each part as the doctor judges it, and the last kinds of errors',
  }),
} as const
