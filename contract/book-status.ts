import * as z from 'zod/mini'
import { answer, instant, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/**
 * Why nothing is signed. `OTHER_KEY`: the answering server has another key than the log. `OTHER_LOG`: its disk knows the
 * log of another database. `AHEAD`: a note with more entries than the database has was signed, as after a restored
 * backup. `DIFFERS`: a signed note does not fit the stored log. `DAMAGED`: the stored log is not what was signed.
 * `WITNESS`: a witness knows another log. `SILENT`: no note for half a minute.
 */
export const STOP_WHYS = ['OTHER_KEY', 'OTHER_LOG', 'AHEAD', 'DIFFERS', 'DAMAGED', 'WITNESS', 'SILENT'] as const
export type StopWhy = (typeof STOP_WHYS)[number]

export const bookStatus = answer(() => ({
  origin: text,
  /** Path of the newest log: `/log`, `/log/2` after a restart, and so on. */
  prefix: text,
  vkey: text,
  /** Entries under the newest note; 0 before the first one. */
  size: z.int(),
  /** Time of the newest note's beat; null before the first one. */
  noteAtMs: ['noteAt', z.nullable(instant)],
  /** When the newest log began: from then on it is complete. */
  completeSinceMs: ['completeSince', instant],
  isSealing: z.boolean(),
  /** Null while it is sealing. */
  why: z.nullable(z.enum(STOP_WHYS)),
  /** Whether a witness has cosigned a note of this log. */
  isWitnessed: z.boolean(),
  /** The space that all logs take on the server's disk, a minute old at most. */
  storageBytes: z.int(),
}))

export const bookStatusEndpoints = {
  readBookStatus: endpoint('GET', '/api/v1/book/status', 'public', {
    data: bookStatus,
    summary: 'The state of the public log: its newest note, and whether it is being signed',
  }),
} as const
