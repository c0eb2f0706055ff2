import { describe, expect, test } from 'vitest'
import { BALANCE_MAX_MINOR } from './money.ts'
import { TYPED_TEXTS } from './testing/typed-texts.ts'
import { readNumber, typedText } from './typed-number.ts'

describe('a typed or pasted number (rules §6.1)', () => {
  test('the table has texts enough, each once', () => {
    expect(TYPED_TEXTS.length).toBeGreaterThanOrEqual(60)
    expect(new Set(TYPED_TEXTS.map(([text]) => text)).size).toBe(TYPED_TEXTS.length)
  })

  test.each(TYPED_TEXTS)('%j is %s whole points, and %s with decimals', (text, whole, cents) => {
    for (const [kind, meaning] of [
      ['whole', whole],
      ['cents', cents],
    ] as const)
      expect(readNumber(text, kind)).toEqual(
        typeof meaning === 'bigint' ? { ok: true, minor: meaning } : { ok: false, problem: meaning },
      )
  })

  test('every text of digits and marks has one meaning: the one that its digits spell, or none', () => {
    const marks = ['', '0', '1', '25', '.', ',', '000', '-', 'e']
    const wrong: string[] = []
    for (const a of marks)
      for (const b of marks)
        for (const c of marks)
          for (const d of marks) {
            const text = a + b + c + d
            const [whole, cents] = [readNumber(text, 'whole'), readNumber(text, 'cents')]
            // A field with decimals takes all that one of whole points takes, as the same amount.
            if (whole.ok && !(cents.ok && cents.minor === whole.minor)) wrong.push(text)
            if (!cents.ok) continue
            const digits = text.replaceAll(/[.,]/g, '')
            const decimals = /[.,](\d{0,2})$/.exec(text)?.[1] ?? ''
            const isSpelt =
              /^[\d.,]+$/.test(text) && cents.minor === BigInt(digits) * 10n ** BigInt(2 - decimals.length)
            if (!isSpelt) wrong.push(text)
          }
    expect(wrong).toEqual([])
  })

  test.each([
    [100_000n, '1000'],
    [0n, '0'],
    [5n, '0.05'],
    [123_450n, '1234.5'],
    [BALANCE_MAX_MINOR, '1000000000000'],
  ])('%s minor units stand in a field as %s', (minor, text) => {
    expect(typedText(minor)).toBe(text)
    expect(readNumber(text, 'cents')).toEqual({ ok: true, minor })
  })
})
