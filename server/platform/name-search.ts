import { usernameSearchKey } from '#domain/identity/credentials.ts'
import type { Param } from './db.ts'

/** So many names are looked into at most; whoever needs others types another letter. */
const NAMES_MAX = 300

/**
 * SQL for an array of the ids of users whose names begin with a search: the first 300 in the names' order, by the
 * index users_name_order under any collation. How many there are is known before the rows that belong to them are
 * looked for, so the database never walks through everybody's rows in the hope of meeting theirs.
 * @param place takes a parameter and answers its placeholder
 */
export const idsByNameSql = (search: string, place: (value: Param) => string): string =>
  `array(select id from users
          where username_key collate "C" like ${place(`${usernameSearchKey(search).replaceAll(/[\\%_]/g, '\\$&')}%`)}
          order by username_key collate "C", id limit ${NAMES_MAX})`
