import type { UpdatedUser } from '#contract/staff-users.ts'
import { isBlank } from '#domain/blank.ts'
import { usernameKey } from '#domain/identity/credentials.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { noteOfBoth } from '#domain/four-eyes/proposal.ts'
import {
  canAdjust,
  decideUserUpdate,
  neededForUpdate,
  type UserProfile,
  type UserWish,
} from '#domain/identity/update-user.ts'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { type Minor, minorToNumber } from '#domain/money.ts'
import { type Json, recordAct, secretMark } from '#server/features/audit/index.ts'
import { queueAct } from '#server/features/book/index.ts'
import { type Execute, proposeInstead } from '#server/features/four-eyes/index.ts'
import { dropFactors } from '#server/features/factors/index.ts'
import { recordFactorChange } from '#server/features/notices/index.ts'
import { dropSubscriptions, queuePush } from '#server/features/push/index.ts'
import {
  claimOf,
  findRepeat,
  keepAnswer,
  lockAccounts,
  type LockedAccount,
  postTransfers,
} from '#server/features/wallet/index.ts'
import { judgeParts, lockSubject } from '#server/platform/http/auth.ts'
import type { Queryable, Tx } from '#server/platform/database/db.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { isRefused, type RefusedBy, refuse } from '#server/platform/http/errors.ts'
import { newId } from '#server/platform/process/ids.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { isOnlyOwner, isUsernameClash } from './admins.ts'
import { hashInTurn } from './passwords.ts'
import type { IdentityDeps } from './ports.ts'
import { readUser, toStaffUser, type UserRow } from './queries.ts'
import { endSessions } from './sessions.ts'

/** The body of a request: it may have fields that equal the stored ones. */
export interface UserPatch extends Omit<UserWish, 'isBalanceAlone' | 'version'> {
  readonly version?: string | undefined
  readonly reason?: string | undefined
  readonly sentFields?: readonly string[]
}

const DEFAULT_REASON = 'Điều chỉnh'
const BALANCE_ALONE = new Set(['balanceMinor', 'reason'])

/**
 * Edits a user's account for staff (rules §3.8). A balance is adjusted by a transfer of the difference, or the change
 * is proposed if a second person is needed (rules §3.10). Freezing closes the user's sockets, a new password ends the
 * sessions. Returns the text from `encode`, which is stored to answer a repeat with the same idempotency key.
 */
export async function updateUser(
  { db, hints, ledger, fourEyes }: IdentityDeps,
  subject: Subject,
  userId: string,
  patch: UserPatch,
  idempotencyKey: string | null,
  encode: (user: UpdatedUser) => string,
): Promise<string | RefusedBy<'updateUser'>> {
  const route = `update-user:${userId}`
  const claim = idempotencyKey === null ? null : claimOf(idempotencyKey, claimedInput(patch))
  // The password is hashed before the transaction, so that no lock is held during the hashing.
  const asker = { isKnown: true, address: `staff ${subject.userId}`, account: userId }
  const newHash = patch.password ? await hashInTurn(asker, patch.password) : null
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

      const decision = await decide(tx, subject.userId, row, locked, patch)
      if (!decision.ok) return refuse(decision.refusal)
      const needed = neededForUpdate(decision, { role: row.role, isOneself: userId === subject.userId })
      const missing = judgeParts(needed, actor)
      if (missing !== null) return missing
      const { changes, deltaMinor: wishedMinor } = decision
      if (wishedMinor !== 0n && !ledger.isOpen()) return refuse('LEDGER_CHECK_FAILED')
      const isChanged = Object.keys(changes).length > 0 || newHash !== null
      if (!isChanged && wishedMinor === 0n) return await kept(tx, row)

      const said = patch.reason?.trim() ?? ''
      const reason = isBlank(said) ? DEFAULT_REASON : said
      const adjustment = { kind: 'adjustment', ownerId: userId, amountMinor: wishedMinor, reason } as const
      const proposed = wishedMinor === 0n ? null : await proposeInstead(tx, fourEyes, subject.userId, adjustment)
      if (isRefused(proposed)) return proposed
      if (!isChanged && proposed !== null) return await kept(tx, row, proposed)

      const deltaMinor = proposed === null ? wishedMinor : 0n
      const note = isBlank(said) && wishedMinor === 0n ? null : reason
      const edit = { changes, newHash, deltaMinor, reason, note }
      const after = await writeEdit(tx, subject.userId, row, edit, locked)
      const answer = await kept(tx, after, proposed)
      await recordAct(tx, subject.userId, 'user.update', `user:${userId}`, {
        before: factsOf(row, edit),
        after: { ...factsOf(after, edit), ...(newHash === null ? {} : { password: 'set' }) },
        reason: note,
      })
      // The event is emitted also if only the balance was adjusted, so that the account's owner learns of this change.
      tx.afterCommit(() => hints.accountChanged(userId))
      if (deltaMinor !== 0n) tx.afterCommit(() => hints.balanceChanged(userId, after.balanceMinor))
      return answer
    })
  } catch (error) {
    if (isUsernameClash(error)) return refuse('USERNAME_TAKEN')
    throw error
  }
}

async function decide(
  tx: Tx,
  actorId: string,
  row: UserRow,
  locked: readonly LockedAccount[],
  { version, sentFields = [], ...wished }: UserPatch,
) {
  const now = {
    ...row,
    isDeleted: row.deletedAtMs !== null,
    besideMinor: await readBeside(tx, row.id, locked, wished.balanceMinor),
  }
  const wish = {
    ...wished,
    isBalanceAlone: sentFields.every((name) => BALANCE_ALONE.has(name)),
    version: version === undefined ? null : await readVersion(tx, row.id, version),
  }
  return decideUserUpdate(now, wish, {
    id: actorId,
    isOnlyOwner: row.id === actorId && (await isOnlyOwner(tx, row.id)),
  })
}

interface Edit {
  readonly changes: Partial<UserProfile>
  readonly newHash: string | null
  /** The amount by which the balance is adjusted now; 0 if the balance stays or the adjustment was only proposed. */
  readonly deltaMinor: Minor
  /** Shown to the owner of an adjusted balance. */
  readonly reason: string
  /** The reason in the audit log: the given one, or a default for a change of the balance. Otherwise null. */
  readonly note: string | null
}

async function writeEdit(tx: Tx, actorId: string, row: UserRow, edit: Edit, locked: readonly LockedAccount[]) {
  const { changes, newHash, deltaMinor, reason, note } = edit
  if (Object.keys(changes).length > 0 || newHash !== null) await writeProfile(tx, row, edit)
  if (changes.isFrozen === true) await dropSubscriptions(tx, row.id)
  if (newHash !== null) {
    await endSessions(tx, row.id, 'password-reset')
    // The person who used the account until now may have left a passkey, which would still open the account.
    if (row.role === 'player' && (await dropFactors(tx, row.id)) > 0) await recordFactorChange(tx, row.id, 'reset', '')
  }
  if (deltaMinor !== 0n) await adjust(tx, row.id, deltaMinor, actorId, reason, locked)
  if (changes.scriptedOutcome !== undefined)
    await queueAct(tx, changes.scriptedOutcome === null ? 'script.clear' : 'script.set', actorId, {
      reason: note === null ? null : { text: note, ref: `user:${row.id}` },
    })
  const after = await readUser(tx, row.id)
  if (after === null) throw new Error('The user is gone while locked')
  return after
}

async function adjust(
  tx: Tx,
  userId: string,
  deltaMinor: Minor,
  actorId: string,
  note: string,
  locked: readonly LockedAccount[],
): Promise<void> {
  const adjustment = adjustmentTransfer(newId(), userId, deltaMinor, actorId, note)
  await postTransfers(tx, [adjustment], await readNowMs(tx), locked)
  const reason = { text: note, ref: adjustment.id }
  await queueAct(tx, 'balance.adjust', actorId, { amountMinor: deltaMinor, reason })
  await queuePush(tx, userId, 'points-adjusted')
}

/**
 * Returns a function that executes a proposed adjustment. The balance may have changed since the proposal, so the
 * amount is added to the present balance, whose limits are checked again.
 */
export const adjustProposed =
  ({ hints }: Pick<IdentityDeps, 'hints'>): Execute =>
  async (tx, { ownerId, amountMinor, reason, proposer }, confirmer, admit) => {
    const locked = await lockAccounts(tx, [ownerId])
    const row = await readUser(tx, ownerId)
    if (row === null) return 'NOT_FOUND'
    if (row.deletedAtMs !== null) return 'USER_DELETED'
    const besideMinor = await readBeside(tx, ownerId, locked, row.balanceMinor)
    if (!canAdjust({ ...row, besideMinor }, amountMinor)) return 'AMOUNT_LIMIT'
    const refused = await admit()
    if (refused !== null) return refused
    const note = noteOfBoth(reason, proposer.username, confirmer.username)
    await adjust(tx, ownerId, amountMinor, confirmer.userId, note, locked)
    await recordAct(tx, confirmer.userId, 'user.update', `user:${ownerId}`, {
      before: { balance: minorToNumber(row.balanceMinor) },
      after: { balance: minorToNumber(row.balanceMinor + amountMinor) },
      reason: note,
    })
    tx.afterCommit(() => {
      hints.accountChanged(ownerId)
      hints.balanceChanged(ownerId, row.balanceMinor + amountMinor)
    })
    return null
  }

/** Returns what counts against the balance limit besides the wallet: the user's other accounts and pending deposits. */
async function readBeside(tx: Tx, userId: string, locked: readonly LockedAccount[], wished: Minor | undefined) {
  if (wished === undefined) return 0n
  const { rows } = await tx.query<{ deposits: bigint }>(
    `select coalesce(sum(amount), 0)::bigint as deposits from cash_requests
      where owner_id = $1 and status = 'pending' and kind = 'deposit'`,
    [userId],
  )
  const held = locked.filter(({ kind }) => kind !== 'wallet')
  return held.reduce((sum, { balanceMinor }) => sum + balanceMinor, rows[0]?.deposits ?? 0n)
}

/**
 * Returns the input that a repeat must equal, and whose hash is stored. A keyed digest replaces the password, because
 * the password could be guessed from a plain hash.
 */
function claimedInput({ password, sentFields: _, ...rest }: UserPatch): Record<string, unknown> {
  return { ...rest, ...(password ? { password: secretMark(password) } : {}) }
}

/** Parses a client's version and reads the wallet's balance of that version; `balanceMinor` is null if unknown. */
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

async function writeProfile(tx: Tx, row: UserRow, { changes, newHash }: Edit): Promise<void> {
  const profile = { ...row, ...changes }
  await tx.query(
    `update users set username = $2, username_key = $3, credit_score = $4, vip = $5, avatar = $6, is_frozen = $7,
        scripted_outcome = $8, row_version = row_version + 1,
        access_changed_at = case when $9 then clock_timestamp() else access_changed_at end,
        password_hash = coalesce($10, password_hash),
        must_change_password = must_change_password or $10 is not null,
        password_reset_at = case when $10 is null then password_reset_at else clock_timestamp() end
      where id = $1`,
    [
      row.id,
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

/** Returns the values that the changed fields have in `row`, for the audit log. The password is not among them. */
function factsOf(row: UserRow, { changes, deltaMinor }: Edit): Record<string, Json> {
  const names = Object.keys(changes) as (keyof UserProfile)[]
  return {
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    ...(deltaMinor === 0n ? {} : { balance: minorToNumber(row.balanceMinor) }),
  }
}
