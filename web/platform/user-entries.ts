import { clear, createStore, delMany, entries, keys, set, type UseStore } from 'idb-keyval'
import { isSessionOver } from './storage.ts'

/**
 * Keeps a user's data in IndexedDB, where it survives a reload: unsent messages, drafts, and bets whose seal is not
 * checked yet or did not match. The data is deleted at logout and when another user signs in (rules §7.8). If the
 * browser refuses IndexedDB (private window, policy), the data is in memory only.
 */

/** Databases of these names exist on users' devices, so a rename would lose the stored data. */
const databases = { unsent: 'kim-phien-outbox', drafts: 'kim-phien-drafts', seals: 'kim-phien-seals' } as const
export type EntryKind = keyof typeof databases

export type UserEntry = { readonly id: string }

const stores: { [Kind in EntryKind]?: UseStore } = {}
const memory = new Map<string, unknown>()

const kinds = Object.keys(databases) as readonly EntryKind[]
const keyOf = (userId: string, id: string) => `${userId}/${id}`
const inMemory = (kind: EntryKind, key: string) => `${kind} ${key}`

function openStore(kind: EntryKind): UseStore {
  const store = stores[kind] ?? createStore(databases[kind], 'entries')
  stores[kind] = store
  return store
}

export async function readEntries<Entry extends UserEntry>(kind: EntryKind, userId: string): Promise<Entry[]> {
  const isTheirs = ([key]: readonly [string, unknown]) => key.startsWith(`${userId}/`)
  let stored: readonly (readonly [string, unknown])[] = []
  try {
    stored = (await entries<string, unknown>(openStore(kind))).filter(isTheirs)
  } catch {
    // Entries that could not be stored are in the memory map.
  }
  const others = [...memory].filter(([key]) => key.startsWith(inMemory(kind, `${userId}/`)))
  return [...stored, ...others].map(([, entry]) => entry as Entry)
}

/** Keeps an entry. Once this call has resolved, a reload does not lose the entry, unless IndexedDB is refused. */
export async function keepEntry(kind: EntryKind, userId: string, entry: UserEntry): Promise<void> {
  // After a logout has deleted the entries, this page must not add new ones.
  if (isSessionOver()) return
  const key = keyOf(userId, entry.id)
  try {
    await set(key, entry, openStore(kind))
    memory.delete(inMemory(kind, key))
  } catch {
    memory.set(inMemory(kind, key), entry)
  }
}

export async function removeEntry(kind: EntryKind, userId: string, id: string): Promise<void> {
  const key = keyOf(userId, id)
  memory.delete(inMemory(kind, key))
  try {
    await delMany([key], openStore(kind))
  } catch {
    // IndexedDB is refused: the entry was in memory only.
  }
}

const counters = new Set<() => number>()

/** Lets `countUnsent` count texts that only this page has. Returns a function that ends this. */
export function countAlso(count: () => number): () => void {
  counters.add(count)
  return () => counters.delete(count)
}

/** Returns the number of unsent messages, drafts and edits that a logout would delete. */
export async function countUnsent(userId: string): Promise<number> {
  const kept = await Promise.all([readEntries('unsent', userId), readEntries('drafts', userId)])
  return [...counters].reduce((sum, count) => sum + count(), kept.flat().length)
}

/** Calls `act` for each database and ignores failures: a database that can't be opened contains nothing. */
const inEach = (act: (store: UseStore) => Promise<void>) =>
  Promise.allSettled(kinds.map(async (kind) => act(openStore(kind))))

export async function deleteEntries(): Promise<void> {
  memory.clear()
  await inEach((store) => clear(store))
}

/** Deletes other users' entries, even unsent messages (rules §7.8). */
export async function deleteEntriesOfOthers(userId: string): Promise<void> {
  const isOthers = (key: string) => !key.startsWith(`${userId}/`)
  for (const key of [...memory.keys()]) if (isOthers(key.slice(key.indexOf(' ') + 1))) memory.delete(key)
  await inEach(async (store) => delMany((await keys<string>(store)).filter(isOthers), store))
}
