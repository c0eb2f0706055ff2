import type { Meta } from '#contract/envelope.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { refuseFields } from './errors.ts'

export interface Page {
  readonly page: number
  readonly limit: number
  readonly offset: number
}

/** With deep offsets the database reads rows and discards them; clients that need more use filters or a key. */
const OFFSET_MAX = 100_000

/** Reads `page` (from 1) and `limit` (1 to 100), or throws a 400 that names the field (rules §6). */
export function pageOf(
  query: { page?: number | undefined; limit?: number | undefined },
  defaultLimit: number = PAGE_LIMIT_DEFAULT,
): Page {
  const { page = 1, limit = defaultLimit } = query
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw refuseFields({ path: 'limit', message: `1–${PAGE_LIMIT_MAX}` })
  const offset = (page - 1) * limit
  if (page < 1 || offset > OFFSET_MAX) throw refuseFields({ path: 'page', message: '≥ 1' })
  return { page, limit, offset }
}

/**
 * Parses a sort by one of the columns that a list allows: `name` ascending, `-name` descending; anything else is a 400.
 */
export function sortOf<Column extends string>(
  sort: string | undefined,
  columns: readonly Column[],
  fallback: Column | `-${Column}`,
): { column: Column; isDescending: boolean } {
  const asked = sort ?? fallback
  const isDescending = asked.startsWith('-')
  const column = columns.find((name) => name === (isDescending ? asked.slice(1) : asked))
  if (column === undefined) throw refuseFields({ path: 'sort', message: columns.join(', ') })
  return { column, isDescending }
}

/**
 * A list's answer from one row more than its limit and a count that stopped at TOTAL_COUNTED_TO + 1: `total` is exact
 * to 10,000 and capped beyond (rules §6).
 */
export function listAnswer<T>(rows: readonly T[], counted: number, { page, limit }: Page): { data: T[]; meta: Meta } {
  const isCapped = counted > TOTAL_COUNTED_TO
  return {
    data: rows.slice(0, limit),
    meta: {
      total: Math.min(counted, TOTAL_COUNTED_TO),
      ...(isCapped ? { totalCapped: true } : {}),
      page,
      limit,
      hasMore: rows.length > limit,
    },
  }
}

/** A bounded count stops here: one above the largest exact total. */
export const COUNT_CAP = TOTAL_COUNTED_TO + 1
