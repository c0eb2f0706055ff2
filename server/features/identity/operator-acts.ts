import { usernameKey } from '#domain/identity/credentials.ts'
import { type Capability, inOrder } from '#domain/identity/permissions.ts'
import { type Json, recordAct } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { dropFactorsOf, readOwnerIds, writeCapabilities } from './admins.ts'
import { generatePassword } from './first-admin.ts'
import { namesOf } from './staff-rights.ts'
import { hashInTurn } from './passwords.ts'
import { endSessions } from './sessions.ts'

/** Acts that the operator runs on the server for an admin whom no other owner can help (rules §4.11). */
export const STAFF_ACTS = ['grant-owner', 'reset-factor', 'reset-password'] as const
export type StaffAct = (typeof STAFF_ACTS)[number]

export type StaffActReport =
  | { readonly is: 'refused'; readonly why: 'NO_ADMIN' | 'HAS_OWNER' | 'NO_FACTOR' }
  | { readonly is: 'granted' }
  | { readonly is: 'factors-reset'; readonly factors: number }
  /** The new password, of which only the hash is stored. */
  | { readonly is: 'password-reset'; readonly password: string }

interface Admin {
  readonly id: string
  readonly capabilities: Capability[]
  readonly is_frozen: boolean
}

interface Done {
  readonly report: StaffActReport
  readonly act: 'user.grant' | 'user.reset-factors' | 'user.update'
  readonly before: Json
  readonly after: Json
  readonly reason: string
}
type Refusal = Extract<StaffActReport, { readonly is: 'refused' }>['why']

/**
 * Runs an act on an admin's account, with the system as the actor. The act is also written into the open book, so that
 * nobody gets access to an admin's account in secret (rules §4.11).
 */
export async function actOnAdmin(db: Database, act: StaffAct, username: string): Promise<StaffActReport> {
  // The password is hashed before the transaction, so that no lock is held during the hashing.
  const password = act === 'reset-password' ? generatePassword() : ''
  const asker = { isKnown: true, address: 'operator', account: usernameKey(username) }
  const passwordHash = act === 'reset-password' ? await hashInTurn(asker, password) : ''
  return retrying(db, async (tx): Promise<StaffActReport> => {
    const { rows } = await tx.query<Admin & Record<string, unknown>>(
      `select id, capabilities, is_frozen from users
        where username_key = $1 and role = 'admin' and deleted_at is null for update`,
      [usernameKey(username)],
    )
    const [admin] = rows
    if (admin === undefined) return { is: 'refused', why: 'NO_ADMIN' }
    const done =
      act === 'grant-owner'
        ? await grantOwner(tx, admin)
        : act === 'reset-factor'
          ? await resetFactor(tx, admin)
          : await resetPassword(tx, admin, password, passwordHash)
    if (typeof done === 'string') return { is: 'refused', why: done }
    const target = `user:${admin.id}`
    await queueAct(tx, 'staff.grant', null, { reason: { text: done.reason, ref: target } })
    await recordAct(tx, 'system', done.act, target, { before: done.before, after: done.after })
    return done.report
  })
}

async function grantOwner(tx: Tx, { id, capabilities, is_frozen: isFrozen }: Admin): Promise<Done | Refusal> {
  if (isFrozen) return 'NO_ADMIN'
  if ((await readOwnerIds(tx)).length > 0) return 'HAS_OWNER'
  const [before, after] = [inOrder(capabilities), inOrder([...capabilities, 'owner'])]
  await writeCapabilities(tx, id, after)
  const reason = `${namesOf(before)} → ${namesOf(after)}`
  return {
    ...{ report: { is: 'granted' }, act: 'user.grant', reason },
    ...{ before: { capabilities: before }, after: { capabilities: after } },
  }
}

async function resetFactor(tx: Tx, { id }: Admin): Promise<Done | Refusal> {
  const factors = await dropFactorsOf(tx, id)
  if (factors === 0) return 'NO_FACTOR'
  return {
    ...{ report: { is: 'factors-reset', factors }, act: 'user.reset-factors', reason: 'second factors removed' },
    ...{ before: { factors }, after: null },
  }
}

/** Sets a generated password, which the admin has to change at once (rules §4.2). */
async function resetPassword(tx: Tx, { id }: Admin, password: string, passwordHash: string): Promise<Done> {
  await tx.query(
    `update users set password_hash = $2, must_change_password = true, password_reset_at = clock_timestamp(),
            row_version = row_version + 1 where id = $1`,
    [id, passwordHash],
  )
  await endSessions(tx, id, 'password-reset')
  return {
    ...{ report: { is: 'password-reset', password }, act: 'user.update', reason: 'password reset' },
    ...{ before: {}, after: { password: 'set' } },
  }
}
