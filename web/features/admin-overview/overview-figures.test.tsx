import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { overviewFiguresEndpoints } from '#contract/overview-figures.ts'
import { dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { commonTexts } from '#web/platform/texts.ts'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import type { Figures } from './figures.ts'
import { figuresTexts as texts } from './figures-texts.ts'
import { OverviewFigures } from './overview-figures.tsx'
import { someBucket, someFigures } from '#web/testing/admin-overview.ts'

const saved = vi.hoisted(() => vi.fn())
vi.mock(import('#web/ui/save-file.ts'), () => ({ saveFile: saved }))

const HOUR_MS = 3_600_000

/** Two days: what the house won on the second lies outside the band that chance gives. */
const busy = {
  buckets: [
    someBucket('2026-11-21', {
      active: 12,
      joined: 3,
      bets: 40,
      stakedMinor: 400_000n,
      decided: 38,
      netMinor: -50_00n,
      deviationMinor: 100_00n,
      netSoFarMinor: -50_00n,
      deviationSoFarMinor: 100_00n,
      voids: { tie: 1, noTick: 0, roundDeleted: 1 },
      deposits: { filed: 4, approved: 2, rejected: 1, cancelled: 1 },
      waiting: { count: 3, medianMs: 150_000, p90Ms: 900_000 },
      firstReply: { count: 2, medianMs: 40_000, p90Ms: 65_000 },
      states: { openMs: 18 * HOUR_MS, silentMs: 6 * HOUR_MS, closedMs: 0, unsureMs: 0, offMs: 0, ledgerClosedMs: 0 },
    }),
    someBucket('2026-11-22', {
      active: 9,
      bets: 20,
      stakedMinor: 100_050n,
      decided: 20,
      netMinor: 600_00n,
      deviationMinor: 90_00n,
      netSoFarMinor: 550_00n,
      deviationSoFarMinor: 134_54n,
      leftOut: 2,
      withdrawals: { filed: 1, approved: 0, rejected: 0, cancelled: 0 },
    }),
  ],
  byHour: [{ type: '60s' as const, hour: 9, bets: 33, stakedMinor: 330_000n }],
  requests: [
    {
      kind: 'deposit' as const,
      ...{ filed: 4, approved: 2, rejected: 1, cancelled: 1 },
      waiting: { count: 3, medianMs: 150_000, p90Ms: 900_000 },
    },
    {
      kind: 'withdrawal' as const,
      ...{ filed: 1, approved: 0, rejected: 0, cancelled: 0 },
      waiting: { count: 0, medianMs: null, p90Ms: null },
    },
  ],
  firstReply: { count: 2, medianMs: 40_000, p90Ms: 65_000 },
  refusals: [
    { code: 'LOGIN_FAILED', sentence: 'Sai tài khoản hoặc mật khẩu', times: 7 },
    { code: 'OF_A_NEWER_SERVER', sentence: 'OF_A_NEWER_SERVER', times: 1 },
  ],
} satisfies Partial<Figures>

async function open(fields: Partial<Figures> = busy, at = '/admin') {
  const server = fakeServer()
  const asked = server.on(overviewFiguresEndpoints.overviewFigures, () => ({
    ...someFigures(fields),
    serverTimeMs: Date.now(),
  }))
  const drawn = await draw(<OverviewFigures />, at)
  return { ...drawn, asked }
}

async function cardOf(title: string): Promise<HTMLElement> {
  const card = (await screen.findByRole('heading', { name: title })).closest('section')
  if (card === null) throw new Error(`${title} stands in no card.`)
  return card
}
const rowsOf = (card: HTMLElement) =>
  [...within(card).getByRole('table', { hidden: true }).querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  )

test('each picture has a reading, and its figures as a table', async () => {
  await open()
  expect(rowsOf(await cardOf(texts.players))).toEqual([
    ['21/11/2026', '12', '3'],
    ['22/11/2026', '9', '0'],
  ])
  expect(rowsOf(await cardOf(texts.stakes))).toEqual([
    ['21/11/2026', '4,000', '40'],
    ['22/11/2026', '1,000.50', '20'],
  ])
  expect(rowsOf(await cardOf(texts.net))).toEqual([
    ['21/11/2026', '−50.00', '196', '−50.00', '196', '38'],
    ['22/11/2026', '+600.00', '176.40', '+550.00', '263.70', '20'],
  ])
  expect(rowsOf(await cardOf(texts.requests))[0]).toEqual(['21/11/2026', '4', '2', '1', '1'])
  expect(rowsOf(await cardOf(texts.waiting))).toEqual([
    ['21/11/2026', '2.5 phút', '15 phút', '3'],
    ['22/11/2026', '–', '–', '0'],
  ])
  expect(rowsOf(await cardOf(texts.voids))).toEqual([
    [texts.voidReasons.TIE, '1', '1.7%'],
    [texts.voidReasons.NO_TICK, '0', '0.0%'],
    [texts.voidReasons.ROUND_DELETED, '1', '1.7%'],
  ])
  expect(rowsOf(await cardOf(texts.refusals))).toEqual([
    ['LOGIN_FAILED', '7', 'Sai tài khoản hoặc mật khẩu'],
    ['OF_A_NEWER_SERVER', '1', 'OF_A_NEWER_SERVER'],
  ])
  expect(rowsOf(await cardOf(texts.states))[0]).toEqual([
    ...['21/11/2026', '18 giờ', '6 giờ', '0 giây', '0 giây', '0 giây', '0 giây'],
  ])
  const hours = rowsOf(await cardOf(texts.byHour))
  expect(hours).toHaveLength(4 * 24)
  expect(hours.filter(([, bets]) => bets !== '0')).toEqual([['60s, 9 giờ', '33', '3,300']])
  expect(screen.getByText(texts.replyReading('40 giây', '1.1 phút'))).toBeTruthy()
  expect(screen.getByText(texts.waitingOf('Nạp', '2.5 phút', '15 phút'))).toBeTruthy()
  expect(screen.getAllByText(pictureTexts.table)).toHaveLength(10)
})

test('what the house won is judged by the band that chance gives', async () => {
  await open()
  const net = await cardOf(texts.net)
  expect(within(net).getByText(texts.farOutside, { exact: false }).textContent).toContain('+550.00')
  expect(within(net).getByText(texts.leftOut('2'))).toBeTruthy()
})

test.each([
  [0n, texts.within],
  [-196_00n, texts.within],
  [200_00n, texts.outside],
  [-330_00n, texts.farOutside],
])('a sum of %s with a deviation of 100 points: %s', async (netSoFarMinor, sentence) => {
  await open({
    buckets: [someBucket('2026-11-22', { bets: 9, decided: 9, netSoFarMinor, deviationSoFarMinor: 100_00n })],
  })
  expect(within(await cardOf(texts.net)).getByText(sentence, { exact: false })).toBeTruthy()
})

test('the file holds what the table holds, with amounts and times as plain numbers', async () => {
  const { user } = await open()
  await user.click(within(await cardOf(texts.net)).getByText(pictureTexts.table))
  await user.click(screen.getByRole('button', { name: texts.csvOf(texts.net) }))
  const [name, , csv] = saved.mock.lastCall ?? []
  expect(name).toMatch(/^chênh-lệch-của-hệ-thống-\d\d-\d\d-\d{4}\.csv$/)
  const lines = String(csv).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toBe('21/11/2026,-50.00,196.00,-50.00,196.00,38')
  await user.click(within(await cardOf(texts.waiting)).getByText(pictureTexts.table))
  await user.click(screen.getByRole('button', { name: texts.csvOf(texts.waiting) }))
  const waits = String(saved.mock.lastCall?.[2]).trim().split('\r\n')
  expect(waits[0]).toContain(texts.units.inSeconds(texts.median))
  expect(waits.slice(1)).toEqual(['21/11/2026,150,900,3', '22/11/2026,,,0'])
})

test('marks and rows lead to the lists behind them', async () => {
  await open()
  const linkOf = (card: HTMLElement, name: string) =>
    within(card).getByRole('link', { name, hidden: true }).getAttribute('href')
  expect(linkOf(await cardOf(texts.stakes), '21/11/2026')).toBe('/admin/history?from=2026-11-21&to=2026-11-21')
  expect(linkOf(await cardOf(texts.net), '21/11/2026')).toContain('basis=PRICE')
  expect(linkOf(await cardOf(texts.requests), '22/11/2026')).toBe(
    '/admin/transaction?status=all&from=2026-11-22&to=2026-11-22',
  )
  expect(linkOf(await cardOf(texts.states), '21/11/2026')).toBe('/admin/game?voids=yes&from=2026-11-21&to=2026-11-21')
  const voids = await cardOf(texts.voids)
  expect(
    within(voids).getAllByRole('link', { name: texts.voidReasons.TIE, hidden: true })[0]?.getAttribute('href'),
  ).toBe('/admin/history?status=voided&voidReason=TIE&from=2026-11-21&to=2026-11-22')
  expect(linkOf(await cardOf(texts.byHour), texts.cell('60s', '9'))).toBe(
    '/admin/history?type=60s&from=2026-11-21&to=2026-11-22',
  )
})

test('a scale of small numbers has whole lines alone', async () => {
  await open({ buckets: [someBucket('2026-11-22', { active: 1, joined: 1 })] })
  const scale = within(await cardOf(texts.players)).getByRole('img')
  const lines = [...scale.querySelectorAll('text')].map(({ textContent }) => textContent)
  // Beneath them stands the day.
  expect(lines).toEqual(['0', '1', expect.stringContaining('22')])
})

test('a picture has one stop for the keyboard, whose arrows go from mark to mark', async () => {
  const { user, address } = await open()
  const stakes = await cardOf(texts.stakes)
  const mark = () => within(within(stakes).getByRole('figure')).getByRole('link')
  expect(mark().getAttribute('aria-label')).toContain('22/11/2026')
  act(() => mark().focus())
  await user.keyboard('{ArrowLeft}')
  expect(mark().getAttribute('aria-label')).toBe(`${texts.stakes}, 21/11/2026: Điểm đặt: 4,000; Số lệnh: 40`)
  expect(within(stakes).getByRole('status').textContent).toContain('4,000')
  await user.keyboard('{ArrowLeft}')
  expect(mark().getAttribute('aria-label')).toContain('21/11/2026')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/history?from=2026-11-21&to=2026-11-21'))
})

test('a finger sees the figures of a mark first, and opens its list with a second press', async () => {
  const { address } = await open()
  const stakes = await cardOf(texts.stakes)
  const mark = () => within(within(stakes).getByRole('figure')).getByRole('link')
  const tap = () => {
    fireEvent.pointerDown(mark(), { pointerType: 'touch', clientX: 100, clientY: 50 })
    fireEvent.click(mark())
  }
  tap()
  await within(stakes).findByText(texts.touchAgain)
  expect(address()).toBe('/admin')
  tap()
  await waitFor(() => expect(address()).toContain('/admin/history'))
})

test('the range stands in the address, and is asked for in whole days of Vietnam', async () => {
  const { user, asked, address } = await open()
  await cardOf(texts.net)
  const today = dayOf(Date.now())
  const tomorrowMs = startOfDayMs(dayAfter(today))
  expect(asked().at(-1)?.query).toEqual({ from: startOfDayMs(dayAfter(today, -6)), to: tomorrowMs })
  await user.click(screen.getByRole('radio', { name: texts.ranges['30d'] }))
  await waitFor(() =>
    expect(asked().at(-1)?.query).toEqual({ from: startOfDayMs(dayAfter(today, -29)), to: tomorrowMs }),
  )
  expect(address()).toBe('/admin?range=30d')
  await user.click(screen.getByRole('radio', { name: texts.ranges['24h'] }))
  await waitFor(() => {
    const { from, to } = asked().at(-1)?.query ?? { from: 0, to: 0 }
    expect(to - from).toBe(24 * HOUR_MS)
  })
  await user.click(screen.getByRole('radio', { name: texts.ranges.own }))
  expect(address()).toBe(`/admin?range=own&from=${dayAfter(today, -6)}&to=${today}`)
})

test.each([
  ['from=2026-11-05&to=2026-11-01', texts.problems.turned],
  ['from=2026-11-05', texts.problems.open],
  ['from=2026-11-05&to=cuối', texts.problems.open],
  ['from=2024-01-01&to=2026-01-01', texts.problems.long],
])('an own range of %s asks for nothing and says why', async (search, sentence) => {
  const { asked } = await open(busy, `/admin?range=own&${search}`)
  await screen.findByText(sentence)
  expect(asked()).toHaveLength(0)
})

test('a quiet range says so, and leads to a longer one', async () => {
  const { user, address } = await open({})
  await screen.findByText(texts.empty)
  expect(screen.queryByRole('figure')).toBeNull()
  await user.click(screen.getByRole('button', { name: texts.longer }))
  expect(address()).toBe('/admin?range=30d')
})

test('a part that nobody counted yet is said, and the rest is drawn', async () => {
  const noon = startOfDayMs('2026-11-21') + 12 * HOUR_MS
  await open({ ...busy, completeFromMs: noon, statesFromMs: noon, refusalsFromMs: null, refusals: [] })
  await screen.findByText(texts.completeFrom('21/11/2026 12:00'))
  expect(within(await cardOf(texts.states)).getByText(texts.countedFrom('21/11/2026 12:00'))).toBeTruthy()
  const refusals = await cardOf(texts.refusals)
  expect(within(refusals).getByText(texts.neverCounted)).toBeTruthy()
  expect(within(refusals).getByText(texts.empty)).toBeTruthy()
})

test('what could not be loaded can be asked for again', async () => {
  const server = fakeServer()
  let isAway = true
  server.on(overviewFiguresEndpoints.overviewFigures, () => {
    if (isAway) throw new Refused('DATABASE_AWAY')
    return { ...someFigures(busy), serverTimeMs: Date.now() }
  })
  const { user } = await draw(<OverviewFigures />, '/admin')
  await screen.findByRole('alert')
  isAway = false
  await user.click(screen.getByRole('button', { name: commonTexts.retry }))
  expect(await cardOf(texts.net)).toBeTruthy()
})
