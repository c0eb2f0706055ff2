import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { type Asker, createFairQueue } from './fair-queue.ts'

/** argon2id with 19 MiB, 2 passes, 1 lane: about 8 ms (rules §4). */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/**
 * Turns at once: each hash takes a core and 19 MiB, and the rest of the server needs a thread of the pool too. A full
 * lane is a few seconds of work. An address may have as many waiting as a crowd behind one mobile network sends at once.
 */
const turns = createFairQueue({ atOnce: Math.min(3, availableParallelism()), perAddress: 50, perLane: 400 })

export interface Hasher {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

/** Vietnamese can be typed composed or decomposed; both are the same password. */
const normal = (password: string): string => password.normalize('NFC')

const hasher: Hasher = {
  hash: (password) => hash(normal(password), COST),
  verify: (passwordHash, password) => verify(passwordHash, normal(password)),
}

/**
 * The only way to hash: in turn, so that nobody's flood takes the others' time.
 * @throws Refused TOO_MANY_REQUESTS when too many wait
 */
export const inPasswordTurn = <T>(asker: Asker, work: (hasher: Hasher) => Promise<T>): Promise<T> =>
  turns.run(asker, () => work(hasher))

/** The hash of a new password, made in turn. */
export const hashInTurn = (asker: Asker, password: string): Promise<string> =>
  inPasswordTurn(asker, (hasher) => hasher.hash(password))

/** Something to verify against where there is no account, so that an unknown name takes as long as a known one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
