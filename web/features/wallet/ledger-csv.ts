import type { LedgerReason, LedgerRow } from '#contract/wallet.ts'
import { writeCsv } from '#domain/csv.ts'
import { minorToText } from '#domain/money.ts'
import { formatDateTime } from '#web/platform/formats.ts'
import { ledgerTexts } from './wallet-texts.ts'
import { loadLedger } from './api.ts'
import { actorName } from './ledger-words.ts'

/**
 * The largest `limit` that the server accepts. A page may have more rows, since all rows of a bet are on one page
 * (`whole: 'bets'` in api.ts).
 */
const rowsPerCall = 100
const csvMaxRows = 10_000

/** Returns the rows as CSV, with amounts as plain numbers and times in Vietnam's time zone. */
export function writeLedgerCsv(rows: readonly LedgerRow[]): string {
  const lines = rows.map((row) => [
    row.position,
    formatDateTime(row.createdAtMs),
    ledgerTexts.reasons[row.reason],
    { decimal: minorToText(row.deltaMinor) },
    { decimal: minorToText(row.balanceAfterMinor) },
    actorName(row.actor),
    row.note ?? '',
    row.ref,
  ])
  return writeCsv(Object.values(ledgerTexts.csvColumns), lines)
}

/**
 * Loads the rows, newest first, until there are `csvMaxRows` or more. `isCapped` is true if the ledger has even more.
 * @param onProgress receives the number of rows loaded so far
 */
export async function loadAllRows(
  reason: LedgerReason | null,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<{ readonly rows: readonly LedgerRow[]; readonly isCapped: boolean }> {
  const rows: LedgerRow[] = []
  let hasMore = true
  while (hasMore && rows.length < csvMaxRows) {
    const beforePosition = rows.at(-1)?.position ?? null
    // The calls can't be parallel: each page begins where the previous one ended.
    // oxlint-disable-next-line no-await-in-loop -- see above
    const page = await loadLedger({ reason, beforePosition, limit: rowsPerCall, signal })
    rows.push(...page.rows)
    hasMore = page.meta.hasMore && page.rows.length > 0
    onProgress(rows.length)
  }
  return { rows, isCapped: hasMore }
}
