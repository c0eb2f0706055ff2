import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { statisticsEndpoints } from '#contract/statistics.ts'
import { dayAfter, dayOf } from '#domain/day.ts'
import { NO_TOTALS } from '#domain/statistics/play.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import { type OwnStatistics, statisticsKey } from './api.ts'
import { Statistics } from './statistics.tsx'
import { statisticsTexts as texts } from './statistics-texts.ts'
import { someDay, someStatistics } from '#web/testing/statistics.ts'

const saved = vi.hoisted(() => vi.fn())
vi.mock(import('#web/ui/save-file.ts'), () => ({ saveFile: saved }))

const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, () => void>() }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  onServerEvent: ((name: string, listener: () => void) => {
    listeners.set(name, listener)
    return () => {}
  }) as never,
}))

const today = dayOf(Date.now())
const full = {
  today,
  days: [
    someDay(dayAfter(today, -1), {
      won: 30,
      lost: 20,
      stakedMinor: 500_00n,
      netMinor: 12_50n,
      balanceMinor: 1_012_50n,
    }),
    someDay(today, { lost: 2, voided: 1, netMinor: -4_00n, playedMs: 600_000, balanceMinor: 1_008_50n }),
  ],
  types: [{ type: '60s' as const, ...NO_TOTALS, won: 30, lost: 22, voided: 1, netMinor: 8_50n }],
  afterWin: { bets: 30, stakedMinor: 300_00n },
  afterLoss: { bets: 22, stakedMinor: 440_00n },
  playedMs: 3_900_000,
  longestWins: 5,
  longestLosses: 4,
  leftOut: 3,
}

async function open(fields: Partial<OwnStatistics> = full) {
  const { range: _, ...answer } = someStatistics(fields)
  const server = fakeServer()
  const asked = server.on(statisticsEndpoints.readStatistics, () => ({ ...answer, serverTimeMs: Date.now() }))
  const drawn = await draw(<Statistics firstDay={dayAfter(today, -60)} />, '/account/statistics')
  return { ...drawn, asked }
}

test('each picture is named, says what it means, and has its numbers in a table', async () => {
  await open()
  for (const title of [...[texts.balance, texts.netByDay, texts.share], ...[texts.stakes, texts.time, texts.runs]]) {
    const card = (await screen.findByRole('heading', { name: title })).closest('section')
    if (card === null) throw new Error(`${title} stands in no card.`)
    expect(within(card).getAllByText(/\.$/).length).toBeGreaterThan(0)
    expect(within(card).getByRole('table', { hidden: true }).querySelectorAll('tbody tr').length).toBeGreaterThan(0)
    expect(within(card).getByText(pictureTexts.table)).toBeTruthy()
  }
  expect(screen.getAllByRole('img').map((picture) => picture.getAttribute('aria-label'))).toContain(texts.netByDay)
  expect(screen.getByText(texts.leftOut('3'))).toBeTruthy()
  expect(screen.getByText(texts.stakesHigher)).toBeTruthy()
  expect(screen.getByText('+8.50', { exact: false })).toBeTruthy()
})

test('the last 30 days stand first; other ranges are asked for at once, an own one when it has both ends', async () => {
  const { user, asked } = await open()
  await screen.findByRole('heading', { name: texts.balance })
  expect(asked().at(-1)?.query).toEqual({ from: dayAfter(today, -29), to: today })
  await user.click(screen.getByRole('radio', { name: texts.ranges.all }))
  await waitFor(() => expect(asked().at(-1)?.query).toEqual({}))
  await user.click(screen.getByRole('radio', { name: texts.ranges.own }))
  expect(screen.getByText(texts.pickDates)).toBeTruthy()
  await user.type(screen.getByLabelText(texts.from), dayAfter(today, -20))
  await user.type(screen.getByLabelText(texts.to), dayAfter(today, -21))
  expect(await screen.findByText(texts.datesTurned)).toBeTruthy()
  const calls = asked().length
  await user.clear(screen.getByLabelText(texts.to))
  await user.type(screen.getByLabelText(texts.to), dayAfter(today, -13))
  await waitFor(() => expect(asked().at(-1)?.query).toEqual({ from: dayAfter(today, -20), to: dayAfter(today, -13) }))
  expect(asked().length).toBe(calls + 1)
})

test('nothing is drawn where nothing happened, and only the balance where the price decided no bet', async () => {
  const empty = await open({ today, days: [] })
  await screen.findByText(texts.empty)
  expect(screen.queryByRole('img')).toBeNull()
  empty.unmount()
  for (const leftOut of [0, 1]) {
    const { unmount } = await open({ today, days: [someDay(today, { balanceMinor: 1_000_00n })], leftOut })
    await screen.findByText(leftOut === 0 ? texts.empty : texts.leftOut('1'))
    expect(screen.getAllByRole('img').map((picture) => picture.getAttribute('aria-label'))).toEqual([texts.balance])
    unmount()
  }
})

test('a changed bet and a changed balance are asked for, as by an approved deposit', async () => {
  const asked = vi.spyOn(queryClient, 'invalidateQueries')
  await open()
  await screen.findByRole('heading', { name: texts.balance })
  for (const name of ['bet_changed', 'balance_changed']) {
    asked.mockClear()
    listeners.get(name)?.()
    expect(asked.mock.calls).toEqual([[{ queryKey: statisticsKey }]])
  }
  asked.mockRestore()
})

test('few bets are a result, a sentence and the balance with every change, whose lowest and highest are true', async () => {
  const atMs = Date.now()
  await open({
    today,
    days: [someDay(today, { lost: 1, netMinor: -50n, balanceMinor: 999_50n })],
    types: [{ type: '60s' as const, ...NO_TOTALS, lost: 1, netMinor: -50n }],
    lowestMinor: 990_00n,
    highestMinor: 1_000_00n,
    changes: [1_000_00n, 990_00n, 999_50n].map((balanceMinor, at) => ({ atMs: atMs + at, balanceMinor })),
  })
  await screen.findByText(texts.endedFew('1', '0', '1'))
  expect(screen.getAllByRole('img').map((picture) => picture.getAttribute('aria-label'))).toEqual([texts.balance])
  expect(screen.getByText(pictureTexts.lowest('990.00'))).toBeTruthy()
  expect(screen.getByText(pictureTexts.highest('1,000.00'))).toBeTruthy()
  const rows = [...screen.getByRole('table', { hidden: true }).querySelectorAll('tbody tr')]
  expect(rows.map((row) => row.querySelector('td')?.textContent)).toEqual(['999.50', '990.00', '1,000.00'])
})

test('where not every change is known, lowest and highest are said to be those of days’ ends', async () => {
  await open()
  await screen.findByText(texts.lowestDayEnd('1,008.50'))
  expect(screen.getByText(texts.highestDayEnd('1,012.50'))).toBeTruthy()
})

test('the days are saved as a file', async () => {
  const { user } = await open()
  await user.click(await screen.findByRole('button', { name: texts.csv }))
  expect(saved).toHaveBeenCalledWith(
    expect.stringMatching(/^kim-phien-thong-ke-.*\.csv$/),
    'text/csv;charset=utf-8',
    expect.stringContaining('1012.50'),
  )
})

test('while it is printed tables are open and the colours are light, afterwards as before', async () => {
  await open()
  await screen.findByRole('heading', { name: texts.balance })
  const page = document.documentElement
  page.dataset['theme'] = 'dark'
  const areOpen = () => [...document.querySelectorAll('details')].map((details) => details.open)
  globalThis.dispatchEvent(new Event('beforeprint'))
  expect(new Set(areOpen())).toEqual(new Set([true]))
  expect(page.dataset['theme']).toBe('light')
  globalThis.dispatchEvent(new Event('afterprint'))
  expect(new Set(areOpen())).toEqual(new Set([false]))
  expect(page.dataset['theme']).toBe('dark')
})

test('the range ends with the new day once it is midnight in Vietnam', async () => {
  const now = Date.parse('2026-11-20T23:59:00+07:00')
  vi.useFakeTimers({ now, shouldAdvanceTime: true, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { asked } = await open()
  await screen.findByRole('heading', { name: texts.balance })
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  await waitFor(() => expect(asked().map(({ query }) => query.to)).toEqual(['2026-11-20', '2026-11-21']))
})
