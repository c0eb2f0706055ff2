import type { Database } from '#server/platform/database/db.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { logging, repeating, type Stop } from '#server/platform/process/jobs.ts'
import { LOCK_NOT_FREE, sqlState } from '#server/platform/database/transaction.ts'
import { forgetOldAnswers } from './idempotency.ts'
import { type LedgerReport, readLedgerState, verifyLedger } from './verify-ledger.ts'

const CHECK_EVERY_MS = 60_000
/** A check that is not full is left out if any process finished a check without findings within this time. */
const FRESH_MS = 30_000
const READ_EVERY_MS = 1_000
const FORGET_EVERY_MS = 3_600_000

export interface LedgerGuard {
  isOpen(): boolean
  /** Returns the database time of the last check without findings. */
  checkedAtMs(): number | null
  /** The check is full if no process has made a full one in the last day. */
  check(): Promise<LedgerReport>
  stop(): Promise<void>
}

/**
 * Verifies the balances every 60 s and all transfers once a day, and reads each second whether any process found a
 * fault. After a fault, `isOpen` returns false until `audit:ledger -- --clear` finds the books correct (rules §3.4).
 * Also deletes old idempotency keys and the answers stored under them.
 * @param stateDb connections for the read each second, so that it does not wait behind other requests
 */
export async function startLedgerGuard(db: Database, log: Logger, stateDb: Database = db): Promise<LedgerGuard> {
  let state = await readLedgerState(stateDb)

  const check = async () => {
    const report = await verifyLedger(db, 'if-due')
    state = await readLedgerState(db)
    if (report.findings.length > 0)
      log.error({ findings: report.findings }, 'the ledger check failed: money acts are closed')
    return report
  }
  const every = (everyMs: number, work: () => Promise<unknown>): Stop =>
    repeating(everyMs, work, logging(log, 'the wallet’s housekeeping failed', 'error'))
  const stops = [
    every(CHECK_EVERY_MS, async () => {
      if (!state.isFullDue && state.checkedAgoMs <= FRESH_MS) return
      await check().catch((error: unknown) => {
        // LOCK_NOT_FREE: another process is checking the books, and a check of all transfers may take minutes.
        if (sqlState(error) !== LOCK_NOT_FREE) throw error
      })
    }),
    every(READ_EVERY_MS, async () => {
      state = await readLedgerState(stateDb)
    }),
    every(FORGET_EVERY_MS, () => forgetOldAnswers(db)),
  ]

  return {
    isOpen: () => state.isOpen,
    checkedAtMs: () => state.checkedAtMs,
    check,
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}
