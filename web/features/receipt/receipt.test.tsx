import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { bookEndpoints, type Receipt as ReceiptAnswer } from '#contract/book.ts'
import { gameEndpoints } from '#contract/game.ts'
import { encodeEntry, encodeFields, type EntryFields } from '#domain/book/entry.ts'
import { encodeSettledLine, type SettledLine } from '#domain/book/settled-line.ts'
import { writeAccessToken } from '#web/platform/storage.ts'
import { fakeServer, onePage, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import { Receipt } from './receipt.tsx'
import { receiptTexts as texts } from './receipt-texts.ts'

const opens = Date.UTC(2026, 10, 20, 8, 0, 0)
const closes = opens + 30_000
const roundId = uuid(1)
const prices = Array.from({ length: 31 }, (_, second) => 4_132_000 + second * 10)

const line = <Kind extends 'round' | 'result' | 'closed' | 'announce'>(
  kind: Kind,
  index: number,
  at: number,
  fields: EntryFields[Kind],
) => ({ index, entry: encodeEntry(kind, at, encodeFields(kind, fields)) })

const round = line('round', 84, opens, {
  round: roundId,
  type: '30s',
  n: 927_418,
  attempt: 0,
  opens,
  locks: opens + 29_000,
  closes,
  source: 'simulated',
})
const resultOf = (by: 'PRICE' | 'ADMIN') =>
  line('result', 100, closes, { round: roundId, ticks: prices, ages: null, result: 'UP', by })
const closedOf = (changes: Partial<EntryFields['closed']> = {}) =>
  line('closed', 1_234, closes + 100, {
    round: roundId,
    deleted: false,
    announce: null,
    evidence: [],
    bets: 30,
    won: 29,
    lost: 0,
    voided: 1,
    staked: 30_000,
    profit: 1_450,
    root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    ...changes,
  })

const receipt = (changes: Partial<ReceiptAnswer> = {}): ReceiptAnswer => ({
  round,
  result: resultOf('PRICE'),
  closed: closedOf(),
  announce: null,
  note: 'the note',
  ...changes,
})

const settled = (nth: number, changes: Partial<SettledLine> = {}): string =>
  encodeSettledLine({
    i: 90 + nth,
    salt: 'BwcHBwcHBwcHBwcHBwcHBw==',
    direction: 'UP',
    stake: 1_000,
    basis: 'PRICE',
    script: null,
    at: opens + 4_250,
    entryFrom: opens / 1000 + 5,
    id: uuid(100 + nth),
    status: 'WIN',
    why: null,
    entrySecond: opens / 1000 + 5,
    entry: 4_132_050,
    exit: 4_132_300,
    profit: 50,
    ...changes,
  })
const tie = { status: 'VOID', why: 'TIE', exit: 4_132_050, profit: 0 } as const
const lines = [settled(0, tie), ...Array.from({ length: 29 }, (_, nth) => settled(nth + 1))]

const meta = { total: 30, page: 1, limit: 1_000, hasMore: false }
const open = () =>
  draw(
    <Receipt
      roundId={roundId}
      picture={({ ticks, entrySeconds }) => <p>{`picture of ${ticks.length} with ${entrySeconds.length}`}</p>}
      own={(bet) => <p>{`own ${bet.status}`}</p>}
    />,
    `/vong/${roundId}`,
  )

/** Stands still at a moment, but for `later`, after which the page asks again. */
const standAt = (now: number) => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now })
const later = () => act(() => void vi.advanceTimersByTime(5_000))

beforeEach(() => {
  standAt(closes + 5_000)
  return () => void vi.useRealTimers()
})

test('tells a round, its prices, its totals and its places to a visitor', async () => {
  const server = fakeServer()
  server.on(bookEndpoints.readReceipt, () => receipt())
  server.on(bookEndpoints.readReceiptBets, () => ({ rows: lines, meta }))
  const { container } = await open()
  await screen.findByText('Phiên 927,418 · 30s')
  const text = container.textContent
  for (const part of ['▲ Tăng', texts.byPrice, '$4,132.000', '$4,132.300', '+0.300', texts.why])
    expect(text).toContain(part)
  for (const part of ['#84', '#100', '#1,234', '+14.50']) expect(text).toContain(part)
  await screen.findByText('picture of 31 with 25')
  const rows = within(await screen.findByRole('region', { name: texts.lines })).findAllByRole('listitem')
  expect(await rows).toHaveLength(25)
  expect((await rows)[0]?.textContent).toContain(`${texts.status.voided}$4,132.050 (15:00:05)`)
  expect((await rows)[0]?.textContent).toContain(texts.because.TIE)
  expect((await rows)[1]?.textContent).toContain('+0.50')
  expect(screen.queryByText(texts.mine)).toBeNull()
  const check = screen.getByRole('link', { name: texts.check })
  expect(check.getAttribute('href')).toBe(`/kiem-chung?vong=${roundId}`)
})

test('begins with the own bet of whoever is signed in, marks it, and turns pages', async () => {
  writeAccessToken('token')
  const server = fakeServer()
  server.on(bookEndpoints.readReceipt, () => receipt())
  server.on(bookEndpoints.readReceiptBets, () => ({ rows: lines, meta }))
  const elsewhere = { ...aBet(uuid(127)), round: { ...aBet(uuid(127)).round, id: uuid(2) } }
  const asked = server.on(gameEndpoints.listOwnBets, () => onePage([aBet(uuid(128)), elsewhere]))
  const { user } = await open()
  const told = await screen.findByText('own won')
  expect(told.compareDocumentPosition(screen.getByText('Phiên 927,418 · 30s'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await user.click(await screen.findByRole('button', { name: 'Trang sau' }))
  const own = await screen.findByText(texts.mine)
  expect(own.closest('li')?.textContent).toContain('#118')
  expect(asked().map(({ query }) => query)).toEqual([{ type: '30s', from: opens, to: closes, limit: 25 }])
})

test('says who decided when staff set the result, and how a deleted round ended', async () => {
  const server = fakeServer()
  const nonce = 'BwcHBwcHBwcHBwcHBwcHBw=='
  const announced = closedOf({ bets: 0, won: 0, voided: 0, staked: 0, profit: 0, announce: { direction: 'UP', nonce } })
  server.on(bookEndpoints.readReceipt, () => receipt({ result: resultOf('ADMIN'), closed: announced }))
  const first = await open()
  await screen.findByText(texts.byStaff)
  await screen.findByText(texts.byStaffNote(texts.outcome.up))
  await screen.findByText(texts.noLines)
  first.unmount()

  const deleted = closedOf({ bets: 1, won: 0, voided: 1, staked: 1_000, profit: 0, deleted: true })
  server.on(bookEndpoints.readReceipt, () => receipt({ result: null, closed: deleted }))
  const gone = { status: 'VOID', why: 'ROUND_DELETED', entrySecond: null, entry: null, exit: null, profit: 0 } as const
  server.on(bookEndpoints.readReceiptBets, () => ({ rows: [settled(0, gone)], meta: { ...meta, total: 1 } }))
  await open()
  await screen.findByText(texts.outcomeNote.deleted)
  // It never gets a result, and its bets have no prices to speak of.
  expect(screen.getByText(texts.placeOf.result).nextElementSibling?.textContent).toBe(texts.none)
  const row = (await screen.findByText(texts.because.ROUND_DELETED)).closest('li')
  expect(row?.textContent).not.toContain(texts.noEntry)
})

test.each([
  ['before', opens + 5_000],
  ['after', closes + 5_000],
])(
  '%s its end a round without a result in the book is not said to run or to be settled: staff may have deleted it',
  async (_, nowMs) => {
    standAt(nowMs)
    const server = fakeServer()
    const asked = server.on(bookEndpoints.readReceipt, () => receipt({ result: null, closed: null }))
    await open()
    await screen.findByText(texts.outcomeNote.unwritten)
    expect(document.body.textContent).not.toMatch(/đang chạy|đang được chốt/i)
    await screen.findByText(texts.linesLater)
    later()
    await act(() => vi.waitFor(() => expect(asked().length).toBeGreaterThan(1)))
  },
)

test('of a round that opened a moment ago says that it is being written, and shows it once it is', async () => {
  standAt(opens + 500)
  const server = fakeServer()
  server.on(bookEndpoints.readReceipt, () => {
    throw new Refused('NOT_SEALED_YET')
  })
  await open()
  await screen.findByText(texts.notSealedYet)
  server.on(bookEndpoints.readReceipt, () => receipt({ result: null, closed: null }))
  later()
  await screen.findByText(texts.linesLater)
})

test('of a round that is not in the log says so, and of lines that can’t be read that it is broken', async () => {
  const server = fakeServer()
  server.on(bookEndpoints.readReceipt, () => {
    throw new Refused('NOT_IN_BOOK')
  })
  const first = await open()
  await screen.findByText(new RegExp(texts.notInBook))
  first.unmount()
  const broken = { ...round, entry: round.entry.replace('"n":927418', '"n":"927418"') }
  server.on(bookEndpoints.readReceipt, () => receipt({ round: broken }))
  await open()
  expect((await screen.findByRole('alert')).textContent).toBe(texts.broken)
})

test('of an address that names no round asks nothing and says that it is not in the log', async () => {
  const asked = fakeServer().on(bookEndpoints.readReceipt, () => receipt())
  await draw(<Receipt roundId="abc" picture={() => null} own={() => null} />, '/vong/abc')
  await screen.findByText(new RegExp(texts.notInBook))
  expect(asked()).toEqual([])
})

const aBet = (id: string) => ({
  id,
  owner: { id: uuid(500), username: 'lan' },
  round: { id: roundId, roundNumber: 927_418, type: '30s' as const },
  direction: 'up' as const,
  stakeMinor: 1_000n,
  status: 'won' as const,
  basis: 'PRICE' as const,
  entryFromMs: opens + 5_000,
  entryAtMs: opens + 5_000,
  entryPrice: 4_132_050,
  exitPrice: 4_132_300,
  profitMinor: 50n,
  voidReason: null,
  closesAtMs: closes,
  settledAtMs: closes + 100,
  createdAtMs: opens + 4_250,
})
