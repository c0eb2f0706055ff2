import { screen, waitFor } from '@testing-library/react'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Opening } from '#domain/book/opening.ts'
import { draw } from '#web/testing/render.tsx'
import type { CheckReport, CheckRequest, FromWorker } from './check-messages.ts'
import { checkTexts as texts } from './check-texts.ts'
import { Checker } from './checker.tsx'
import { faultTexts } from './fault-texts.ts'

const worker = vi.hoisted(() => ({
  started: [] as CheckRequest[],
  stops: 0,
  ends: 0,
  tell: (_: FromWorker): void => {},
}))
vi.mock(import('./start-check.ts'), () => ({
  startCheck: (request: CheckRequest, tell: (message: FromWorker) => void) => {
    worker.started.push(request)
    worker.tell = tell
    return { stop: () => void worker.stops++, end: () => void worker.ends++ }
  },
}))
const saved = vi.hoisted(() => vi.fn())
vi.mock(import('#web/ui/save-file.ts'), () => ({ saveFile: saved }))

afterEach(() => {
  worker.started.length = 0
  worker.stops = 0
  worker.ends = 0
  saved.mockReset()
})

const id = '01936b1e-7c3a-7cc0-8a1c-1d2e3f405162'
const tell = (message: FromWorker) => act(() => worker.tell(message))

const summary = {
  ...{ entries: 4_000, notUnderstood: 0, rounds: 12, closed: 10, deleted: 0, bets: 30, pending: 0, onPath: 10 },
  ...{ outside: 0, fromMs: null, toMs: null },
}
const report = (fields: Partial<CheckReport>): FromWorker => ({
  report: {
    ...{ request: { kind: 'rounds', count: 200 }, state: 'right', faults: [], faultCount: 0, head: null },
    ...{ summary, settledBets: 30, vkey: null, proof: null },
    ...fields,
  },
})

test('the address fills in the round, whose id is found in a receipt’s address too', async () => {
  const { user } = await draw(<Checker round={`https://example.com/vong/${id}`} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  expect(worker.started).toEqual([{ kind: 'round', round: id }])
})

test('what holds no round’s id is refused by the field', async () => {
  const { user } = await draw(<Checker round="phien-cuoi" />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  expect(screen.getByLabelText(texts.round).getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(texts.roundWrong)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(texts.round))
  expect(worker.started).toEqual([])
})

test('steps are told while it runs; it stops when asked, and ends with the screen', async () => {
  const { user, unmount } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('radio', { name: '1,000' }))
  await user.click(screen.getByRole('button', { name: texts.start }))
  expect(worker.started).toEqual([{ kind: 'rounds', count: 1_000 }])
  tell({ step: { step: 'entries', state: 'running', done: 100, total: 400 } })
  expect(screen.getByText(texts.running)).toBeTruthy()
  expect(screen.getByText(`${texts.states.running} · 100/400`)).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: texts.running }).getAttribute('aria-valuenow')).toBe('25')
  await user.click(screen.getByRole('button', { name: texts.stop }))
  expect(worker.stops).toBe(1)
  tell({ step: { step: 'note', state: 'right', done: 1, total: 1 } })
  tell({ step: { step: 'entries', state: 'stopped', done: 100, total: 400 } })
  tell(report({ state: 'stopped' }))
  expect(screen.getByText(texts.stopped)).toBeTruthy()
  expect(screen.getByText(`${texts.states.stopped} · 100/400`)).toBeTruthy()
  expect(screen.getByText(`${texts.states.right} · 1/1`)).toBeTruthy()
  unmount()
  expect(worker.ends).toBe(1)
})

test('what does not match is said by name with both numbers, and can be saved', async () => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  tell({ step: { step: 'bets', state: 'wrong', done: 30, total: null } })
  const fault = { kind: 'profit', index: 1_234, round: id, expected: 500, found: 777 } as const
  tell(report({ state: 'wrong', faults: [fault], faultCount: 1 }))
  expect(screen.getByRole('alert').textContent).toBe(texts.wrong('1'))
  expect(screen.getByText(faultTexts.profit)).toBeTruthy()
  expect(screen.getByText(`${texts.place('1,234')} · ${texts.inRound(id)}`)).toBeTruthy()
  expect(screen.getByText(texts.expected('500'))).toBeTruthy()
  expect(screen.getByText(texts.found('777'))).toBeTruthy()
  await user.click(screen.getByRole('button', { name: texts.download }))
  const [name, mime, content] = saved.mock.calls[0] as [string, string, string]
  expect([name, mime]).toEqual([expect.stringMatching(/^kiem-chung-.*\.json$/), 'application/json'])
  expect(JSON.parse(content)).toMatchObject({ state: 'wrong', faults: [fault] })
})

test.each([
  [1_000, 'Còn 980 chỗ nữa, có trong tệp kết quả.'],
  [1_005, 'Còn 985 chỗ nữa. Tệp kết quả chỉ có 1,000 chỗ đầu tiên.'],
])('of %i faults it says how many the file has', async (faultCount, words) => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  const faults = Array.from({ length: 1_000 }, (_, index) => ({ kind: 'profit', index, round: id }) as const)
  tell(report({ state: 'wrong', faults, faultCount }))
  expect(screen.getByText(words)).toBeTruthy()
})

test('a round that the book does not have is said so, without the red of a fault; a missing page stays a fault', async () => {
  const { user } = await draw(<Checker round={id} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  const missing = { kind: 'receipt-missing', index: null, round: id } as const
  const wrong = { request: { kind: 'round', round: id }, state: 'wrong', faultCount: 1 } as const
  tell(report({ ...wrong, faults: [missing] }))
  expect(screen.getByRole('alert').textContent).toBe(texts.absent)
  expect(screen.queryByText(faultTexts['receipt-missing'])).toBeNull()
  await user.click(screen.getByRole('button', { name: texts.again }))
  tell(report({ ...wrong, faults: [{ ...missing, expected: 2, found: 0 }] }))
  expect(screen.getByRole('alert').textContent).toBe(texts.wrong('1'))
  expect(screen.getByText(faultTexts['receipt-missing'])).toBeTruthy()
})

test('what waits for a seed is pending, never right', async () => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  tell({ step: { step: 'prices', state: 'pending', done: 3, total: 10 } })
  tell(report({ state: 'pending', summary: { ...summary, pending: 7 } }))
  expect(screen.getByText(texts.pending)).toBeTruthy()
  expect(screen.getByText(`${texts.waitsForSeed} · 3/10`)).toBeTruthy()
  expect(screen.getByText(texts.waiting('7'))).toBeTruthy()
  expect(screen.queryByText(texts.right)).toBeNull()
})

test('a round that is not written to its end is to be checked again in a moment, not tomorrow', async () => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  tell(report({ state: 'pending', summary: { ...summary, pending: 0 } }))
  expect(screen.getByText(texts.unclosed)).toBeTruthy()
  expect(screen.queryByText(texts.pending)).toBeNull()
})

test('a host without an answer says nothing about the log', async () => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('button', { name: texts.start }))
  tell({ failure: 'host' })
  expect(screen.getByRole('alert').textContent).toBe(texts.failed)
  expect(screen.queryByRole('button', { name: texts.download })).toBeNull()
})

test('a proof file is read and sent, and none or a large one is refused', async () => {
  const { user } = await draw(<Checker round={undefined} />)
  await user.click(screen.getByRole('radio', { name: texts.kinds.proof }))
  await user.click(screen.getByRole('button', { name: texts.start }))
  expect(screen.getByText(texts.proofMissing)).toBeTruthy()
  const field = screen.getByLabelText(texts.proof, { exact: false })
  await user.upload(field, new File(['x'.repeat(100_001)], 'a.tlog-proof', { type: 'text/plain' }))
  await screen.findByText(texts.proofTooLarge)
  await user.upload(field, new File(['PNG'], 'a.txt', { type: 'text/plain' }))
  await screen.findByText(texts.proofWrong)
  expect(worker.started).toEqual([])
  await user.upload(field, new File(['c2sp.org/tlog-proof@v1\n'], 'bet.tlog-proof', { type: 'text/plain' }))
  await screen.findByText('bet.tlog-proof')
  await user.click(screen.getByRole('button', { name: texts.start }))
  await waitFor(() => expect(worker.started).toEqual([{ kind: 'proof', text: 'c2sp.org/tlog-proof@v1\n' }]))
  const opening: Opening = {
    ...{ bet: id, round: id, direction: 'UP' as const, stake: 10_000, basis: 'PRICE' as const, script: null },
    ...{ at: 1_800_000_000_000, entryFrom: 1_800_000_001 },
  }
  tell(report({ request: { kind: 'proof', text: '' }, proof: { index: 42, opening } }))
  expect(screen.getByText(texts.right)).toBeTruthy()
  expect(screen.getByText(texts.proofOf('42'))).toBeTruthy()
  expect(screen.getByText(texts.sides.UP, { exact: false })).toBeTruthy()
})
