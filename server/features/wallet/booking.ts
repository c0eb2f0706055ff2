import type { AccountRef } from '#domain/ledger/accounts.ts'
import type { Transfer } from '#domain/ledger/transfers.ts'
import type { QueryOptions } from '#server/platform/database/db.ts'
import { type Sql, sql, type Statement, statement } from '#server/platform/database/sql.ts'
import { type LockedAccount, systemAccountId } from './accounts.ts'

/** Thrown if a transfer would take a user's account below zero: the caller has to check the balance before. */
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

/** Collects transfers, to be written by one statement. */
export interface Booking {
  /** Throws OverdrawnError. `atMs` is database time, Unix ms. */
  book(transfer: Transfer, atMs: number): void
  /** Returns an account's balance after everything booked so far. */
  balanceMinor(ref: AccountRef): bigint
  values(): BookingValues
}

/** The transfers of a booking, as one array for each column. */
const noTransfers = () => ({
  transferIds: [] as string[],
  transferFrom: [] as bigint[],
  transferTo: [] as bigint[],
  transferAmounts: [] as bigint[],
  transferReasons: [] as string[],
  transferActors: [] as string[],
  transferRefs: [] as string[],
  transferNotes: [] as Array<string | null>,
  /** The times as texts, so that a time that many transfers share is formatted only once. */
  transferTimes: [] as string[],
  /** The transfer's wallet, position in the wallet and balance after the transfer; null if no wallet is touched. */
  transferWallets: [] as Array<bigint | null>,
  transferWalletSeqs: [] as Array<bigint | null>,
  transferWalletBalances: [] as Array<bigint | null>,
})

export interface BookingValues extends Readonly<ReturnType<typeof noTransfers>> {
  readonly accountIds: readonly bigint[]
  readonly accountDeltas: readonly bigint[]
  readonly accountTransfers: readonly number[]
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

/** Begins a booking. The caller has locked the users' accounts. System accounts are changed without being read. */
export function startBooking(locked: readonly LockedAccount[]): Booking {
  const all: OpenAccount[] = []
  const ofSystem: AccountsOfOwner = {}
  // Accounts by owner, then by kind: one key made of both would be a new string at every lookup.
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
  const transfers = noTransfers()
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
      transfers.transferIds.push(transfer.id)
      transfers.transferFrom.push(from.id)
      transfers.transferTo.push(to.id)
      transfers.transferAmounts.push(transfer.amountMinor)
      transfers.transferReasons.push(transfer.reason)
      transfers.transferActors.push(transfer.actor)
      transfers.transferRefs.push(transfer.ref)
      transfers.transferNotes.push(transfer.note)
      transfers.transferTimes.push(lastAt.text)
      transfers.transferWallets.push(seen === null ? null : seen.id)
      transfers.transferWalletSeqs.push(seen === null ? null : seen.transferCount)
      transfers.transferWalletBalances.push(seen === null ? null : seen.balanceMinor)
    },
    balanceMinor: (ref) => find(ref).balanceMinor,
    values() {
      const changed = all.filter((account) => account.added > 0)
      return {
        ...transfers,
        accountIds: changed.map((account) => account.id),
        accountDeltas: changed.map((account) => account.deltaMinor),
        accountTransfers: changed.map((account) => account.added),
      }
    },
  }
}

/** The whole statement fails if a transfer id exists already, so that no transfer is booked twice. */
const BOOKED: Sql<keyof BookingValues> = sql`booked_transfers as (
    insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, note, created_at,
        wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
    select t.id, t.from_account, t.to_account, t.amount, t.reason, t.actor, t.ref, t.note, t.created_at, t.wallet,
        t.wallet_seq, case when t.wallet is null then null when t.wallet = t.to_account then t.amount else -t.amount end,
        t.balance_after
      from unnest(${'transferIds'}::text[], ${'transferFrom'}::bigint[], ${'transferTo'}::bigint[],
        ${'transferAmounts'}::bigint[], ${'transferReasons'}::text[], ${'transferActors'}::text[],
        ${'transferRefs'}::text[], ${'transferNotes'}::text[], ${'transferTimes'}::timestamptz[],
        ${'transferWallets'}::bigint[], ${'transferWalletSeqs'}::bigint[], ${'transferWalletBalances'}::bigint[])
        as t (id, from_account, to_account, amount, reason, actor, ref, note, created_at, wallet, wallet_seq,
          balance_after)
    returning 1
  ), booked_accounts as (
    update ledger_accounts a set balance = a.balance + d.delta, transfer_count = a.transfer_count + d.added
      from unnest(${'accountIds'}::bigint[], ${'accountDeltas'}::bigint[], ${'accountTransfers'}::bigint[])
        as d (id, delta, added)
     where a.id = d.id
    returning 1
  )`

const BOOKING_IS_WHOLE = sql`(select count(*) from booked_transfers) = cardinality(${'transferIds'}::text[])
    and (select count(*) from booked_accounts) = cardinality(${'accountIds'}::bigint[])`

export interface BesideBooking<Name extends string> {
  /** CTEs of the caller, with commas between them. */
  readonly ctes: Sql<Name>
  /** An SQL condition, evaluated before balances change. If it is false, the statement fails and nothing is written. */
  readonly isWhole?: Sql<Name>
}

/**
 * Makes a statement that writes transfers, balances and the rows that caused them, all or nothing. If a row of the
 * booking is missing, the statement fails by a division by zero. A caller that sends the statement together with COMMIT
 * cannot check the result before the commit.
 */
export function bookingStatement<Name extends string = never>(
  beside?: BesideBooking<Name>,
  options?: QueryOptions,
): Statement<keyof BookingValues | Name> {
  const more = beside === undefined ? sql`` : sql`, ${beside.ctes}`
  // PostgreSQL runs a CTE when its rows are counted. Balances are counted last, to lock the house's row only briefly.
  const first = beside?.isWhole === undefined ? sql`` : sql`1 / (${beside.isWhole})::int, `
  return statement(sql`with ${BOOKED}${more} select ${first}1 / (${BOOKING_IS_WHOLE})::int`, options)
}
