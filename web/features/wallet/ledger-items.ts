import type { LedgerBet, LedgerRow } from '#contract/wallet.ts'

/** A line of the list: a bet with its rows, newest first, or a row that is of no bet. */
export type LedgerItem =
  | { readonly bet: LedgerBet; readonly rows: readonly [LedgerRow, ...LedgerRow[]] }
  | { readonly bet: null; readonly rows: readonly [LedgerRow] }

/** Folds each bet's rows into one line, which stands where its newest row stood. No row is left out (rules §1.3). */
export function foldBets(rows: readonly LedgerRow[]): readonly LedgerItem[] {
  const ofBets = Map.groupBy(rows, ({ bet }) => bet?.id ?? null)
  return rows.flatMap((row): LedgerItem[] => {
    if (row.bet == null) return [{ bet: null, rows: [row] }]
    const [newest, ...others] = ofBets.get(row.bet.id) ?? []
    return newest === row ? [{ bet: row.bet, rows: [row, ...others] }] : []
  })
}
