import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfThere } from '#server/platform/process/durable-file.ts'
import { HOST } from './parts.ts'
import type { Member } from './processes.ts'

/** The processes and addresses that `npm run cluster` has started, in the folder of the cluster. */
export interface State {
  readonly basePort: number
  readonly members: readonly Member[]
}

/** Passwords and keys of a cluster, in a file that only its owner may read. */
export interface Secrets {
  readonly superuser: string
  readonly replication: string
  readonly database: string
  readonly redis: string
  readonly auditKey: string
  /** The password of the first administrator. */
  readonly admin: string
}

const FILE = 'state.json'

/** The processes that run, or ran, in this folder; null where no cluster was ever started. */
export function readState(folder: string): State | null {
  const text = readIfThere(join(folder, FILE))
  return text === null ? null : (JSON.parse(text) as State)
}

export const writeState = (folder: string, state: State): void =>
  // The arguments and environment of a process contain passwords.
  writeFileSync(join(folder, FILE), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })

export const readStoredSecrets = (folder: string): Secrets =>
  JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Secrets

/** The database as our processes reach it, through HAProxy. */
export const databaseUrl = (port: number, { database }: Secrets): string =>
  `postgres://kim_phien:${database}@${HOST}:${port}/kim_phien`
