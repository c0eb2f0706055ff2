import { describe, expect, test } from 'vitest'
import { points } from '../money.ts'
import {
  decideConfirm,
  decideEnd,
  noteOfBoth,
  secondPeople,
  type ProposalStatus,
  sizeOf,
  statusAt,
  whySecondPerson,
} from './proposal.ts'

const fromMinor = points(100)

describe('a second person is needed', () => {
  test.each([
    ['below the threshold alone', 0, 99, false],
    ['exactly at it', 0, 100, true],
    ['by the sum of a day', 60, 40, true],
    ['just below it by the sum', 60, 39, false],
    ['for what is taken, too', 60, -40, true],
    ['for anything once it is passed', 500, 1, true],
  ])('%s', (_, moved, amount, isNeeded) => {
    const amountMinor = points(amount)
    // Whether it was moved for this player, or by this admin for others.
    for (const [why, sums] of [
      ['player', { movedMinor: points(moved), byAdminMinor: 0n }],
      ['admin', { movedMinor: 0n, byAdminMinor: points(moved) }],
    ] as const) {
      // An amount that is enough by itself is so for the player already.
      const because = sizeOf(amountMinor) >= fromMinor ? 'player' : why
      expect(whySecondPerson({ fromMinor, ...sums, amountMinor })).toBe(isNeeded ? because : null)
      expect(whySecondPerson({ fromMinor: null, ...sums, amountMinor })).toBeNull()
    }
  })
})

/** Small, repeatable numbers: no chance decides whether a test passes. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'no sequence of acts that one admin executes alone moves the threshold within 24 hours (seed %i)',
  (seed) => {
    const next = numbers(seed)
    const day = 86_400_000
    const executed: { at: number; size: bigint; isAlone: boolean }[] = []
    let nowMs = 0
    let proposed = 0
    for (let act = 0; act < 2_000; act += 1) {
      nowMs += next() % 7_200_000
      const amountMinor = BigInt((next() % 9_000) + 1) * (next() % 2 === 0 ? 1n : -1n)
      const inDay = () => executed.filter(({ at }) => at > nowMs - day)
      const movedMinor = inDay().reduce((sum, { size }) => sum + size, 0n)
      const isProposed = whySecondPerson({ fromMinor, movedMinor, byAdminMinor: 0n, amountMinor }) !== null
      // Some proposals are confirmed by a second person and count from then on.
      if (isProposed) proposed += 1
      if (!isProposed || next() % 400 === 0)
        executed.push({ at: nowMs, size: sizeOf(amountMinor), isAlone: !isProposed })
      const alone = inDay().filter(({ isAlone }) => isAlone)
      expect(alone.reduce((sum, { size }) => sum + size, 0n)).toBeLessThan(fromMinor)
    }
    expect(proposed).toBeGreaterThan(100)
    expect(executed.filter(({ isAlone }) => isAlone).length).toBeGreaterThan(100)
  },
)

const open = {
  status: 'open' as ProposalStatus,
  expiresAtMs: 1_000,
  nowMs: 999,
  proposedBy: 'an',
  endedBy: null as string | null,
  ownerId: 'player',
  actorId: 'binh',
}

test('an open proposal has expired at its time, an ended one stays what it is', () => {
  expect(statusAt(open, 999)).toBe('open')
  expect(statusAt(open, 1_000)).toBe('expired')
  expect(statusAt({ ...open, status: 'confirmed' }, 5_000)).toBe('confirmed')
})

describe('confirming', () => {
  const asked = { ...open, isSecondPerson: true, proposerMay: true }
  test.each([
    ['another admin in time', {}, { ok: true, is: 'confirm' }],
    ['the proposer', { actorId: 'an' }, { ok: false, refusal: 'SECOND_PERSON_REQUIRED' }],
    [
      'the proposer, once it was confirmed',
      { actorId: 'an', status: 'confirmed', endedBy: 'binh' } as const,
      { ok: false, refusal: 'SECOND_PERSON_REQUIRED' },
    ],
    ['the player concerned', { actorId: 'player' }, { ok: false, refusal: 'NOT_YOURSELF' }],
    ['when its time is over', { nowMs: 1_000 }, { ok: false, refusal: 'PROPOSAL_ENDED' }],
    ['who is no second person', { isSecondPerson: false }, { ok: false, refusal: 'CONFIRMER_TOO_NEW' }],
    [
      'the same again, who would be none any more',
      { status: 'confirmed', endedBy: 'binh', isSecondPerson: false } as const,
      { ok: true, is: 'repeated' },
    ],
    ['when the proposer is gone', { proposerMay: false }, { ok: false, refusal: 'PROPOSER_GONE' }],
    ['the same again', { status: 'confirmed', endedBy: 'binh' } as const, { ok: true, is: 'repeated' }],
    [
      'after a third one did',
      { status: 'confirmed', endedBy: 'chi' } as const,
      { ok: false, refusal: 'PROPOSAL_ENDED' },
    ],
    [
      'after it was withdrawn',
      { status: 'withdrawn', endedBy: 'an' } as const,
      { ok: false, refusal: 'PROPOSAL_ENDED' },
    ],
    [
      'after the player cancelled',
      { status: 'overtaken', endedBy: 'player' } as const,
      { ok: false, refusal: 'PROPOSAL_ENDED' },
    ],
  ])('%s', (_, change, decision) => {
    expect(decideConfirm({ ...asked, ...change })).toEqual(decision)
  })
})

describe('the second people', () => {
  const hour = 3_600_000
  const proposedAtMs = 1_000 * hour
  const candidate = (id: string, moneyForH: number, gaveForH: number | null = null) => ({
    id,
    username: id,
    moneySinceMs: proposedAtMs - moneyForH * hour,
    gaveAtMs: gaveForH === null ? null : proposedAtMs - gaveForH * hour,
  })
  const seen = (...candidates: ReturnType<typeof candidate>[]) =>
    secondPeople(proposedAtMs, candidates).map(({ id, fromMs }) => [id, (fromMs - proposedAtMs) / hour])

  test('have had the right for a day, and gave it to the proposer at no time of that day', () => {
    expect(
      seen(candidate('day', 24), candidate('new', 23.9), candidate('gave', 500, 23), candidate('old', 48)),
    ).toEqual([
      ['day', 0],
      ['old', -24],
    ])
  })

  test('where nobody has, those who had it before the proposal have to wait', () => {
    expect(seen(candidate('later', -1), candidate('same', 0), candidate('new', 2), candidate('gave', 500, 5))).toEqual([
      ['new', 22],
      ['gave', 19],
    ])
    expect(seen(candidate('later', -1))).toEqual([])
    expect(seen()).toEqual([])
  })
})

describe('ending without moving anything', () => {
  const asked = { ...open, reason: '' }
  test.each([
    ['its proposer, without a reason', { actorId: 'an' }, { ok: true, is: 'withdraw' }],
    ['another admin without a reason', { reason: ' ' }, { ok: false, refusal: 'REASON_REQUIRED' }],
    ['another admin with one', { reason: 'Sai số' }, { ok: true, is: 'refuse' }],
    ['the player concerned', { actorId: 'player' }, { ok: false, refusal: 'NOT_YOURSELF' }],
    ['too late', { actorId: 'an', nowMs: 1_000 }, { ok: false, refusal: 'PROPOSAL_ENDED' }],
    ['the same again', { actorId: 'an', status: 'withdrawn', endedBy: 'an' } as const, { ok: true, is: 'repeated' }],
    [
      'after it was confirmed',
      { reason: 'x', status: 'confirmed', endedBy: 'binh' } as const,
      { ok: false, refusal: 'PROPOSAL_ENDED' },
    ],
  ])('%s', (_, change, decision) => {
    expect(decideEnd({ ...asked, ...change })).toEqual(decision)
  })
})

test('the owner reads the reason and both people', () => {
  expect(noteOfBoth('Thưởng', 'an', 'binh')).toBe('Thưởng (an đề nghị, binh xác nhận)')
  expect(noteOfBoth(null, 'an', 'binh')).toBe('an đề nghị, binh xác nhận')
})
