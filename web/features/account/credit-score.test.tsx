import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { CreditScore, shownCreditScore } from './credit-score.tsx'

test.each([
  [100, 100],
  [0, 0],
  [89, 89],
  [null, 10],
  [undefined, 10],
  [Number.NaN, 10],
  [140, 100],
  [-3, 0],
])('a score of %s is shown as %i', (score, shown) => {
  expect(shownCreditScore(score)).toBe(shown)
})

describe('the bar', () => {
  test.each([
    [89, true],
    [90, false],
    [100, false],
    [undefined, true],
  ])('at %s its red is %s', (creditScore, isRed) => {
    const html = renderToStaticMarkup(<CreditScore creditScore={creditScore} />)
    expect(html.includes('bg-down-fill')).toBe(isRed)
    expect(html.includes('bg-up-fill')).toBe(!isRed)
    expect(html).toContain(`aria-valuenow="${creditScore ?? 10}"`)
    expect(html).toContain(`${creditScore ?? 10}/100`)
  })
})
