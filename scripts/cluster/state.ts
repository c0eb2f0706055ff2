import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIfThere } from '#server/platform/process/durable-file.ts'
import { HOST } from './parts.ts'
import type { Member } from './processes.ts'

export interface State {
  readonly basePort: number
  readonly members: readonly Member[]
}

export interface Secrets {
  readonly superuser: string
  readonly replication: string
  readonly database: string
  readonly redis: string
  readonly auditKey: string
  readonly admin: string
}

const FILE = 'state.json'

export function readState(folder: string): State | null {
  const text = readIfThere(join(folder, FILE))
  return text === null ? null : (JSON.parse(text) as State)
}

export const writeState = (folder: string, state: State): void =>
  // The file contains the environments of our servers with their passwords, so only its owner may read it.
  writeFileSync(join(folder, FILE), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })

export const readStoredSecrets = (folder: string): Secrets =>
  JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Secrets

export const databaseUrl = (port: number, { database }: Secrets): string =>
  `postgres://kim_phien:${database}@${HOST}:${port}/kim_phien`
