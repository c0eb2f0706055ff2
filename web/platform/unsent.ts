import { keepEntry, readEntries, removeEntry, type UserEntry } from './user-entries.ts'

/** Unacknowledged messages, kept in this browser so that a reload loses none. A logout asks before it deletes them. */

/** Any value with an id that can be cloned into IndexedDB, including files. */
export type UnsentEntry = UserEntry

/** All unsent entries of this user, in no particular order. */
export const readUnsent = <Entry extends UnsentEntry>(userId: string): Promise<Entry[]> => readEntries('unsent', userId)

/** Stores an entry, or replaces the one with its id. Resolves once a reload can't lose it. */
export const keepUnsent = (userId: string, entry: UnsentEntry): Promise<void> => keepEntry('unsent', userId, entry)

export const removeUnsent = (userId: string, id: string): Promise<void> => removeEntry('unsent', userId, id)

/** The number of messages that a logout would lose. */
export async function countUnsent(userId: string): Promise<number> {
  return (await readUnsent(userId)).length
}
