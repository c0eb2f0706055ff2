import { describe, expect, test } from 'vitest'
import { dueResult } from './latest-result.ts'
import { aBet, aWonBet, opensAtMs } from '#web/testing/game.ts'

const shown = { shownIds: [], signedInAtMs: opensAtMs }

describe('the result popup that is due (spec §4)', () => {
  test('is the latest bet once it is settled', () => {
    expect(dueResult([aWonBet()], '30s', shown)?.id).toBe('bet-1')
    expect(dueResult([aBet()], '30s', shown)).toBeNull()
    expect(dueResult([], '30s', shown)).toBeNull()
  })

  test.each(['won', 'lost', 'voided'] as const)('is due for a bet that was %s', (status) => {
    expect(dueResult([aWonBet({ status })], '30s', shown)).not.toBeNull()
  })

  test('is limited to the selected type', () => {
    expect(dueResult([aWonBet()], '60s', shown)).toBeNull()
  })

  test('is never due twice', () => {
    expect(dueResult([aWonBet()], '30s', { ...shown, shownIds: ['bet-1'] })).toBeNull()
  })

  test('is not an older bet’s while a newer one is open', () => {
    expect(dueResult([aBet({ id: 'bet-2' }), aWonBet()], '30s', shown)).toBeNull()
  })

  test('is not that of a bet settled before this sign-in (rules §2)', () => {
    const settledAtMs = aWonBet().settledAtMs ?? 0
    expect(dueResult([aWonBet()], '30s', { ...shown, signedInAtMs: settledAtMs })).toBeNull()
    expect(dueResult([aWonBet()], '30s', { ...shown, signedInAtMs: settledAtMs - 1 })).not.toBeNull()
  })
})
