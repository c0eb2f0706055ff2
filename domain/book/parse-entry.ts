import { parseJson } from '../json.ts'
import { encodeEntry, encodeFields, type Entry, ENTRY_KINDS, ENTRY_SHAPES } from './entry.ts'
import { isRecord, moment } from './shapes.ts'

const HEAD = /^\{"k":"([a-z][a-z0-9-]*)","v":([1-9][0-9]{0,8}),"at":(0|[1-9][0-9]{0,15})[,}]/

/** A parsed line of the log. `not-understood`: an entry of a later version, or of an unknown kind. */
export type ParsedEntry =
  | { readonly is: 'entry'; readonly entry: Entry }
  | { readonly is: 'not-understood' | 'malformed' }

export function parseEntry(line: string): ParsedEntry {
  const head = HEAD.exec(line)
  const parsed = parseJson(line)
  if (head === null || !isRecord(parsed)) return { is: 'malformed' }
  const [, kind = '', version] = head
  const known = ENTRY_KINDS.find((name) => name === kind)
  if (known === undefined || version !== '1') return { is: 'not-understood' }
  const { k, at } = parsed
  if (k !== known || !moment.is(at) || !ENTRY_SHAPES[known].is(parsed)) return { is: 'malformed' }
  const entry = parsed as unknown as Entry
  const again = encodeEntry(known, entry.at, encodeFields(known, entry))
  return again === line ? { is: 'entry', entry } : { is: 'malformed' }
}
