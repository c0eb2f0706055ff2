import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { writeAccessToken } from '#web/platform/storage.ts'
import { deleteEntries } from '#web/platform/user-entries.ts'
import { aBet as aGameBet } from '#web/testing/game.ts'
import { draw } from '#web/testing/render.tsx'
import { uuid } from '#web/testing/samples.ts'
import type { SealableBet } from './api.ts'
import type { SealAnswer, SealJob } from './seal-jobs.ts'

const worker = vi.hoisted(() => ({ answer: (_: SealJob): SealAnswer => ({ is: 'away' }) }))
vi.mock('./ask-worker.ts', () => ({ askWorker: async (job: SealJob) => worker.answer(job) }))
const proof = vi.hoisted(() => ({ answer: { is: 'proof', text: 'the proof' } as { is: string; text?: string } }))
vi.mock('./api.ts', () => ({ fetchProof: async () => proof.answer }))
const saved = vi.hoisted(() => ({ files: [] as string[][] }))
vi.mock('#web/ui/save-file.ts', () => ({ saveFile: (...file: string[]) => saved.files.push(file) }))

const { BetSeal, sealPlacedBet } = await import('./bet-seal.tsx')
const { faultSentence, sealTexts: texts } = await import('./seal-texts.ts')

const log = { origin: 'kim-phien/1', vkey: 'key', note: 'note', size: 9 }
const right: SealAnswer = { is: 'right', index: 12_345, isLate: false, log }
const promise = { note: 'kim-phien/1/promise\nroot\n1\n', index: 0, size: 1, path: [] }

let bets = 0
/** Another bet for each test: the page follows one only once. */
const aBet = (changes: Partial<SealableBet> = {}): SealableBet =>
  aGameBet({
    id: uuid(++bets),
    owner: { id: uuid(500), username: 'lan' },
    round: { id: uuid(600), roundNumber: 927_418, type: '30s' },
    stakeMinor: 1_000n,
    entryFromMs: Date.now(),
    closesAtMs: Date.now() + 20_000,
    createdAtMs: Date.now(),
    salt: 'BwcHBwcHBwcHBwcHBwcHBw==',
    script: null,
    sealIndex: null,
    promise,
    ...changes,
  })
const orderOf = ({ round, stakeMinor, direction, basis }: SealableBet) => ({
  roundId: round.id,
  stakeMinor,
  direction,
  seenBasis: basis,
})

beforeEach(async () => {
  localStorage.clear()
  writeAccessToken('token')
  saved.files.length = 0
  proof.answer = { is: 'proof', text: 'the proof' }
  await deleteEntries()
})

test('a bet that was just placed is being sealed, then sealed at its place, which leads to the receipt', async () => {
  const bet = aBet()
  worker.answer = () => right
  await draw(<BetSeal userId="lan" bet={bet} as="line" />)
  act(() => sealPlacedBet('lan', bet, orderOf(bet)))
  await screen.findByText(texts.sealing)
  await screen.findByText(texts.locked)
  const link = screen.getByRole('link', {
    name: `${texts.locked}. ${texts.toReceipt(texts.sealed('12,345'), '927,418')}`,
  })
  expect(link.getAttribute('href')).toBe(`/vong/${uuid(600)}`)
})

test('a bet that was sealed late says so, and what that means where there is room', async () => {
  const bet = aBet({ createdAtMs: Date.now() - 60_000, sealIndex: 12_345, promise: null })
  const asked: (number | null)[] = []
  worker.answer = (job) => {
    if (job.ask === 'proof') asked.push(job.closesAtMs)
    return { ...right, isLate: true }
  }
  const drawn = await draw(<BetSeal userId="lan" bet={bet} as="line" />)
  const words = texts.sealedLate('12,345')
  await screen.findByRole('link', { name: texts.toReceipt(words, '927,418') })
  expect(asked).toEqual([bet.closesAtMs])
  expect(screen.queryByText(texts.lateMeans)).toBeNull()
  drawn.unmount()
  await draw(<BetSeal userId="lan" bet={bet} as="block" />)
  await screen.findByText(words)
  await screen.findByText(texts.lateMeans)
  expect(screen.queryByRole('button')).toBeNull()
})

test('the review of a sealed bet has its proof as a file', async () => {
  const bet = aBet({ sealIndex: 12_345, promise: null })
  worker.answer = () => right
  const { user } = await draw(<BetSeal userId="lan" bet={bet} as="review" />)
  await user.click(await screen.findByRole('button', { name: texts.download }))
  await waitFor(() => expect(saved.files).toEqual([['lenh-12345.tlog-proof', 'text/plain', 'the proof']]))
})

test('a proof that can’t be fetched is said beside its button', async () => {
  const bet = aBet({ sealIndex: 12_345, promise: null })
  worker.answer = () => right
  const { user } = await draw(<BetSeal userId="lan" bet={bet} as="review" />)
  const download = await screen.findByRole('button', { name: texts.download })
  proof.answer = { is: 'away' }
  await user.click(download)
  expect((await screen.findByRole('alert')).textContent).toBe(texts.downloadFailed)
  expect(saved.files).toEqual([])
})

test('a bet from before the log has no line, and one that waits keeps its place', async () => {
  const drawn = await draw(<BetSeal userId="lan" bet={aBet({ salt: null, promise: null })} as="line" />)
  expect(drawn.container.textContent).toBe('')
  expect(drawn.container.querySelector('[aria-live]')).toBeNull()
  drawn.unmount()
  const next = await draw(<BetSeal userId="lan" bet={aBet({ promise: null })} as="line" />)
  expect(next.container.querySelector('[aria-live]')?.className).toContain('min-h-4')
})

describe('a bet that does not match', () => {
  const mismatch = { fault: 'proof-path', expected: 'the signed root', found: 'another root' } as const
  beforeEach(() => {
    worker.answer = (job) => (job.ask === 'promise' ? right : { is: 'wrong', mismatch })
  })

  test('is red on its card, and a press says what is wrong and what to do', async () => {
    const bet = aBet()
    const { user } = await draw(<BetSeal userId="lan" bet={bet} as="line" />)
    act(() => sealPlacedBet('lan', bet, orderOf(bet)))
    await user.click(await screen.findByRole('button', { name: new RegExp(texts.failed) }))
    const sheet = await screen.findByRole('dialog', { name: texts.failedTitle })
    expect(sheet.textContent).toContain(faultSentence('proof-path'))
    expect(sheet.textContent).toContain('the signed root')
    expect(sheet.textContent).toContain('another root')

    await user.click(screen.getByRole('button', { name: texts.download }))
    const [name, type, content] = saved.files[0] ?? []
    expect([name, type]).toEqual([`kim-phien-niem-phong-${bet.id}.json`, 'application/json'])
    expect(JSON.parse(content ?? '')).toMatchObject({
      fault: 'proof-path',
      proof: 'the proof',
      bet: { salt: bet.salt },
    })

    const care = screen.getByRole('link', { name: texts.sendToCare })
    const about = new URL(care.getAttribute('href') ?? '', 'http://test').searchParams.get('case')
    expect(about).toContain(bet.id)
    expect(about).toContain('proof-path')
  })

  test('says so at once where there is room, also after a reload', async () => {
    const bet = aBet()
    const drawn = await draw(<BetSeal userId="lan" bet={bet} as="block" />)
    act(() => sealPlacedBet('lan', bet, orderOf(bet)))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(texts.failedTitle))
    drawn.unmount()
    await draw(<BetSeal userId="lan" bet={{ ...bet, promise: null, sealIndex: 3 }} as="block" />)
    expect((await screen.findByRole('alert')).textContent).toContain(faultSentence('proof-path'))
  })
})
