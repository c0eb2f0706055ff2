import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { backOfficeEndpoints, type Overview } from '#contract/back-office.ts'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { adminOverviewTexts as texts } from './admin-overview-texts.ts'
import { OverviewCards } from './overview-cards.tsx'

const round = (type: Overview['rounds'][number]['type']): Overview['rounds'][number] => ({
  ...{ id: type, type, roundNumber: 7, closesAtMs: Date.now() + 60_000, bets: 0, isAnnounced: false },
  ...{ stakedUpMinor: 0n, stakedDownMinor: 0n },
})

test('a deleted round leaves no hole: its type says so in its place', async () => {
  fakeServer().on(backOfficeEndpoints.overview, () => ({
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
  const cards = within(await screen.findByRole('region', { name: texts.rounds })).getAllByRole('listitem')
  expect(cards.map(({ textContent }) => [textContent?.slice(0, 3), textContent?.includes(texts.noRound)])).toEqual(
    ROUND_TYPES.map((type) => [type.slice(0, 3), type === '60s']),
  )
})
