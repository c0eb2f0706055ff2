import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ROUND_TYPES } from '#domain/game/calendar.ts'
import { QUESTION_MAX, readQuestion } from './question.ts'

const nothing = { name: null, ids: null, round: null, amountMinor: null, accountEnd: null }

describe('a typed text', () => {
  test('may be a part of a name, with or without accents and spaces', () => {
    for (const typed of ['nguyenan', 'Nguyễn Ân', ' @NGUYENAN ', 'nguyen  an'])
      expect([typed, readQuestion(typed).name]).toEqual([typed, 'nguyenan'])
    expect(readQuestion('Đỗ').name).toBe('do')
    expect(readQuestion('x'.repeat(33)).name).toBeNull()
  })

  test('may be an id or its beginning from six digits on', () => {
    const id = '019b5e2a-7c3a-7cc0-8a1c-1d2e3f405162'
    expect(readQuestion(id).ids).toEqual({ from: id, to: id })
    expect(readQuestion(id.replaceAll('-', '').toUpperCase()).ids).toEqual({ from: id, to: id })
    expect(readQuestion('019b5e2a-7').ids).toEqual({
      from: '019b5e2a-7000-0000-0000-000000000000',
      to: '019b5e2a-7fff-ffff-ffff-ffffffffffff',
    })
    for (const typed of ['019b5', '019b5g', `${id}0`, 'abc-de']) expect(readQuestion(typed).ids).toBeNull()
  })

  test('may be the number of a round, with its type or of any', () => {
    const whole = { roundNumber: 1234, part: '1234' }
    for (const typed of ['60s 1234', '60s #1,234', 'Phiên 60s 1.234', '1234 60s', '#1234 · 60s', '60s1234'])
      expect([typed, readQuestion(typed).round]).toEqual([typed, { ...whole, types: ['60s'] }])
    for (const typed of ['#1234', '1,234', 'phiên 1234'])
      expect([typed, readQuestion(typed).round]).toEqual([typed, { ...whole, types: ROUND_TYPES }])
    expect(readQuestion('60s 12').round).toEqual({ roundNumber: 12, part: null, types: ['60s'] })
    for (const typed of ['60s', '45s 12', '012', '1234567890', '30s 12 60s', 'so 12', '1.5', '1,2,3', '1,234.50'])
      expect([typed, readQuestion(typed).round?.roundNumber ?? null]).toEqual([typed, null])
  })

  test('may be a part of a round’s number from three digits on, its group not complete yet', () => {
    for (const [typed, part] of [
      ['473', '473'],
      ['60s 473,8', '4738'],
      ['473.82', '47382'],
      ['#0123', '0123'],
      ['1,234,5', '12345'],
    ] as const)
      expect([typed, readQuestion(typed).round]).toMatchObject([typed, { part }])
    for (const typed of ['47', '1234567890', '1,23.4', '1,234.50', '12,34,5'])
      expect([typed, readQuestion(typed).round?.part ?? null]).toEqual([typed, null])
  })

  test('may be an amount as people write one, more than nothing', () => {
    for (const [typed, minor] of [
      ['250', 25_000n],
      ['1,250', 125_000n],
      ['1.250,00', 125_000n],
      ['0.5', 50n],
      ['１２５０ điểm', 125_000n],
    ] as const)
      expect([typed, readQuestion(typed).amountMinor]).toEqual([typed, minor])
    for (const typed of ['0', '-250', '1,2,3', '1250 60s', 'abc', '12345678901234567890'])
      expect([typed, readQuestion(typed).amountMinor]).toEqual([typed, null])
  })

  test('may be the last digits of a bank number from four on', () => {
    for (const typed of ['3344', ' 33 44', '33-44', '33.44']) expect(readQuestion(typed).accountEnd).toBe('3344')
    for (const typed of ['334', '33a44', '%3344', '３３４４']) expect(readQuestion(typed).accountEnd).toBeNull()
  })

  test('that is none of them means nothing', () => {
    for (const typed of ['', '  ', '%', '_', "'; drop table users", '%%%%%%', '\0', '\ud800', '<b>', '....'])
      expect([typed, readQuestion(typed)]).toEqual([typed, nothing])
  })

  test('gives plain letters, digits and ids alone, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2 * QUESTION_MAX }), (typed) => {
        const { name, ids, round, amountMinor, accountEnd } = readQuestion(typed)
        if (name !== null) expect(name).toMatch(/^[a-z0-9]{1,32}$/)
        if (ids !== null)
          for (const id of [ids.from, ids.to]) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        if (round !== null) {
          expect(round.part ?? '123').toMatch(/^\d{3,9}$/)
          expect(round.roundNumber ?? 1).toSatisfy((number: number) => Number.isSafeInteger(number) && number > 0)
        }
        if (amountMinor !== null) expect(amountMinor > 0n).toBe(true)
        if (accountEnd !== null) expect(accountEnd).toMatch(/^\d{4,64}$/)
      }),
    )
  })
})
