import type { Database, Tx } from '#server/platform/database/db.ts'

/** Keeps a transaction open once its work is done, and resolves then. `commit` waits until it has committed. */
export async function holdOpen(
  db: Database,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ readonly commit: () => Promise<void> }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = db.tx(async (tx) => {
    await work(tx)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, done])
  return {
    commit() {
      released.resolve()
      return done
    },
  }
}
