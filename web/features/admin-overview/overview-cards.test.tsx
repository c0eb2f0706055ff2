import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { overviewFiguresEndpoints } from '#contract/overview-figures.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { OverviewCards } from './overview-cards.tsx'
import { someBucket, someFigures } from '#web/testing/admin-overview.ts'

const round = (type: Overview['rounds'][number]['type']): Overview['rounds'][number] => ({
  ...{ id: type, type, roundNumber: 7, closesAtMs: Date.now() + 60_000, bets: 0, isAnnounced: false },
  ...{ stakedUpMinor: 0n, stakedDownMinor: 0n },
})

test('today stands beside yesterday, and a deleted round leaves no hole: its type says so in its place', async () => {
  const server = fakeServer()
  server.on(overviewFiguresEndpoints.overviewFigures, () => ({
    ...someFigures({
      buckets: [
        someBucket('2026-11-21', { bets: 40, stakedMinor: 4_000_00n, netMinor: -50_00n, active: 9 }),
        someBucket('2026-11-22', { bets: 20, stakedMinor: 1_000_00n, netMinor: 600_00n, active: 1_234 }),
      ],
    }),
    serverTimeMs: Date.now(),
  }))
  server.on(backOfficeEndpoints.overview, () => ({
    ...{ pendingRequests: 0, oldestPendingAtMs: null, netTodayMinor: 0n, betsToday: 0, serverTimeMs: Date.now() },
    rounds: ROUND_TYPES.filter((type) => type !== '60s').map(round),
    feed: {
      source: 'simulated',
      label: 'x',
      lastPrice: null,
      lastQuoteAtMs: null,
      goldReopensAtMs: null,
      closedReason: null,
    },
    ledger: { isOpen: true, checkedAtMs: null },
  }))
  await draw(<OverviewCards />)
  await screen.findByText(texts.yesterday('40'))
  const numbers = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(numbers).toEqual([
    ...['20', texts.yesterday('40'), '1,000', texts.yesterday('4,000')],
    ...['+600.00', texts.yesterday('−50.00'), '1,234', texts.yesterday('9')],
  ])
  const cards = within(await screen.findByRole('region', { name: texts.rounds })).getAllByRole('listitem')
  expect(cards.map(({ textContent }) => [textContent?.slice(0, 3), textContent?.includes(texts.noRound)])).toEqual(
    ROUND_TYPES.map((type) => [type.slice(0, 3), type === '60s']),
  )
})
