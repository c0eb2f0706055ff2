import { createStore, entries, update, type UseStore } from 'idb-keyval'

/**
 * Stores in IndexedDB, for each log of the open book, the key that this device saw first and the newest note that this
 * device verified (docs/open-book.md §3). Both belong to the device, not to a user, so they stay after a logout
 * (rules §7.8). If the browser refuses IndexedDB (private window, policy), both are in memory only.
 */

export type KeptLog = {
  readonly origin: string
  readonly vkey: string
  /** The newest note that this device verified, which signs the first `size` entries; null if none was verified. */
  readonly note: string | null
  readonly size: number
}

let store: UseStore | undefined
const memory = new Map<string, KeptLog>()

/** A database of this name exists on users' devices, so a rename would lose the stored logs. */
const openStore = (): UseStore => (store ??= createStore('kim-phien-book', 'entries'))

/** Returns the log to keep. The first key is never replaced. With the same key, the note of more entries wins. */
const better = (known: KeptLog | undefined, log: KeptLog): KeptLog =>
  known === undefined || (known.vkey === log.vkey && known.size <= log.size) ? log : known

export async function readKeptLogs(): Promise<readonly KeptLog[]> {
  const known = new Map(memory)
  try {
    for (const [origin, log] of await entries<string, KeptLog>(openStore()))
      known.set(origin, better(known.get(origin), log))
  } catch {
    // IndexedDB is refused: return the logs in memory.
  }
  return [...known.values()]
}

export async function keepLog(log: KeptLog): Promise<void> {
  try {
    await update<KeptLog>(log.origin, (known) => better(known, log), openStore())
  } catch {
    memory.set(log.origin, better(memory.get(log.origin), log))
  }
}
