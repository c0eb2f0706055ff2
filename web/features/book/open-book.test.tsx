import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bookPageEndpoints, type BookRates, type NotedEntry } from '#contract/book-pages.ts'
import { bookStatusEndpoints } from '#contract/book-status.ts'
import { encodeEntry, encodeFields, type EntryFields, type EntryKind } from '#domain/book/entry.ts'
import { dayOf, startOfDayMs } from '#domain/day.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { pictureTexts } from '#web/ui/picture-texts.ts'
import type { BookStatus, NotesFilter } from './api.ts'
import { bookTexts as texts } from './book-texts.ts'
import { NewestNote } from './newest-note.tsx'
import { Notes } from './notes.tsx'
import { readNotesSearch, writeNotesSearch } from './notes-search.ts'
import { Limits, WithoutUs } from './open-book.tsx'
import { MeasuredRates } from './rates.tsx'
import { bandOf, rowsOf, sumsOf } from './rates-words.ts'

const DAY_MS = 86_400_000
const nowMs = Date.now()
const none = {
  ...{ up: 0, down: 0, ties: 0, missing: 0, won: 0, lost: 0, tied: 0, voided: 0, late: 0, lateWon: 0, lateLost: 0 },
  ...{ stakedMinor: 0n, profitMinor: 0n, squares: 0n },
}
const rates: BookRates = {
  types: [
    {
      ...none,
      ...{ type: '30s', source: 'simulated', up: 60, down: 40, ties: 2, won: 30, lost: 20, late: 4, lateWon: 1 },
      ...{ lateLost: 3, stakedMinor: 5_000_00n, profitMinor: 50_00n, squares: 4_000_000n },
    },
    { ...none, type: '60s', source: 'pyth', up: 5, down: 5, missing: 1 },
  ],
  days: [
    { day: '2026-11-19', profitMinor: -10_00n, squares: 1_000_000n },
    { day: '2026-11-20', profitMinor: 60_00n, squares: 3_000_000n },
  ],
  disputes: { open: 1, upheld: 2, rejected: 3, oldestOpenAtMs: nowMs - 3 * DAY_MS },
}
const status: BookStatus = {
  ...{ origin: 'kim-phien/00', prefix: '/log', vkey: 'kim-phien/00+1+A', size: 12_345, noteAtMs: nowMs - 2_000 },
  ...{ completeSinceMs: nowMs - DAY_MS, isSealing: true, why: null, isWitnessed: false, storageBytes: 1_250_000 },
}

const entry = <Kind extends EntryKind>(
  kind: Kind,
  index: number,
  fields: EntryFields[Kind],
  more: Partial<NotedEntry> = {},
): NotedEntry => ({
  ...{ log: 1, index, kind: kind as NotedEntry['kind'], atMs: nowMs - 2 * DAY_MS, answeredAtMs: null },
  entry: encodeEntry(kind, nowMs - 2 * DAY_MS, encodeFields(kind, fields)),
  ...more,
})
const c = 'uj/pCDRTzRJw99oODt92wdiHFqSHEwzZGgBUduQI+Nk='
const act = { act: 'balance.adjust', actor: 'AAECAwQFBgcI', round: null, bet: 7, amount: -1_500, c } as const

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  server.on(bookPageEndpoints.readRates, () => rates)
  server.on(bookStatusEndpoints.readBookStatus, () => status)
  // No witness has signed: the log's own files are no calls of the contract.
  const answered = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address.startsWith('/log/') ? Promise.resolve(new Response(null, { status: 404 })) : answered(address, init),
  )
})

function Listed() {
  const [filter, setFilter] = useState<NotesFilter>({})
  return <Notes filter={filter} onChange={setFilter} />
}

test('a dispute of a log that a restart has ended waits for no answer', async () => {
  server.on(bookStatusEndpoints.readBookStatus, () => ({ ...status, prefix: '/log/2' }))
  const rows = [1, 2].map((log) => entry('dispute', 900 + log, { bet: 7, state: 'opened', c }, { log }))
  server.on(bookPageEndpoints.listNoted, () => ({ rows, next: null }))
  await draw(<Listed />)
  await screen.findByText(`${texts.betAt('7')} · ${texts.logOver} · #901`)
  expect(screen.getByText(`${texts.betAt('7')} · ${texts.waiting('2')} · ${texts.placeIn('2', '902')}`)).toBeTruthy()
})

test('acts, feeds and disputes are told in words, with their place and their exact line', async () => {
  const deleted = { ...act, act: 'round.delete', actor: null, bet: null, amount: null, round: 'r1' } as const
  const rows = [
    entry('announce', 905, { round: 'r2', c }),
    entry('dispute', 904, { bet: 7, state: 'opened', c }),
    entry('dispute', 903, { bet: 8, state: 'opened', c }, { answeredAtMs: nowMs - DAY_MS }),
    entry('feed', 902, { source: 'pyth', state: 'closed', why: 'STALE' }),
    entry('act', 901, act, { log: 2 }),
    entry('act', 900, deleted),
  ]
  server.on(bookPageEndpoints.listNoted, () => ({ rows, next: null }))
  await draw(<Listed />)
  await screen.findByText(texts.feedClosed('Pyth'))
  expect(screen.getByText(`${texts.feedWhys.STALE} · #902`)).toBeTruthy()
  expect(screen.getByText(`${texts.betAt('7')} · ${texts.waiting('2')} · #904`)).toBeTruthy()
  expect(screen.getByText(`${texts.betAt('8')} · ${texts.answered('1')} · #903`)).toBeTruthy()
  expect(
    screen.getByText(`${texts.actor('AAECAw')} · ${texts.amount('−15.00')} · ${texts.betAt('7')} · sổ 2 · #901`),
  ).toBeTruthy()
  expect(screen.getByText(`${texts.system} · #900`)).toBeTruthy()
  expect(screen.getByRole('link', { name: `${texts.ofRound} #900` }).getAttribute('href')).toBe('/vong/r1')
  expect(screen.getByText(texts.acts.announce)).toBeTruthy()
  expect(screen.getByText(`${texts.announceSealed} · #905`)).toBeTruthy()
  expect(screen.getByRole('link', { name: `${texts.ofRound} #905` }).getAttribute('href')).toBe('/vong/r2')
  expect(screen.getByText(rows[3]?.entry ?? '')).toBeTruthy()
  expect(await screen.findByText(texts.oldestOpen('3'), { exact: false })).toBeTruthy()
})

test('the list is asked for by its filters, and further pages after the last row', async () => {
  const asked = server.on(bookPageEndpoints.listNoted, ({ query }) => ({
    rows: [entry('act', query.after === undefined ? 20 : 10, act)],
    next: query.after === undefined ? { log: 1, index: 20 } : null,
  }))
  const { user } = await draw(<Listed />)
  await user.click(await screen.findByRole('button', { name: texts.moreNotes }))
  await screen.findAllByText(/#10$/)
  expect(asked().at(-1)?.query).toEqual({ after: { log: 1, index: 20 } })
  await user.click(screen.getByRole('radio', { name: texts.kinds.act }))
  await user.selectOptions(screen.getByLabelText(texts.act), 'script.set')
  // The log began yesterday.
  await user.type(screen.getByLabelText(texts.from), dayOf(nowMs - 2 * DAY_MS))
  expect(await screen.findByText(/^Chọn đủ ngày, tháng, năm, từ/)).toBeTruthy()
  await user.type(screen.getByLabelText(texts.to), dayOf(nowMs))
  await waitFor(() =>
    expect(asked().at(-1)?.query).toEqual({ kind: 'act', act: 'script.set', to: startOfDayMs(dayOf(nowMs + DAY_MS)) }),
  )
})

test('the filters stand in the address, and what can’t be read there counts as absent', () => {
  const filter = { kind: 'act', act: 'ledger.clear', from: '2026-11-01', to: '2026-11-20' } as const
  expect(readNotesSearch(writeNotesSearch(filter))).toEqual(filter)
  expect(readNotesSearch({ loai: 'seed', viec: 'round.hide', tu: 'hôm qua', den: '2026-13-45' })).toEqual({})
  expect(readNotesSearch({ loai: 'feed', viec: 'round.delete' })).toEqual({ kind: 'feed' })
  expect(readNotesSearch({ loai: 'act', viec: 'announce' })).toEqual({ kind: 'act', act: 'announce' })
})

test('each measured rate is a named picture with a table, its interval, and no promise', async () => {
  await draw(<MeasuredRates />)
  for (const title of [texts.rounds, texts.bets, texts.sum, texts.lateBets]) {
    const card = (await screen.findByRole('heading', { name: title })).closest('section')
    if (card === null) throw new Error(`${title} stands in no card.`)
    expect(within(card).getByText(pictureTexts.table)).toBeTruthy()
    expect(within(card).getAllByRole('table', { hidden: true })[0]?.querySelectorAll('tbody tr').length).toBe(3)
    expect(within(card).getAllByRole('img').length).toBeGreaterThan(0)
  }
  // 65 of 110 rounds that rose or fell: Wilson's interval of the literature's formula.
  expect(screen.getByText(texts.roundsMean('59.1%', '49.7%', '67.8%'))).toBeTruthy()
  expect(screen.getByText(texts.sumMeans('+50.00', '5,000', '39.20'))).toBeTruthy()
  expect(screen.getByText(texts.sumOutside)).toBeTruthy()
  expect(screen.getByText(texts.lateMeans('4', '50'))).toBeTruthy()
})

test('nothing is drawn before the first round', async () => {
  server.on(bookPageEndpoints.readRates, () => ({ ...rates, types: [], days: [] }))
  await draw(<MeasuredRates />)
  await screen.findByText(texts.noRates)
  expect(screen.queryByRole('img')).toBeNull()
})

test('sums add up over types and days', () => {
  expect(rowsOf(rates)[0]?.counts).toMatchObject({ up: 65, down: 45, ties: 2, missing: 1, won: 30, profit: 5_000 })
  expect(sumsOf(rates)).toEqual([
    { day: '2026-11-19', sumMinor: -1_000n, bandMinor: bandOf(1_000_000n) },
    { day: '2026-11-20', sumMinor: 5_000n, bandMinor: 3_920n },
  ])
})

test('the newest note shows its age and since when the log is complete; a log that is not signed says why', async () => {
  const signed = await draw(<NewestNote />)
  await screen.findByText(texts.lines('12,345'))
  expect(screen.getByText(/giây trước$/)).toBeTruthy()
  expect(screen.getByText(texts.storageIs('1.3 MB'), { exact: false })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  signed.unmount()
  server.on(bookStatusEndpoints.readBookStatus, () => ({ ...status, isSealing: false, why: 'AHEAD' as const }))
  await draw(<NewestNote />)
  expect(await screen.findByText(texts.stopWhys.AHEAD, { exact: false })).toBeTruthy()
})

test('every admission is on the page, and how to check without it', async () => {
  vi.stubGlobal('scrollTo', () => {})
  await draw(
    <>
      <Limits />
      <WithoutUs />
    </>,
  )
  for (const sentence of texts.admissions) expect(screen.getByText(sentence)).toBeTruthy()
  expect(texts.admissions).toHaveLength(9)
  expect(screen.getByText(/npm run verify -- \$H --rounds/)).toBeTruthy()
})
