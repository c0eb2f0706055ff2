import * as z from 'zod/mini'
import { answer, instant, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/**
 * Why no notes are signed. `OTHER_KEY`: the answering server has another key than the log. `OTHER_LOG`: the note on its
 * disk is of another database. `AHEAD`: a server knows a note of more entries than the database has, as after a
 * restore. `DIFFERS`: a note that a server knows does not fit the log in the database. `DAMAGED`: the log's own newest
 * note does not fit it. `WITNESS`: a witness signed other entries, or more. `SILENT`: no note for half a minute.
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
