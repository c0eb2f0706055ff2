import { usernameSearchKey } from '#domain/identity/credentials.ts'
import type { Param } from './db.ts'

const NAMES_MAX = 300

export const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

export const idByNameSql = (name: string, place: (value: Param) => string): string =>
  `(select id from users where username_key = ${place(name.toLowerCase())})`

/**
 * Returns SQL for an array of the ids of the first 300 users whose names begin with `search`. The index
 * users_name_order finds these users under any collation. PostgreSQL computes the array before the rest of a statement,
 * so it need not scan all rows of a table whose column is compared with the array.
 */
export const idsByNameSql = (search: string, place: (value: Param) => string): string =>
  `array(select id from users
          where username_key collate "C" like ${place(likePrefix(usernameSearchKey(search)))}
          order by username_key collate "C", id limit ${NAMES_MAX})`
