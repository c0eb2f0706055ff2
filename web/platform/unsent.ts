import { clear, createStore, delMany, entries, keys, set, type UseStore } from 'idb-keyval'
import { isSessionOver } from './storage.ts'

/**
 * Unacknowledged messages, kept in this browser so that a reload loses none. An entry belongs to one user. Entries are
 * deleted at logout, which asks first, and when another user signs in (rules §7). Where IndexedDB is refused (a private
 * window, a policy) they last as long as the page.
 */

/** Any value with an id that can be cloned into IndexedDB, including files. */
export type UnsentEntry = { readonly id: string }

/** The existing name on users' devices: a rename would lose their unsent messages. */
const databaseName = 'kim-phien-outbox'

let store: UseStore | undefined
const memory = new Map<string, unknown>()

const keyOf = (userId: string, id: string) => `${userId}/${id}`

function openStore(): UseStore {
  store ??= createStore(databaseName, 'entries')
  return store
}

/** All unsent entries of this user, in no particular order. */
export async function readUnsent<Entry extends UnsentEntry>(userId: string): Promise<Entry[]> {
  const isTheirs = ([key]: readonly [string, unknown]) => key.startsWith(`${userId}/`)
  let stored: readonly (readonly [string, unknown])[] = []
  try {
    stored = await entries<string, unknown>(openStore())
  } catch {
    // Entries that could not be stored are in memory.
  }
  return [...stored, ...memory].filter(isTheirs).map(([, entry]) => entry as Entry)
}

/** Stores an entry, or replaces the one with its id. Resolves once a reload can't lose it. */
export async function keepUnsent(userId: string, entry: UnsentEntry): Promise<void> {
  // The logout has deleted everything: this page must not add entries any more.
  if (isSessionOver()) return
  const key = keyOf(userId, entry.id)
  try {
    await set(key, entry, openStore())
    memory.delete(key)
  } catch {
    memory.set(key, entry)
  }
}

export async function removeUnsent(userId: string, id: string): Promise<void> {
  const key = keyOf(userId, id)
  memory.delete(key)
  try {
    await delMany([key], openStore())
  } catch {
    // The entry was never stored.
  }
}

/** The number of messages that a logout would lose. */
export async function countUnsent(userId: string): Promise<number> {
  return (await readUnsent(userId)).length
}

/** At logout: deletes the unsent messages of every user of this device. */
export async function deleteUnsent(): Promise<void> {
  memory.clear()
  try {
    await clear(openStore())
  } catch {
    // Where the database can't be opened, nothing is stored.
  }
}

/**
 * At a sign-in: deletes the unsent messages of every other user. Those users left without signing out, so they can't be
 * asked first, and the device is now another user's (rules §7).
 */
export async function deleteUnsentOfOthers(userId: string): Promise<void> {
  const isOthers = (key: string) => !key.startsWith(`${userId}/`)
  for (const key of [...memory.keys()].filter(isOthers)) memory.delete(key)
  try {
    const stored = await keys<string>(openStore())
    await delMany(stored.filter(isOthers), openStore())
  } catch {
    // Where the database can't be opened, nothing is stored.
  }
}
