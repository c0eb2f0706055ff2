import { dayAfter, type Day, startOfDayMs } from '#domain/day.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { msSql } from '#server/platform/database/rows.ts'

/** At most this many newest changes are read. If these do not cover a range, `BalanceChanges` has only nulls. */
const LOOKED_AT = 2_000
const TOLD = 200

export interface BalanceChanges {
  /**
   * The lowest balance in the range, the opening balance included. Null if there is no balance in the range, or if not
   * all changes in the range can be read (`LOOKED_AT`).
   */
  readonly lowestMinor: bigint | null
  readonly highestMinor: bigint | null
  readonly changes: { atMs: number; balanceMinor: bigint }[] | null
}

/** Reads how the wallet's balance changed in a range of days (rules §6.8). */
export async function readBalanceChanges(
  tx: Tx,
  userId: string,
  { from, to }: { readonly from: Day | null; readonly to: Day | null },
  openingMinor: bigint | null,
): Promise<BalanceChanges> {
  const { rows } = await tx.query<{ atMs: number; balanceMinor: bigint; seq: bigint }>(
    `select ${msSql('t.created_at')} as "atMs", t.wallet_balance_after as "balanceMinor", t.wallet_seq as seq
       from ledger_transfers t
      where t.wallet_account = (select id from ledger_accounts where owner_id = $1 and kind = 'wallet')
      order by t.wallet_seq desc limit $2`,
    [userId, LOOKED_AT],
  )
  const fromMs = from === null ? Number.NEGATIVE_INFINITY : startOfDayMs(from)
  const toMs = to === null ? Number.POSITIVE_INFINITY : startOfDayMs(dayAfter(to))
  const oldest = rows.at(-1)
  if (oldest !== undefined && oldest.seq > 1n && oldest.atMs >= fromMs)
    return { lowestMinor: null, highestMinor: null, changes: null }
  const changes = rows
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map(({ atMs, balanceMinor }) => ({ atMs, balanceMinor }))
    .toReversed()
  const balances = [...(openingMinor === null ? [] : [openingMinor]), ...changes.map((one) => one.balanceMinor)]
  const [first = null] = balances
  return {
    lowestMinor: balances.reduce((least, one) => (least === null || one < least ? one : least), first),
    highestMinor: balances.reduce((most, one) => (most === null || one > most ? one : most), first),
    changes: changes.length <= TOLD ? changes : null,
  }
}
