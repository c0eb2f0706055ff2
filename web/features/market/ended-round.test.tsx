import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { EndedRound } from './ended-round.tsx'
import { marketTexts } from './market-texts.ts'

const ticks = (prices: readonly (number | null)[]) => prices.map((price, at) => ({ second: 1_000 + at, price }))

test('draws one line for each stretch of prices, a dot for each entry and one for the end', async () => {
  const prices = [4_132_000, 4_132_100, null, 4_132_300, 4_132_200]
  const { container } = await draw(<EndedRound ticks={ticks(prices)} entrySeconds={[1_001, 1_001, 1_003]} />)
  const runs = [...container.querySelectorAll('polyline')].map((line) => line.getAttribute('points'))
  expect(runs).toEqual(['0.0,160.0 150.0,106.7', '450.0,0.0 600.0,53.3'])
  const dots = [...container.querySelectorAll('line[stroke-linecap=round]')]
  expect(dots.map((dot) => dot.getAttribute('x1'))).toEqual(['150', '450', '600'])
  expect(container.textContent).toContain('4,132.300')
})

test('without any price says so', async () => {
  const { container } = await draw(<EndedRound ticks={ticks([null, null])} entrySeconds={[]} />)
  expect(container.textContent).toBe(marketTexts.noPrice)
})
