import { usernameSearchKey } from '#domain/identity/credentials.ts'
import type { Param } from './db.ts'

/** At most this many names are searched; for others, users type another letter. */
const NAMES_MAX = 300

/** A pattern of `like` for texts that begin with this one. */
export const likePrefix = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * SQL for the id of the user of this whole name, in any case.
 * @param place takes a parameter and returns its placeholder
 */
export const idByNameSql = (name: string, place: (value: Param) => string): string =>
  `(select id from users where username_key = ${place(name.toLowerCase())})`

/**
 * SQL for an array of the ids of users whose names begin with a search: the first 300 in the names' order, by the index
 * users_name_order under any collation. The ids are known before their rows are searched, so the database never scans
 * all rows in the hope of finding theirs.
 * @param place takes a parameter and returns its placeholder
 */
export const idsByNameSql = (search: string, place: (value: Param) => string): string =>
  `array(select id from users
          where username_key collate "C" like ${place(likePrefix(usernameSearchKey(search)))}
          order by username_key collate "C", id limit ${NAMES_MAX})`
