import { availableParallelism } from 'node:os'
import { normalPassword } from '#domain/identity/credentials.ts'
import { type Asker, createPasswordQueue } from './password-queue.ts'
import { createHashThreads } from './hash-threads.ts'

/** Three threads at most, since each takes a CPU core and 19 MiB while it hashes. */
const run = createHashThreads(Math.min(3, availableParallelism()))

/**
 * There are more turns than threads, so that the threads have passwords to hash even while the database answers slowly,
 * and fewer turns than database connections. A full lane is a few seconds of work. An address may have as many tasks
 * waiting as the users behind one mobile network send at once.
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
 * The only way to hash a password. Hashes run in turns, so that a flood does not take the time of other users.
 * @throws Refused TOO_MANY_REQUESTS when too many wait
 */
export const inPasswordTurn = <T>(asker: Asker, work: (hasher: Hasher) => Promise<T>): Promise<T> =>
  turns.run(asker, () => work(hasher))

export const hashInTurn = (asker: Asker, password: string): Promise<string> =>
  inPasswordTurn(asker, (hasher) => hasher.hash(password))

/** Passwords for an unknown name are compared with this hash, so that the answer takes as long as for a known name. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
