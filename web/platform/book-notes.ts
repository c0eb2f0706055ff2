import { createStore, entries, update, type UseStore } from 'idb-keyval'

/**
 * The open book's logs as this device first saw them, in IndexedDB (docs/open-book.md §3). They say nothing about a
 * person and stay when a user leaves. Where IndexedDB is refused (a private window, a policy) they last as long as the
 * page.
 */

export type KeptLog = {
  readonly origin: string
  readonly vkey: string
  /** The newest note whose signature was verified here, null before the first, and the entries that it signs. */
  readonly note: string | null
  readonly size: number
}

let store: UseStore | undefined
const memory = new Map<string, KeptLog>()

/** The name exists on devices: a rename would lose the stored logs. */
const openStore = (): UseStore => (store ??= createStore('kim-phien-book', 'entries'))

/** The first key stays, with the note that signs more. */
const better = (known: KeptLog | undefined, log: KeptLog): KeptLog =>
  known === undefined || (known.vkey === log.vkey && known.size <= log.size) ? log : known

export async function readKeptLogs(): Promise<readonly KeptLog[]> {
  const known = new Map(memory)
  try {
    for (const [origin, log] of await entries<string, KeptLog>(openStore()))
      known.set(origin, better(known.get(origin), log))
  } catch {
    // Notes that could not be stored stay in memory.
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
