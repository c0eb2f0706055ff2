import { backOfficeEndpoints } from '#contract/back-office.ts'
import type { FeedStatus } from '#contract/market.ts'
import { midnightBeforeMs } from '#domain/day.ts'
import { readPending } from '#server/features/cashier/index.ts'
import { listRunningRounds, type RoundPrices, readToday } from '#server/features/game/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db.ts'
import type { Api } from '#server/platform/http.ts'
import { readNowMs } from '#server/platform/now.ts'

export interface OverviewDeps {
  readonly db: Database
  readonly clock: Clock
  readonly prices: RoundPrices
  readonly ledger: LedgerGuard
}

/** Summing a busy day takes a while: however many admins load the page, it is done once in this time. */
const TODAY_KEPT_MS = 5_000

/**
 * The feed of the source that a round beginning now would use. While gold trades it is the live source, so that staff
 * can read why rounds are simulated when it is closed.
 */
function feedNow(prices: RoundPrices, nowMs: number, databaseNowMs: number): FeedStatus {
  const chosen = prices.feedStatus(prices.chooseSource(nowMs, nowMs), databaseNowMs)
  const { liveSource } = prices
  return liveSource === null || chosen.goldReopensAtMs !== null ? chosen : prices.feedStatus(liveSource, databaseNowMs)
}

/** GET /overview: the first screen of staff, read from the features that own the data. */
export function registerOverview(api: Api, { db, clock, prices, ledger }: OverviewDeps): void {
  let kept: { readonly atMs: number; readonly dayMs: number; readonly today: ReturnType<typeof readToday> } | null =
    null
  const todayAt = (nowMs: number) => {
    const dayMs = midnightBeforeMs(nowMs)
    if (kept === null || kept.dayMs !== dayMs || nowMs - kept.atMs >= TODAY_KEPT_MS) {
      const started = { atMs: nowMs, dayMs, today: readToday(db, dayMs) }
      kept = started
      started.today.catch(() => {
        if (kept === started) kept = null
      })
    }
    return kept.today
  }

  api.handle(backOfficeEndpoints.overview, async () => {
    const serverTimeMs = Math.floor(clock.now())
    const [pending, rounds, today, databaseNowMs] = await Promise.all([
      readPending(db),
      listRunningRounds(db),
      todayAt(serverTimeMs),
      readNowMs(db),
    ])
    return {
      ...pending,
      rounds,
      ...today,
      feed: feedNow(prices, serverTimeMs, databaseNowMs),
      ledger: { isOpen: ledger.isOpen(), checkedAtMs: ledger.checkedAtMs() },
      serverTimeMs,
    }
  })
}
