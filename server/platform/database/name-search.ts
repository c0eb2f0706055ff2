import type { Param } from './db.ts'
import { foldForSearch } from '#domain/search-text.ts'

const NAMES_MAX = 300

export const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

export const idByNameSql = (name: string, place: (value: Param) => string): string =>
  `(select id from users where username_key = ${place(name.toLowerCase())})`

/**
 * Returns SQL for an array of the ids of the first 300 users, by name, whose names begin with `search`. PostgreSQL
 * computes the array once per statement, so an index on the column that is compared with the array can be used.
 */
export const idsByNameSql = (search: string, place: (value: Param) => string): string =>
  `array(select id from users
          where username_key collate "C" like ${place(likePrefix(foldForSearch(search)))}
          order by username_key collate "C", id limit ${NAMES_MAX})`
