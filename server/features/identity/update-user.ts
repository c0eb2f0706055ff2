import type { UpdatedUser } from '#contract/staff-users.ts'
import { usernameKey } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { noteOfBoth } from '#domain/four-eyes/proposal.ts'
import { canAdjust, decideUserUpdate, neededForUpdate, type UserProfile } from '#domain/identity/update-user.ts'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { type Minor, minorToNumber } from '#domain/money.ts'
import { type Json, recordAct, secretMark } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { type Execute, proposeInstead } from '#server/features/four-eyes/index.ts'
import { dropSubscriptions, queuePush } from '#server/features/push/index.ts'
import {
  claimOf,
  findRepeat,
  keepAnswer,
  lockAccounts,
  type LockedAccount,
  postTransfers,
} from '#server/features/wallet/index.ts'
import { judgeParts, lockSubject } from '#server/platform/auth.ts'
import type { Queryable, Tx } from '#server/platform/db.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/errors.ts'
import { newId } from '#server/platform/ids.ts'
import { retrying } from '#server/platform/retrying.ts'
import { isOnlyOwner, isUsernameClash } from './admins.ts'
import { hashInTurn } from './passwords.ts'
import type { IdentityDeps } from './ports.ts'
import { readUser, toStaffUser, type UserRow } from './queries.ts'
import { endSessions } from './sessions.ts'

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The request of staff, possibly a whole user with changes. */
export interface UserPatch extends Optional<UserProfile> {
  readonly password?: string | null | undefined
  readonly balanceMinor?: Minor | undefined
  readonly version?: string | undefined
  readonly reason?: string | undefined
  readonly sentFields?: readonly string[]
}

const DEFAULT_REASON = 'Điều chỉnh'
const BALANCE_ALONE = new Set(['balanceMinor', 'reason'])

/**
 * Changes a user as staff: profile, password, balance (rules §3, §4). A balance is adjusted by a transfer of the
 * difference, or proposed where a second person is needed. Freezing disconnects the user's sockets, a new password ends the sessions. Everything is in the audit
 * log. Answers the text from `encode`, which is stored for a repeat of the same key.
 * @param encode the JSON text of a user in the API's field names
 */
export async function updateUser(
  { db, hints, ledger, fourEyes }: IdentityDeps,
  subject: Subject,
  userId: string,
  patch: UserPatch,
  idempotencyKey: string | null,
  encode: (user: UpdatedUser) => string,
): Promise<string | RefusedBy<'updateUser'>> {
  const { version, sentFields = [], reason, ...wished } = patch
  const route = `update-user:${userId}`
  const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, claimedInput(patch))
  // Hashed before any lock is taken, so that no bet waits for the hash.
  const { password } = wished
  const asker = { isKnown: true, address: `staff ${subject.userId}`, account: userId }
  const newHash = password ? await hashInTurn(asker, password) : null
  const kept = async (tx: Tx, row: UserRow, proposalId: string | null = null): Promise<string> => {
    const json = encode({ ...toStaffUser(row, subject), ...(proposalId === null ? {} : { proposalId }) })
    await keepAnswer(tx, route, subject.userId, claim, json)
    return json
  }

  try {
    return await retrying(db, async (tx) => {
      const actor = await lockSubject(tx, subject, 'staff', [userId])
      if (isRefused(actor)) return actor
      const locked = await lockAccounts(tx, [userId])
      const repeat = await findRepeat(tx, route, subject.userId, claim)
      if (repeat.is === 'repeated') return repeat.json
      if (repeat.is === 'reused') return refuse('KEY_REUSED')
      const row = await readUser(tx, userId)
      if (row === null) return refuse('NOT_FOUND')

      const decision = decideUserUpdate(
        {
          id: row.id,
          ...profileOf(row),
          isDeleted: row.deleted_at !== null,
          balanceMinor: row.balance,
          besideMinor: await readBeside(tx, userId, locked, wished.balanceMinor),
          rowVersion: row.row_version,
          walletVersion: row.transfer_count,
        },
        {
          ...wished,
          isBalanceAlone: sentFields.every((name) => BALANCE_ALONE.has(name)),
          version: version === undefined ? null : await readVersion(tx, userId, version),
        },
        { id: subject.userId, isOnlyOwner: userId === subject.userId && (await isOnlyOwner(tx, userId)) },
      )
      if (!decision.ok) return refuse(decision.refusal)
      const needed = neededForUpdate(decision, { role: row.role, isOneself: userId === subject.userId })
      const missing = judgeParts(needed, actor)
      if (missing !== null) return missing
      const { changes, newPassword } = decision
      const wishedMinor = decision.deltaMinor
      if (wishedMinor !== 0n && !ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
      const isChanged = Object.keys(changes).length > 0 || newPassword !== null
      if (!isChanged && wishedMinor === 0n) return await kept(tx, row)

      const note = reason?.trim() || (wishedMinor === 0n ? null : DEFAULT_REASON)
      const proposed =
        wishedMinor === 0n
          ? null
          : await proposeInstead(tx, fourEyes, subject.userId, {
              kind: 'adjustment',
              ownerId: userId,
              amountMinor: wishedMinor,
              reason: note ?? DEFAULT_REASON,
            })
      if (isRefused(proposed)) return proposed
      if (!isChanged && proposed !== null) return await kept(tx, row, proposed)
      const deltaMinor = proposed === null ? wishedMinor : 0n

      if (isChanged) await writeProfile(tx, userId, { ...profileOf(row), ...definedOf(changes) }, changes, newHash)
      if (changes.isFrozen === true) await dropSubscriptions(tx, userId)
      if (newPassword !== null) await endSessions(tx, userId, 'password-reset')
      if (deltaMinor !== 0n) await adjust(tx, userId, deltaMinor, subject.userId, note ?? DEFAULT_REASON, locked)
      if (changes.scriptedOutcome !== undefined)
        await queueAct(tx, {
          act: changes.scriptedOutcome === null ? 'script.clear' : 'script.set',
          actorId: subject.userId,
          reason: note === null ? null : { text: note, ref: `user:${userId}` },
        })
      const after = await readUser(tx, userId)
      if (after === null) throw new Error('The user is gone while locked')
      const answer = await kept(tx, after, proposed)
      await recordAct(tx, {
        actor: subject.userId,
        act: 'user.update',
        target: `user:${userId}`,
        before: factsOf(row, changes, deltaMinor, null),
        after: factsOf(after, changes, deltaMinor, newPassword),
        reason: note,
      })
      tx.afterCommit(() => {
        // Also for an adjustment, which its owner is told of.
        hints.accountChanged(userId)
        if (deltaMinor !== 0n) hints.balanceChanged(userId, after.balance)
      })
      return answer
    })
  } catch (error) {
    if (isUsernameClash(error)) return refuse('USERNAME_TAKEN')
    throw error
  }
}

/** Books an adjustment, with its act in the open book; the caller's accounts are locked. */
async function adjust(
  tx: Tx,
  userId: string,
  deltaMinor: Minor,
  actorId: string,
  note: string,
  locked: readonly LockedAccount[],
): Promise<void> {
  const adjustment = adjustmentTransfer(newId(), userId, deltaMinor, actorId, note)
  await postTransfers(tx, [adjustment], await nowMsOf(tx), locked)
  await queueAct(tx, {
    act: 'balance.adjust',
    actorId,
    amountMinor: deltaMinor,
    reason: { text: note, ref: adjustment.id },
  })
  await queuePush(tx, userId, 'points-adjusted')
}

/**
 * Adjusts a balance by the difference that a first admin proposed. The balance may have moved since: only its limits
 * are asked again.
 */
export const adjustProposed =
  ({ hints }: Pick<IdentityDeps, 'hints'>): Execute =>
  async (tx, { ownerId, amountMinor, reason, proposer }, confirmer, admit) => {
    const locked = await lockAccounts(tx, [ownerId])
    const row = await readUser(tx, ownerId)
    if (row === null) return 'NOT_FOUND'
    if (row.deleted_at !== null) return 'USER_DELETED'
    const besideMinor = await readBeside(tx, ownerId, locked, row.balance)
    if (!canAdjust({ balanceMinor: row.balance, besideMinor }, amountMinor)) return 'AMOUNT_LIMIT'
    const refused = await admit()
    if (refused !== null) return refused
    const note = noteOfBoth(reason, proposer.username, confirmer.username)
    await adjust(tx, ownerId, amountMinor, confirmer.userId, note, locked)
    await recordAct(tx, {
      actor: confirmer.userId,
      act: 'user.update',
      target: `user:${ownerId}`,
      before: { balance: minorToNumber(row.balance) },
      after: { balance: minorToNumber(row.balance + amountMinor) },
      reason: note,
    })
    tx.afterCommit(() => {
      hints.accountChanged(ownerId)
      hints.balanceChanged(ownerId, row.balance + amountMinor)
    })
    return null
  }

/** Amounts outside the wallet that count against the balance limit; read only when the edit changes the balance. */
async function readBeside(
  tx: Tx,
  userId: string,
  locked: readonly LockedAccount[],
  wished: Minor | undefined,
): Promise<Minor> {
  if (wished === undefined) return 0n
  const { rows } = await tx.query<{ deposits: bigint }>(
    `select coalesce(sum(amount), 0)::bigint as deposits from cash_requests
      where owner_id = $1 and status = 'pending' and kind = 'deposit'`,
    [userId],
  )
  const held = locked.filter(({ kind }) => kind !== 'wallet')
  return held.reduce((sum, { balanceMinor }) => sum + balanceMinor, rows[0]?.deposits ?? 0n)
}

const profileOf = (row: UserRow): UserProfile => ({
  username: row.username,
  creditScore: row.credit_score,
  vip: row.vip,
  avatar: row.avatar,
  isFrozen: row.is_frozen,
  scriptedOutcome: row.scripted_outcome,
})

const definedOf = (changes: Optional<UserProfile>): Partial<UserProfile> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/**
 * The input that a repeat of the same key must equal. The password enters as a keyed digest: a plain hash of it would
 * be stored for days.
 */
function claimedInput({ password, sentFields: _, ...rest }: UserPatch): Record<string, unknown> {
  return { ...rest, ...(password ? { password: secretMark(password) } : {}) }
}

/** A version sent by a client, with the balance after its last transfer. */
async function readVersion(db: Queryable, userId: string, version: string) {
  const [row = 0n, wallet = 0n] = version.split('.').map(BigInt)
  if (wallet === 0n) return { row, wallet, balanceMinor: 0n }
  const { rows } = await db.query<{ wallet_balance_after: bigint }>(
    `select t.wallet_balance_after from ledger_accounts a join ledger_transfers t on t.wallet_account = a.id
      where a.owner_id = $1 and a.kind = 'wallet' and t.wallet_seq = $2`,
    [userId, wallet],
  )
  return { row, wallet, balanceMinor: rows[0]?.wallet_balance_after ?? null }
}

async function writeProfile(
  tx: Tx,
  userId: string,
  profile: UserProfile,
  changes: Optional<UserProfile>,
  newHash: string | null,
): Promise<void> {
  await tx.query(
    `update users set username = $2, username_key = $3, credit_score = $4, vip = $5, avatar = $6, is_frozen = $7,
        scripted_outcome = $8, row_version = row_version + 1,
        access_changed_at = case when $9 then clock_timestamp() else access_changed_at end,
        password_hash = coalesce($10, password_hash),
        must_change_password = must_change_password or $10 is not null,
        password_reset_at = case when $10 is null then password_reset_at else clock_timestamp() end
      where id = $1`,
    [
      userId,
      profile.username,
      usernameKey(profile.username),
      profile.creditScore,
      profile.vip,
      profile.avatar,
      profile.isFrozen,
      profile.scriptedOutcome,
      changes.isFrozen === true,
      newHash,
    ],
  )
}

/** The database's time, read once all locks are held (rules §3). */
async function nowMsOf(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now.getTime() ?? Number.NaN
}

/** The audit log's record of one side of the change: only the changed fields, and never a password. */
function factsOf(row: UserRow, changes: Optional<UserProfile>, deltaMinor: Minor, newPassword: string | null): Json {
  const profile = profileOf(row)
  const names = Object.keys(changes) as (keyof UserProfile)[]
  return {
    ...Object.fromEntries(names.map((name) => [name, profile[name]])),
    ...(deltaMinor === 0n ? {} : { balance: minorToNumber(row.balance) }),
    ...(newPassword === null ? {} : { password: 'set' }),
  }
}
