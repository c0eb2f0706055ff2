// The code of a worker thread that hashes and verifies passwords, one after the other (hash-threads.ts).
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

export interface HashOrder {
  readonly id: number
  readonly password: string
  readonly passwordHash: string | null
}

export type HashAnswer =
  | { readonly id: number; readonly value: string | boolean }
  | { readonly id: number; readonly failure: string }

/** Parameters of argon2id (rules §4.1): 19 MiB of memory, 2 passes, 1 lane. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

function answer({ id, password, passwordHash }: HashOrder): HashAnswer {
  try {
    return { id, value: passwordHash === null ? hashSync(password, COST) : verifySync(passwordHash, password) }
  } catch (error) {
    return { id, failure: String(error) }
  }
}

parentPort?.on('message', (order: HashOrder) => parentPort?.postMessage(answer(order), []))
