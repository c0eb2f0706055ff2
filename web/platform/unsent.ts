import { clear, createStore, delMany, entries, keys, set, type UseStore } from 'idb-keyval'
import { isSessionOver } from './storage.ts'

/**
 * Messages that were written and not yet acknowledged, kept in this browser so that a reload loses none. An entry belongs
 * to one user. Entries are deleted at logout, which asks first, and when another user signs in (rules §7). Where IndexedDB
 * is refused (a private window, a policy) they live as long as the page.
 */

/** Anything with an id that can be cloned into IndexedDB; a file too. */
export type UnsentEntry = { readonly id: string }

/** Named as on the devices that have one: under another name their unsent messages would stay behind. */
const databaseName = 'kim-phien-outbox'

let store: UseStore | undefined
const memory = new Map<string, unknown>()

const keyOf = (userId: string, id: string) => `${userId}/${id}`

function openStore(): UseStore {
  store ??= createStore(databaseName, 'entries')
  return store
}

/** Everything this user has not sent, in no particular order. */
export async function readUnsent<Entry extends UnsentEntry>(userId: string): Promise<Entry[]> {
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
export async function keepUnsent(userId: string, entry: UnsentEntry): Promise<void> {
  // The logout has deleted everything: this page must not add to it any more.
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
    // It was never stored.
  }
}

/** How many messages a logout would lose. */
export async function countUnsent(userId: string): Promise<number> {
  return (await readUnsent(userId)).length
}

/** At logout: deletes the unsent messages of every user of this device. */
export async function deleteUnsent(): Promise<void> {
  memory.clear()
  try {
    await clear(openStore())
  } catch {
    // Nothing is kept where nothing can be opened.
  }
}

/**
 * At a sign-in: deletes the unsent messages of every other user. Their writers left without signing out, so that they
 * can't be asked first, and the device is another's now (rules §7).
 */
export async function deleteUnsentOfOthers(userId: string): Promise<void> {
  const isOthers = (key: string) => !key.startsWith(`${userId}/`)
  for (const key of [...memory.keys()].filter(isOthers)) memory.delete(key)
  try {
    const stored = await keys<string>(openStore())
    await delMany(stored.filter(isOthers), openStore())
  } catch {
    // Nothing is kept where nothing can be opened.
  }
}
