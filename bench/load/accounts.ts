import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hash } from '@node-rs/argon2'
import { identityEndpoints } from '#contract/identity.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { callEndpoint } from '#web/platform/api.ts'

export interface Account {
  readonly username: string
  readonly password: string
  /** The referral code with which the account has to register first; null if the account exists already. */
  readonly referralCode: string | null
}

/** Reads a name and a password, separated by blanks or a comma, from each line. Throws if there are too few lines. */
export function readAccounts(text: string, count: number): Account[] {
  const accounts = text
    .split('\n')
    .map((line) => /^\s*([^\s,]+)[\s,]+(\S.*?)\s*$/.exec(line))
    .flatMap((match) =>
      match === null ? [] : [{ username: match[1] ?? '', password: match[2] ?? '', referralCode: null }],
    )
  if (accounts.length < count) throw new Error(`The file has ${accounts.length} accounts, and ${count} are needed`)
  return accounts.slice(0, count)
}

export const accountsOfFile = (path: string, count: number): Account[] =>
  readAccounts(readFileSync(path, 'utf8'), count)

/** Creates players by SQL. All of them have the same password, so that only one hash has to be computed. */
export async function createAccounts(db: Database, count: number): Promise<Account[]> {
  const password = randomBytes(12).toString('hex')
  // The hash has the same cost as the server's own hashes, so that a sign-in takes as long as any other.
  const passwordHash = await hash(password, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
  const players = await createPlayers(db, count, { prefix: 'tai' })
  await db.query('update users set password_hash = $2 where id = any($1::uuid[])', [
    players.map(({ id }) => id),
    passwordHash,
  ])
  return players.map(({ username }) => ({ username, password, referralCode: null }))
}

/** Returns accounts that do not exist yet: they register over the API, under the limits of an address. */
export async function newcomers(count: number): Promise<Account[]> {
  const { referralCode } = await callEndpoint(identityEndpoints.publicConfig, {})
  if (referralCode === null) throw new Error('REFERRAL_REQUIRED=secret: give --accounts or --database-url')
  const run = randomBytes(5).toString('hex')
  return Array.from({ length: count }, (_, n) => ({ username: `tai${run}n${n}`, password: `mk-${run}`, referralCode }))
}
