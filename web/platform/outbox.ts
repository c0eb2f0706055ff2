import { clear, createStore, delMany, entries, keys, set, type UseStore } from 'idb-keyval'
import { isSessionOver } from './storage.ts'

/**
 * What was written and not yet acknowledged, kept in this browser so that a reload loses nothing. Entries belong to one
 * user. They go at logout, which asks first, and when another user signs in (rules §7). Where IndexedDB is refused (a private window, a policy) they live as long as the
 * page.
 */

/** Anything with an id that can be cloned into IndexedDB; a file too. */
export type OutboxEntry = { readonly id: string }

export const databaseName = 'kim-phien-outbox'

let store: UseStore | undefined
const memory = new Map<string, unknown>()

const keyOf = (userId: string, id: string) => `${userId}/${id}`

function openStore(): UseStore {
  store ??= createStore(databaseName, 'entries')
  return store
}

/** Everything this user has waiting, in no particular order. */
export async function readOutbox<Entry extends OutboxEntry>(userId: string): Promise<Entry[]> {
  const isTheirs = ([key]: readonly [string, unknown]) => key.startsWith(`${userId}/`)
  let stored: readonly (readonly [string, unknown])[] = []
  try {
    stored = await entries<string, unknown>(openStore())
  } catch {
    // What could not be stored is in memory.
  }
  return [...stored, ...memory].filter(isTheirs).map(([, entry]) => entry as Entry)
}

/** Keeps an entry, or replaces the one with its id. Resolved once a reload can't lose it. */
export async function putInOutbox(userId: string, entry: OutboxEntry): Promise<void> {
  // Logging out has emptied it: what this page still does must not fill it again.
  if (isSessionOver()) return
  const key = keyOf(userId, entry.id)
  try {
    await set(key, entry, openStore())
    memory.delete(key)
  } catch {
    memory.set(key, entry)
  }
}

export async function removeFromOutbox(userId: string, id: string): Promise<void> {
  const key = keyOf(userId, id)
  memory.delete(key)
  try {
    await delMany([key], openStore())
  } catch {
    // It was never stored.
  }
}

/** How many messages a logout would lose. */
export async function countUnsent(userId: string): Promise<number> {
  return (await readOutbox(userId)).length
}

/** Logout: nothing that anybody wrote stays on this device. */
export async function deleteOutbox(): Promise<void> {
  memory.clear()
  try {
    await clear(openStore())
  } catch {
    // Nothing is kept where nothing can be opened.
  }
}

/**
 * Somebody signed in: what others wrote here and never sent goes. Nobody can be asked any more, since whoever wrote it
 * left without signing out, and this browser is not theirs now.
 */
export async function deleteOutboxOfOthers(userId: string): Promise<void> {
  const isOthers = (key: string) => !key.startsWith(`${userId}/`)
  for (const key of [...memory.keys()].filter(isOthers)) memory.delete(key)
  try {
    const stored = await keys<string>(openStore())
    await delMany(stored.filter(isOthers), openStore())
  } catch {
    // Nothing is kept where nothing can be opened.
  }
}
