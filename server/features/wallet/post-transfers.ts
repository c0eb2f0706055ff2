import type { Transfer } from '#domain/ledger/transfers.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { type LockedAccount, lockAccounts } from './accounts.ts'
import { bookingStatement, startBooking } from './booking.ts'

const BOOK = bookingStatement()

/**
 * Books transfers inside the caller's transaction, and locks their accounts, unless the caller has done so (`locked`).
 * Locks on rounds, users and sessions must come first (rules §3.9).
 * @param nowMs database time, Unix ms
 * @throws OverdrawnError
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly Transfer[],
  nowMs: number,
  locked?: readonly LockedAccount[],
): Promise<void> {
  if (transfers.length === 0) return
  const owners = new Set<string>()
  for (const { from, to } of transfers) {
    if (from.ownerId !== null) owners.add(from.ownerId)
    if (to.ownerId !== null) owners.add(to.ownerId)
  }
  const booking = startBooking(locked ?? (await lockAccounts(tx, [...owners])))
  for (const transfer of transfers) booking.book(transfer, nowMs)
  await tx.query(...BOOK(booking.values()))
}
