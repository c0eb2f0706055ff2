import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { EndedRound } from './ended-round.tsx'
import { marketTexts as texts } from './market-texts.ts'

const ticks = [
  { second: 100, price: 2_650_00 },
  { second: 101, price: 2_651_00 },
  { second: 102, price: null },
  { second: 103, price: 2_649_00 },
]
const dots = (look: string) => [...document.querySelectorAll(`line.${look}[stroke-linecap=round]`)]

test('marks each second of an entry that has a price, and the end', async () => {
  await draw(<EndedRound ticks={ticks} entrySeconds={[101, 101, 102]} />)
  // 600 units from the first second to the last.
  expect(dots('stroke-info').map((dot) => dot.getAttribute('x1'))).toEqual(['200'])
  expect(dots('stroke-ink').map((dot) => dot.getAttribute('x1'))).toEqual(['600'])
  for (const text of [texts.openingPrice, texts.entryPrices, texts.endPrice])
    expect(screen.getByText(text)).toBeTruthy()
})

test('says nothing of an end while the round runs, nor of entries without any', async () => {
  await draw(<EndedRound ticks={ticks} entrySeconds={[]} isOver={false} />)
  expect([dots('stroke-info'), dots('stroke-ink')]).toEqual([[], []])
  expect(screen.getByText(texts.openingPrice)).toBeTruthy()
  expect(screen.queryByText(texts.entryPrices)).toBeNull()
  expect(screen.queryByText(texts.endPrice)).toBeNull()
})
