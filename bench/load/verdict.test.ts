import { describe, expect, test } from 'vitest'
import { type Acknowledged, isRight, judge, verdictLine } from './verdict.ts'

const bet = (id: string, playerId = 'lan'): Acknowledged => ({ what: 'bet', id, playerId, clientId: null })
const message = (id: string, clientId: string, playerId = 'lan'): Acknowledged => ({
  what: 'message',
  id,
  playerId,
  clientId,
})
const all = [bet('b1'), bet('b2', 'minh'), message('m1', 't1'), message('m2', 't2', 'minh')]

describe('the verdict', () => {
  test('finds everything that was acknowledged', () => {
    const verdict = judge(all, all.toReversed(), [])
    expect(verdictLine(verdict)).toBe('acknowledged 4, found 4, lost 0, twice 0')
    expect(isRight(verdict, 0, 0)).toBe(true)
    expect(isRight(verdict, 1, 0)).toBe(false)
    expect(isRight(verdict, 1, 1)).toBe(true)
  })

  test.each(all)('finds that $what $id is missing', (missing) => {
    const verdict = judge(
      all,
      all.filter((one) => one !== missing),
      [],
    )
    expect(verdict).toEqual({ acknowledged: 4, found: 3, lost: [missing], twice: 0 })
    expect(isRight(verdict, 0, 0)).toBe(false)
  })

  test.each([
    ['of another player', { ...all[0]!, playerId: 'minh' }, 0],
    ['of another message of the client', { ...all[2]!, clientId: 't9' }, 2],
    ['of another kind', { ...all[0]!, what: 'message' as const }, 0],
  ])('a row %s is not the acknowledged one', (_, row, nth) => {
    const verdict = judge(all, all.with(nth, row), [])
    expect(verdict.lost).toEqual([all[nth]])
    expect(isRight(verdict, 0, 0)).toBe(false)
  })

  test('one row for two acts is a lost act', () => {
    const verdict = judge([...all, bet('b1')], all, [])
    expect(verdictLine(verdict)).toBe('acknowledged 5, found 4, lost 1, twice 0')
  })

  test('a row that no act accounts for is one written twice', () => {
    const verdict = judge(all, [...all, message('m3', 't1')], [])
    expect(verdictLine(verdict)).toBe('acknowledged 4, found 4, lost 0, twice 1')
    expect(isRight(verdict, 0, 0)).toBe(false)
  })

  test('an act without an answer accounts for one row of its player and kind, or for none', () => {
    const undecided = [{ what: 'bet', playerId: 'lan', count: 1 } as const]
    expect(judge(all, all, undecided).twice).toBe(0)
    expect(judge(all, [...all, bet('b9')], undecided).twice).toBe(0)
    expect(judge(all, [...all, bet('b8'), bet('b9')], undecided).twice).toBe(1)
    expect(judge(all, [...all, bet('b9', 'minh')], undecided).twice).toBe(1)
    expect(judge(all, [...all, message('m9', 't9')], undecided).twice).toBe(1)
  })
})
