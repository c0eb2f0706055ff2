import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bookPageEndpoints, type BookRates } from '#contract/book-pages.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { MeasuredLine } from './rules-sheet.tsx'
import { rulesTexts } from './rules-texts.ts'

const none = {
  ...{ up: 0, down: 0, ties: 0, missing: 0, won: 0, lost: 0, tied: 0, voided: 0, late: 0, lateWon: 0, lateLost: 0 },
  ...{ source: 'simulated', stakedMinor: 0n, profitMinor: 0n, squares: 0n },
}
const rates = (types: BookRates['types']): BookRates => ({
  types,
  days: [],
  disputes: { open: 0, upheld: 0, rejected: 0, oldestOpenAtMs: null },
})

test('the rules say what was measured of all types, with its interval, and lead to the book', async () => {
  const types = [
    { ...none, type: '30s' as const, won: 60, lost: 152, tied: 9 },
    { ...none, type: '60s' as const, won: 21, lost: 30 },
  ]
  fakeServer().on(bookPageEndpoints.readRates, () => rates(types))
  await draw(<MeasuredLine />)
  // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263.
  await screen.findByText(rulesTexts.measured('263', '30.8%', '25.5%', '36.6%'), { exact: false })
  expect(screen.getByRole('link', { name: rulesTexts.toBook }).getAttribute('href')).toBe('/so-mo')
})

test('before the first decided bet they only name the book', async () => {
  fakeServer().on(bookPageEndpoints.readRates, () => rates([]))
  await draw(<MeasuredLine />)
  await screen.findByText(rulesTexts.book, { exact: false })
  expect(screen.queryByText(/khoảng 95%/)).toBeNull()
})
