import { backOfficeEndpoints } from '#contract/back-office.ts'
import type { FeedStatus } from '#contract/market.ts'
import { overviewFiguresEndpoints } from '#contract/overview-figures.ts'
import { midnightBeforeMs } from '#domain/day.ts'
import { FIGURES_DAYS_MAX } from '#domain/overview/figures.ts'
import { readPending } from '#server/features/cashier/index.ts'
import { countAdminsWithout, type FactorDeps } from '#server/features/factors/index.ts'
import { listRunningRounds, type RoundPrices, readToday } from '#server/features/game/index.ts'
import type { LedgerGuard } from '#server/features/wallet/index.ts'
import type { Clock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Api } from '#server/platform/http/http.ts'
import { refuseFields } from '#server/platform/http/errors.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { type FeedState, feedStateOf } from './note-figures.ts'
import { createFiguresReader, rangeOf } from './read-figures.ts'

export interface OverviewDeps {
  readonly db: Database
  readonly clock: Clock
  readonly prices: RoundPrices
  readonly ledger: LedgerGuard
  readonly settings: Pick<FactorDeps['settings'], 'staffSecondFactor'>
}

/** Today's sums are kept this long for all admins, since they are slow to compute on a busy day. */
const TODAY_KEPT_MS = 5_000

/**
 * Returns the status of the live source if there is one and gold trades, even while faults make new rounds simulated.
 * Otherwise returns the status of the source that a round beginning now would use.
 */
export function feedNow(prices: RoundPrices, nowMs: number, databaseNowMs: number): FeedStatus {
  const chosen = prices.feedStatus(prices.chooseSource(nowMs, nowMs), databaseNowMs)
  const { liveSource } = prices
  return liveSource === null || chosen.goldReopensAtMs !== null ? chosen : prices.feedStatus(liveSource, databaseNowMs)
}

export function readFeedState({ prices, clock }: Pick<OverviewDeps, 'prices' | 'clock'>): FeedState {
  const nowMs = Math.floor(clock.now())
  return feedStateOf(clock.isSure(), feedNow(prices, nowMs, nowMs).closedReason)
}

/** The longest range: `FIGURES_DAYS_MAX` days, with a tolerance of an hour. */
const RANGE_MAX_MS = FIGURES_DAYS_MAX * 86_400_000 + 3_600_000

export function registerOverview(api: Api, { db, clock, prices, ledger, settings }: OverviewDeps): void {
  let kept: { readonly atMs: number; readonly dayMs: number; readonly today: ReturnType<typeof readToday> } | null =
    null
  const todayAt = (nowMs: number) => {
    const dayMs = midnightBeforeMs(nowMs)
    if (kept === null || kept.dayMs !== dayMs || Math.abs(nowMs - kept.atMs) >= TODAY_KEPT_MS) {
      const started = { atMs: nowMs, dayMs, today: readToday(db, dayMs) }
      kept = started
      started.today.catch(() => {
        if (kept === started) kept = null
      })
    }
    return kept.today
  }

  const readFigures = createFiguresReader(db)
  api.handle(overviewFiguresEndpoints.overviewFigures, ({ query: { from, to } }) => {
    if (to <= from) return refuseFields({ path: 'to', message: 'Thời điểm kết thúc phải sau thời điểm bắt đầu' })
    if (to - from > RANGE_MAX_MS)
      return refuseFields({ path: 'to', message: `Khoảng thời gian dài nhất là ${FIGURES_DAYS_MAX} ngày` })
    return readFigures(rangeOf(from, to))
  })

  api.handle(backOfficeEndpoints.overview, async () => {
    const serverTimeMs = Math.floor(clock.now())
    const [pending, rounds, today, databaseNowMs, adminsWithout] = await Promise.all([
      readPending(db),
      listRunningRounds(db),
      todayAt(serverTimeMs),
      readNowMs(db),
      countAdminsWithout(db),
    ])
    return {
      ...pending,
      rounds,
      ...today,
      feed: feedNow(prices, serverTimeMs, databaseNowMs),
      ledger: { isOpen: ledger.isOpen(), checkedAtMs: ledger.checkedAtMs() },
      secondFactor: { mode: settings.staffSecondFactor, adminsWithout },
      serverTimeMs,
    }
  })
}
