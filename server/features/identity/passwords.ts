import { availableParallelism } from 'node:os'
import { normalPassword } from '#domain/identity/credentials.ts'
import { type Asker, createPasswordQueue } from './password-queue.ts'
import { createHashThreads } from './hash-threads.ts'

/** Three threads at most, since each takes a CPU core and 19 MiB while it hashes. */
const run = createHashThreads(Math.min(3, availableParallelism()))

/**
 * `atOnce` is more than the threads, so that they have work even while the database answers slowly, and less than the
 * database connections, since a turn may take one. A full lane is a few seconds of work. `perAddress` is what the users
 * of one mobile network may send at the same time.
 */
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
 * Runs work that hashes or verifies passwords, when its turn comes. Passwords are hashed in no other way, so that a
 * flood of attempts does not take the time of other users.
 * @throws Refused TOO_MANY_REQUESTS if too many tasks wait
 */
export const inPasswordTurn = <T>(asker: Asker, work: (hasher: Hasher) => Promise<T>): Promise<T> =>
  turns.run(asker, () => work(hasher))

export const hashInTurn = (asker: Asker, password: string): Promise<string> =>
  inPasswordTurn(asker, (hasher) => hasher.hash(password))

/** Passwords for an unknown name are compared with this hash, so that the answer takes as long as for a known name. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
