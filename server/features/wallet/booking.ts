import type { AccountRef } from '#domain/ledger/accounts.ts'
import type { Transfer } from '#domain/ledger/transfers.ts'
import type { Param } from '#server/platform/db.ts'
import { type LockedAccount, systemAccountId } from './accounts.ts'

/** Thrown when a transfer would take a user's account below zero: the caller decided wrongly, nothing is written. */
export class OverdrawnError extends Error {
  override readonly name = 'OverdrawnError'
}

interface OpenAccount {
  readonly id: bigint
  readonly isUser: boolean
  readonly isWallet: boolean
  balanceMinor: bigint
  transferCount: bigint
  deltaMinor: bigint
  added: number
}

type AccountsOfOwner = { [Kind in AccountRef['kind']]?: OpenAccount }

/** Transfers decided against locked accounts, waiting to be written by one statement. */
export interface Booking {
  /** Books one transfer at a time of database, Unix ms. @throws OverdrawnError */
  book(transfer: Transfer, atMs: number): void
  /** The balance an account will have, with everything booked so far. */
  balanceMinor(ref: AccountRef): bigint
  /** Values for the placeholders of BOOKING_CTES, in order. */
  params(): Param[]
  readonly size: number
}

const openAccount = (id: bigint, kind: AccountRef['kind'], isUser: boolean): OpenAccount => ({
  id,
  isUser,
  isWallet: kind === 'wallet',
  balanceMinor: 0n,
  transferCount: 0n,
  deltaMinor: 0n,
  added: 0,
})

/** Starts a booking over accounts that this transaction has locked. System accounts are added to, never read. */
export function startBooking(locked: readonly LockedAccount[]): Booking {
  const all: OpenAccount[] = []
  const ofSystem: AccountsOfOwner = {}
  // By owner first: a key made of owner and kind would be hashed anew for every look.
  const ofUsers = new Map<string, AccountsOfOwner>()
  for (const { id, ownerId, kind, balanceMinor, transferCount } of locked) {
    const account = openAccount(id, kind, true)
    account.balanceMinor = balanceMinor
    account.transferCount = transferCount
    all.push(account)
    const owned = ofUsers.get(ownerId)
    if (owned === undefined) ofUsers.set(ownerId, { [kind]: account })
    else owned[kind] = account
  }
  const columns: Param[][] = Array.from({ length: 12 }, () => [])
  let lastAt = { ms: Number.NaN, text: '' }

  const find = (ref: AccountRef): OpenAccount => {
    const known = (ref.ownerId === null ? ofSystem : ofUsers.get(ref.ownerId))?.[ref.kind]
    if (known !== undefined) return known
    if (ref.ownerId !== null) throw new Error(`The account ${ref.kind} of a user was not locked before booking.`)
    const account = openAccount(systemAccountId(ref), ref.kind, false)
    ofSystem[ref.kind] = account
    all.push(account)
    return account
  }

  const move = (account: OpenAccount, deltaMinor: bigint) => {
    account.balanceMinor += deltaMinor
    account.deltaMinor += deltaMinor
    account.transferCount += 1n
    account.added += 1
    if (account.isUser && account.balanceMinor < 0n) throw new OverdrawnError('A user account cannot go below zero.')
  }

  return {
    book(transfer, atMs) {
      if (transfer.amountMinor <= 0n) throw new RangeError('A transfer moves a positive amount.')
      const from = find(transfer.from)
      const to = find(transfer.to)
      move(from, -transfer.amountMinor)
      move(to, transfer.amountMinor)
      if (atMs !== lastAt.ms) lastAt = { ms: atMs, text: new Date(atMs).toISOString() }
      const seen = from.isWallet ? from : to.isWallet ? to : null
      const values: Param[] = [
        transfer.id,
        from.id,
        to.id,
        transfer.amountMinor,
        transfer.reason,
        transfer.actor,
        transfer.ref,
        transfer.note,
        lastAt.text,
        seen === null ? null : seen.id,
        seen === null ? null : seen.transferCount,
        seen === null ? null : seen.balanceMinor,
      ]
      for (let column = 0; column < values.length; column++) columns[column]?.push(values[column] ?? null)
    },
    balanceMinor: (ref) => find(ref).balanceMinor,
    params() {
      const changed = all.filter((account) => account.added > 0)
      return [
        ...columns,
        changed.map((account) => account.id),
        changed.map((account) => account.deltaMinor),
        changed.map((account) => account.added),
      ]
    },
    get size() {
      return columns[0]?.length ?? 0
    },
  }
}

/** How many placeholders BOOKING_CTES takes, from $1 on. */
export const BOOKING_PARAMS = 15

/**
 * Two CTEs, `booked_transfers` and `booked_accounts`, for the head of a statement that writes a booking together with
 * what caused it. A transfer id that exists already fails the whole statement: nothing is ever booked twice.
 */
export const BOOKING_CTES = `booked_transfers as (
    insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, note, created_at,
        wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
    select t.id, t.from_account, t.to_account, t.amount, t.reason, t.actor, t.ref, t.note, t.created_at, t.wallet,
        t.wallet_seq, case when t.wallet is null then null when t.wallet = t.to_account then t.amount else -t.amount end,
        t.balance_after
      from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::timestamptz[], $10::bigint[], $11::bigint[], $12::bigint[])
        as t (id, from_account, to_account, amount, reason, actor, ref, note, created_at, wallet, wallet_seq,
          balance_after)
    returning 1
  ), booked_accounts as (
    update ledger_accounts a set balance = a.balance + d.delta, transfer_count = a.transfer_count + d.added
      from unnest($13::bigint[], $14::bigint[], $15::bigint[]) as d (id, delta, added)
     where a.id = d.id
    returning 1
  )`

/**
 * An expression for the select after BOOKING_CTES that fails the statement, by dividing by zero, unless every transfer
 * and every balance was written. Looking at the counts after a COMMIT would be too late.
 */
export const BOOKING_IS_WHOLE = `1 / ((select count(*) from booked_transfers) = cardinality($1::text[])
    and (select count(*) from booked_accounts) = cardinality($13::bigint[]))::int`
