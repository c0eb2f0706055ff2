import type { QueryResult } from './db.ts'

/** Returns SQL that converts an instant, given as SQL, to Unix ms. */
export const msSql = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)::float8`

/** Returns the first row. Throws if there is none. */
export function onlyRow<R>({ rows }: QueryResult<R>): R {
  const [row] = rows
  if (row === undefined) throw new Error('A statement has given no row.')
  return row
}
