import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval'

/**
 * What was written and not yet acknowledged, kept in this browser so that a reload loses nothing. Entries belong to one
 * user and go at logout (rules §7). Where IndexedDB is refused (a private window, a policy) they live as long as the
 * page.
 */

/** Anything with an id that can be cloned into IndexedDB; a file too. */
export type OutboxEntry = { readonly id: string }

const databaseName = 'kim-phien-outbox'

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
    const all = await entries<string, unknown>(openStore())
    await delMany(
      all.map(([key]) => key),
      openStore(),
    )
  } catch {
    // Nothing is kept where nothing can be opened.
  }
}
