import * as z from 'zod/mini'
import { answer, instant, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/**
 * Why no notes are signed. `OTHER_KEY`: the answering server has another key than the log. `OTHER_LOG`: the note on the
 * server's disk is of a log that the database does not have. `AHEAD`: a note on the disk or in the memory of a server
 * signs more entries than the database has, as after a restore. `DIFFERS`: a note on a server's disk or in its memory
 * does not fit the log in the database. `DAMAGED`: the newest note in the database does not fit that log.
 * `WITNESS`: a witness signed other entries than the log's, or more. `SILENT`: no note for half a minute.
 */
export const STOP_WHYS = ['OTHER_KEY', 'OTHER_LOG', 'AHEAD', 'DIFFERS', 'DAMAGED', 'WITNESS', 'SILENT'] as const
export type StopWhy = (typeof STOP_WHYS)[number]

export const bookStatus = answer(() => ({
  origin: text,
  prefix: text,
  vkey: text,
  size: z.int(),
  noteAtMs: ['noteAt', z.nullable(instant)],
  completeSinceMs: ['completeSince', instant],
  isSealing: z.boolean(),
  why: z.nullable(z.enum(STOP_WHYS)),
  isWitnessed: z.boolean(),
  storageBytes: z.int(),
}))

export const bookStatusEndpoints = {
  readBookStatus: endpoint('GET', '/api/v1/book/status', 'public', {
    data: bookStatus,
    summary: 'The state of the public log: its newest note, and whether it is being signed',
  }),
} as const
