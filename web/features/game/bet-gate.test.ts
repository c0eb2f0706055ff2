import { describe, expect, test } from 'vitest'
import { gameTexts } from './game-texts.ts'
import { decideGate, type GateInput, shownBasis } from './bet-gate.ts'
import { viewRound } from './round-view.ts'
import { aBet, aPlayer, aRound, opensAtMs } from '#web/testing/game.ts'

type Change = Partial<Omit<GateInput, 'view' | 'nowMs'>> & {
  readonly round?: Parameters<typeof aRound>[0]
  readonly atMs?: number
}

const inputFor = (view: GateInput['view']): GateInput => ({
  view,
  config: aPlayer(),
  openBet: null,
  isResultStanding: false,
  areBetsKnown: true,
  stake: '100',
  isOnline: true,
  isSending: false,
  isDisclosureStale: false,
  nowMs: opensAtMs,
})

function gate({ round, atMs = 10_000, ...changes }: Change = {}) {
  const nowMs = opensAtMs + atMs
  const view = viewRound({ data: { kind: 'round', round: aRound(round) }, error: null }, nowMs)
  return decideGate({ ...inputFor(view), nowMs, ...changes })
}

const reason = (change: Change) => {
  const decision = gate(change)
  return decision.isOpen ? null : decision.reason
}

describe('whether a bet can be sent', () => {
  test('it can, with the round, the stake in minor units and the deciding basis on screen', () => {
    expect(gate()).toEqual({ isOpen: true, round: aRound(), stakeMinor: 10_000n, basis: 'PRICE' })
  })

  test.each<[string, Change, string]>([
    ['player not loaded', { config: undefined }, gameTexts.gateLoading],
    ['own bets not loaded', { areBetsKnown: false }, gameTexts.gateLoading],
    ['no network', { isOnline: false }, gameTexts.offline],
    ['an order on its way', { isSending: true }, gameTexts.betSending],
    ['a disclosure not read yet', { isDisclosureStale: true }, gameTexts.disclosureUnread],
    ['a bet in progress', { openBet: aBet() }, gameTexts.betOpen],
    ['a result in the place of the stakes', { isResultStanding: true }, gameTexts.resultStanding],
    ['the second after a countdown', { atMs: 300 }, gameTexts.roundOpening],
    ['one second left', { atMs: 29_000 }, gameTexts.roundClosing],
    ['live: three seconds left', { round: { locksAtMs: opensAtMs + 27_000 }, atMs: 27_000 }, gameTexts.roundClosing],
    ['the countdown has finished', { atMs: 30_200 }, gameTexts.roundSettling],
    ['a silent feed', { round: { isBettingOpen: false } }, gameTexts.feedClosed],
    [
      'a feed with a reason of its own',
      { round: { isBettingOpen: false, feedReason: 'Đồng hồ của nguồn giá đang sai' } },
      'Đồng hồ của nguồn giá đang sai',
    ],
    ['no stake', { stake: '' }, gameTexts.stakeInvalid],
    ['a balance with its cents as a stake', { stake: '123,456.78' }, gameTexts.stakeInvalid],
    ['a stake with a sign', { stake: '-50' }, gameTexts.stakeInvalid],
    ['a stake with an exponent', { stake: '1e3' }, gameTexts.stakeInvalid],
    ['a stake beyond any balance', { stake: '9'.repeat(30) }, gameTexts.stakeInvalid],
    ['a stake of zero', { stake: '0' }, gameTexts.stakeInvalid],
    [
      'more than a bet takes',
      { stake: '100001', config: aPlayer({ balanceMinor: 10n ** 12n }) },
      gameTexts.stakeTooLarge,
    ],
    ['more than the balance', { stake: '1001' }, gameTexts.balanceTooLow],
  ])('not with %s', (_, change, text) => {
    expect(reason(change)).toBe(text)
  })

  test.each([
    [{ state: 'loading' } as const, gameTexts.gateLoading],
    [{ state: 'unreachable', error: new Error('no answer') } as const, gameTexts.roundUnreachable],
    [{ state: 'away', round: aRound() } as const, gameTexts.serverAwayNoBets],
    [{ state: 'none', nextOpensAtMs: 0, roundNumber: 1 } as const, gameTexts.noRound],
    [{ state: 'deleted', nextOpensAtMs: 0, roundNumber: 1 } as const, gameTexts.roundDeleted],
  ])('not without a round: %o', (view, text) => {
    expect(decideGate(inputFor(view))).toEqual({ isOpen: false, reason: text })
  })

  test('a lost network is the reason also where nothing could be loaded', () => {
    const view = { state: 'unreachable', error: new Error('no answer') } as const
    expect(decideGate({ ...inputFor(view), isOnline: false })).toEqual({ isOpen: false, reason: gameTexts.offline })
  })

  test('an open bet is reported before any problem of the next one', () => {
    expect(reason({ openBet: aBet(), stake: '', atMs: 29_500 })).toBe(gameTexts.betOpen)
  })

  test('the whole balance can be staked', () => {
    expect(gate({ stake: '1000' }).isOpen).toBe(true)
  })
})

describe('the deciding basis on screen (rules §1.2)', () => {
  const announced = aRound({ resultSource: 'ADMIN' })
  test.each([
    [null, aRound(), 'PRICE'],
    [null, null, 'PRICE'],
    [null, announced, 'ADMIN'],
    ['win', aRound(), 'SCRIPTED'],
    ['lose', announced, 'SCRIPTED'],
  ] as const)('script %s, round %o: %s', (scripted, round, basis) => {
    expect(shownBasis(scripted, round)).toBe(basis)
  })

  test('an order carries the basis on screen as seen', () => {
    expect(gate({ round: { resultSource: 'ADMIN' } })).toMatchObject({ isOpen: true, basis: 'ADMIN' })
    expect(gate({ config: aPlayer({ scriptedOutcome: 'lose' }) })).toMatchObject({ isOpen: true, basis: 'SCRIPTED' })
  })
})
