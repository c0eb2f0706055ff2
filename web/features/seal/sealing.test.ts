import { beforeEach, describe, expect, test } from 'vitest'
import { openingOf } from '#domain/book/spelling.ts'
import { keepLog } from '#web/platform/book-notes.ts'
import { deleteEntries } from '#web/platform/user-entries.ts'
import { aBet } from '#web/testing/game.ts'
import { uuid } from '#web/testing/samples.ts'
import type { ProofAnswer, SealableBet } from './api.ts'
import { evidenceOf, readSeal, readSeals } from './kept-seal.ts'
import type { SealAnswer, SealJob } from './seal-jobs.ts'
import { createSealing, type SealState, type SentOrder } from './sealing.ts'

const atMs = Date.UTC(2026, 10, 20, 8, 0, 5, 250)
const promise = { note: 'kim-phien/1/promise\nroot\n1\n\n— x AAAA\n', index: 0, size: 1, path: [] }
const log = { origin: 'kim-phien/1', vkey: 'key', note: 'note', size: 9 }

const bet: SealableBet = aBet({
  id: uuid(1),
  owner: { id: uuid(5), username: 'lan' },
  round: { id: uuid(2), roundNumber: 927_418, type: '30s' },
  direction: 'down',
  stakeMinor: 1_000n,
  basis: 'SCRIPTED',
  entryFromMs: Date.UTC(2026, 10, 20, 8, 0, 6),
  closesAtMs: Date.UTC(2026, 10, 20, 8, 0, 30),
  createdAtMs: atMs,
  salt: 'BwcHBwcHBwcHBwcHBwcHBw==',
  script: 'win',
  sealIndex: null,
  promise,
})
const order: SentOrder = { roundId: uuid(2), stakeMinor: 1_000n, direction: 'down', seenBasis: 'SCRIPTED' }

type World = {
  readonly proofs?: readonly ProofAnswer['is'][]
  readonly answer?: (job: SealJob, nth: number) => SealAnswer
  /** The bet whose proof never comes. */
  readonly without?: string
}

const right: SealAnswer = { is: 'right', index: 12_344, isLate: false, log }

/** A server that gives these proofs, the last one for ever, and a worker that answers so; the clock jumps over pauses. */
function start({ proofs = ['proof'], answer = () => right, without }: World = {}) {
  let nowMs = atMs + 200
  let asked = 0
  const jobs: SealJob[] = []
  const shown: SealState['is'][] = []
  const sealing = createSealing({
    ask: async (job) => {
      jobs.push(job)
      return answer(job, jobs.length)
    },
    fetchProof: async (id) => {
      if (id === without) return { is: 'away' }
      const is = proofs[Math.min(asked++, proofs.length - 1)] ?? 'away'
      return is === 'proof' ? { is, text: 'the proof\n\nkim-phien/1\n9\n' } : { is }
    },
    nowMs: () => nowMs,
    pause: async (ms) => {
      nowMs += ms
    },
  })
  sealing.onChange(() => {
    const state = sealing.stateOf(bet.id)
    if (state !== undefined && shown.at(-1) !== state.is) shown.push(state.is)
  })
  return { ...sealing, jobs, shown, asked: () => asked, elapsedMs: () => nowMs - atMs }
}

const failureOf = (state: SealState | undefined) => (state?.is === 'failed' ? state.seal.failure : null)

beforeEach(async () => {
  await deleteEntries()
  await keepLog({ origin: 'kim-phien/0', vkey: 'key', note: 'the note of another log', size: 9 })
})

test('the opening is the bet that the player sees', () => {
  expect(openingOf(bet)).toEqual({
    bet: uuid(1),
    round: uuid(2),
    direction: 'DOWN',
    stake: 1_000,
    basis: 'SCRIPTED',
    script: 'WIN',
    at: atMs,
    entryFrom: bet.entryFromMs / 1000,
  })
})

describe('a bet that was just placed', () => {
  test('is followed from its promise to its seal, and then nothing is kept of it', async () => {
    const page = start({ proofs: ['unsealed', 'away', 'proof'] })
    await page.follow('lan', bet, order)
    expect(page.shown).toEqual(['sealing', 'sealed'])
    expect(page.stateOf(bet.id)).toEqual({ is: 'sealed', index: 12_344, isLate: false })
    expect(page.jobs.map(({ ask }) => ask)).toEqual(['promise', 'proof'])
    expect(await readSeals('lan')).toEqual([])
    // Drawn again, it is not asked for again.
    await page.follow('lan', { ...bet, promise: null, sealIndex: 12_344 })
    expect(page.asked()).toBe(3)
  })

  test.each([
    ['another stake', { ...order, stakeMinor: 2_000n }],
    ['another side', { ...order, direction: 'up' }],
    ['another round', { ...order, roundId: uuid(7) }],
    ['another basis', { ...order, seenBasis: 'PRICE' }],
  ] as const)('fails when the server accepted %s than was sent', async (_, sent) => {
    const page = start()
    await page.follow('lan', bet, sent)
    expect(failureOf(page.stateOf(bet.id))?.fault).toBe('bet-answer')
    expect(page.jobs).toEqual([])
  })

  test('whose promise is wrong fails at once, is kept with its evidence, and red after a reload', async () => {
    const mismatch = { fault: 'promise-path', expected: 'a', found: 'b' } as const
    const page = start({ answer: () => ({ is: 'wrong', mismatch }) })
    await page.follow('lan', bet, order)
    expect(page.shown).toEqual(['sealing', 'failed'])
    expect(page.asked()).toBe(0)

    const next = start()
    await next.follow('lan', { ...bet, promise: null, sealIndex: 5 })
    expect(failureOf(next.stateOf(bet.id))).toMatchObject(mismatch)
    expect(next.jobs).toEqual([])
    const kept = await readSeal('lan', bet.id)
    const evidence = JSON.parse(kept === null ? '' : evidenceOf(kept)) as Record<string, unknown>
    expect(evidence).toMatchObject({ fault: 'promise-path', promise, bet: { opening: { bet: bet.id, stake: 1_000 } } })
    expect(JSON.stringify(evidence)).not.toContain('"lan"')
    expect(await readSeal('binh', bet.id)).toBeNull()
  })

  test('that no proof comes for fails after 60 s, if the log went on meanwhile', async () => {
    const isSo = (job: SealJob): SealAnswer => (job.ask === 'beat-after' ? { is: 'beat-after', isSo: true } : right)
    const page = start({ proofs: ['unsealed'], answer: isSo })
    await page.follow('lan', bet, order)
    expect(failureOf(page.stateOf(bet.id))).toMatchObject({ fault: 'promise-unkept', lastNote: 'note' })
    expect(page.elapsedMs()).toBeGreaterThan(60_000)
    expect(page.elapsedMs()).toBeLessThan(75_000)
    expect(page.jobs.at(-1)).toMatchObject({ ask: 'beat-after', origin: 'kim-phien/1', ms: atMs + 60_000 })
  })

  test('that was sealed between the question for its proof and the one for a beat is sealed', async () => {
    const proofs: ProofAnswer['is'][] = ['unsealed']
    const answer = (job: SealJob): SealAnswer => {
      if (job.ask !== 'beat-after') return right
      proofs.push('proof')
      return { is: 'beat-after', isSo: true }
    }
    const page = start({ proofs, answer })
    await page.follow('lan', bet, order)
    expect(page.shown).toEqual(['sealing', 'slow', 'sealed'])
  })

  test('is only slow while the log stands still, and sealed when it goes on', async () => {
    const proofs = [...Array.from({ length: 70 }, () => 'unsealed' as const), 'proof' as const]
    const answer = (job: SealJob): SealAnswer => (job.ask === 'beat-after' ? { is: 'beat-after', isSo: false } : right)
    const page = start({ proofs, answer })
    await page.follow('lan', bet, order)
    expect(page.shown).toEqual(['sealing', 'slow', 'sealed'])
  })

  test('without a network is slow, never red', async () => {
    const page = start({ answer: () => ({ is: 'away' }) })
    await page.follow('lan', bet, order)
    expect(page.shown).toEqual(['sealing', 'slow'])
    expect(await readSeal('lan', bet.id)).toMatchObject({ failure: null })
  })

  test('with a stale note is asked for again, and fails after 60 s of stale notes', async () => {
    const stale = (job: SealJob, nth: number): SealAnswer => (job.ask === 'proof' && nth < 5 ? { is: 'stale' } : right)
    const fresh = start({ answer: stale })
    await fresh.follow('lan', bet, order)
    expect(fresh.shown).toEqual(['sealing', 'sealed'])

    const never = start({ answer: (job) => (job.ask === 'proof' ? { is: 'stale' } : right) })
    await never.follow('lan', bet, order)
    expect(failureOf(never.stateOf(bet.id))).toMatchObject({ fault: 'note-stale', lastNote: 'note' })
  })

  test('that the server calls older than the log, after promising it, fails', async () => {
    const page = start({ proofs: ['outside'] })
    await page.follow('lan', bet, order)
    expect(failureOf(page.stateOf(bet.id))?.fault).toBe('promise-unkept')
  })
})

describe('whether the seal was late', () => {
  const asked = (jobs: readonly SealJob[]) => jobs.map((job) => (job.ask === 'proof' ? job.closesAtMs : undefined))

  test('is not asked where the proof came in time', async () => {
    const page = start({ proofs: ['unsealed', 'proof'] })
    await page.follow('lan', bet, order)
    expect(asked(page.jobs)).toEqual([undefined, null])
  })

  test('is asked where it came later, and shown as the log says', async () => {
    const proofs = [...Array.from({ length: 6 }, () => 'unsealed' as const), 'proof' as const]
    const answer = (job: SealJob): SealAnswer => (job.ask === 'proof' ? { ...right, isLate: true } : right)
    const page = start({ proofs, answer })
    await page.follow('lan', bet, order)
    expect(asked(page.jobs)).toEqual([undefined, bet.closesAtMs])
    expect(page.stateOf(bet.id)).toEqual({ is: 'sealed', index: 12_344, isLate: true })
  })

  test('is asked again after a reload, with the end of the round that was kept', async () => {
    const page = start({ answer: () => ({ is: 'away' }) })
    await page.follow('lan', bet, order)
    const next = start({ proofs: [...Array.from({ length: 6 }, () => 'unsealed' as const), 'proof'] })
    await next.resume('lan')
    expect(asked(next.jobs).at(-1)).toBe(bet.closesAtMs)
  })
})

describe('a bet that another page placed', () => {
  test('goes on after a reload with the promise that was kept', async () => {
    const page = start({ answer: () => ({ is: 'away' }) })
    await page.follow('lan', bet, order)
    const next = start()
    await next.resume('lan')
    expect(next.jobs.map(({ ask }) => ask)).toEqual(['promise', 'proof'])
    expect(next.stateOf(bet.id)).toEqual({ is: 'sealed', index: 12_344, isLate: false })
    expect(await readSeals('lan')).toEqual([])
  })

  test('goes on after a reload, also while the proof of another one does not come', async () => {
    const page = start({ answer: () => ({ is: 'away' }) })
    const other = { ...bet, id: uuid(9) }
    for (const one of [bet, other]) await page.follow('lan', one, order)
    const next = start({ without: bet.id })
    let sealedMs: number | undefined
    next.onChange(() => {
      if (next.stateOf(other.id)?.is === 'sealed') sealedMs ??= next.elapsedMs()
    })
    await next.resume('lan')
    expect(sealedMs).toBeLessThan(60_000)
    expect((await readSeals('lan')).map(({ id }) => id)).toEqual([bet.id])
  })

  test('is followed to its seal by its proof alone', async () => {
    const page = start({ proofs: ['unsealed', 'proof'] })
    await page.follow('lan', { ...bet, promise: null })
    expect(page.jobs.map(({ ask }) => ask)).toEqual(['proof'])
    expect(page.stateOf(bet.id)).toEqual({ is: 'sealed', index: 12_344, isLate: false })
  })

  test('but that this page placed itself is judged by its promise, though a list with the bet came first', async () => {
    const page = start({ proofs: ['unsealed', 'unsealed', 'proof'] })
    await Promise.all([page.follow('lan', { ...bet, promise: null }), page.follow('lan', bet, order)])
    expect(page.jobs.map(({ ask }) => ask)).toEqual(['promise', 'proof'])
    expect(page.shown).toEqual(['sealing', 'sealed'])

    const late = start()
    await late.follow('lan', { ...bet, promise: null })
    await late.follow('lan', bet, order)
    expect(late.jobs.map(({ ask }) => ask)).toEqual(['proof', 'promise', 'proof'])
    expect(late.shown).toEqual(['sealing', 'sealed'])

    const other = start({ proofs: ['unsealed', 'unsealed', 'proof'] })
    const sent = { ...order, stakeMinor: 2_000n }
    await Promise.all([other.follow('lan', { ...bet, promise: null }), other.follow('lan', bet, sent)])
    expect(failureOf(other.stateOf(bet.id))?.fault).toBe('bet-answer')
  })

  test('says nothing once it is settled without a place, and its place when that is known', async () => {
    const page = start()
    await page.follow('lan', { ...bet, status: 'won', promise: null })
    expect([page.stateOf(bet.id), page.asked()]).toEqual([undefined, 0])
    await page.follow('lan', { ...bet, status: 'won', promise: null, sealIndex: 12_344 })
    expect(page.jobs.map(({ ask }) => ask)).toEqual(['proof'])
    expect(page.stateOf(bet.id)).toEqual({ is: 'sealed', index: 12_344, isLate: false })
  })

  test('from before the log says nothing', async () => {
    const page = start()
    await page.follow('lan', { ...bet, salt: null, promise: null })
    const { salt: _, ...unsalted } = bet
    await page.follow('lan', unsalted)
    expect([page.stateOf(bet.id), page.asked()]).toEqual([undefined, 0])
  })
})
