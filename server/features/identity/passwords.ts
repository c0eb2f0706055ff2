import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '#server/platform/errors.ts'

/** argon2id with 19 MiB, 2 passes, 1 lane: about 8 ms (rules §4). */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Hashes that run at once: each takes a core and 19 MiB, and the rest of the server needs a thread of the pool too. */
const CONCURRENT = Math.min(3, availableParallelism())
/** Who would wait longer than some seconds is sent away instead. */
const WAITING_MAX = 400

let running = 0
const waiting: Array<() => void> = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENT) {
    if (waiting.length >= WAITING_MAX) throw refuse('TOO_MANY_REQUESTS', undefined, 5)
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    // The place goes straight to the next in line: nobody who comes now overtakes.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** Vietnamese can be typed composed or decomposed; both are the same password. */
const normal = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), COST))

export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  inTurn(() => verify(passwordHash, normal(password)))

/** Something to verify against where there is no account, so that an unknown name takes as long as a known one. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
