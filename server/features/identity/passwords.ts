import { availableParallelism } from 'node:os'
import { normalPassword } from '#domain/identity/credentials.ts'
import { type Asker, createPasswordQueue } from './password-queue.ts'
import { createHashThreads } from './hash-threads.ts'

/** At most three threads, since a thread takes a CPU core and 19 MiB while it hashes. */
const run = createHashThreads(Math.min(3, availableParallelism()))

/** `atOnce` exceeds the number of threads, so that the threads have work while other turns wait for the database. */
const turns = createPasswordQueue({ atOnce: 6, perAddress: 50, perLane: 400 })

export interface Hasher {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

const hasher: Hasher = {
  hash: async (password) => String(await run(normalPassword(password), null)),
  verify: async (passwordHash, password) => (await run(normalPassword(password), passwordHash)) === true,
}

/**
 * Runs work that hashes or verifies passwords when its turn in the queue comes.
 * @throws Refused TOO_MANY_REQUESTS if too many tasks wait
 */
export const inPasswordTurn = <T>(asker: Asker, work: (hasher: Hasher) => Promise<T>): Promise<T> =>
  turns.run(asker, () => work(hasher))

export const hashInTurn = (asker: Asker, password: string): Promise<string> =>
  inPasswordTurn(asker, (hasher) => hasher.hash(password))

/** Passwords for an unknown name are compared with this hash, so that the answer takes as long as for a known name. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
