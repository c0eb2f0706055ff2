import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { GameBet } from './api.ts'
import { aBet } from '#web/testing/game.ts'
import { TickLine } from './tick-line.tsx'

const first = 1_795_697_100
const ticks = [
  { second: first, price: 4_000_000, mark: 'accepted', changeText: null },
  { second: first + 6, price: 4_000_100, mark: 'entry', changeText: '0.000' },
  { second: first + 30, price: 4_000_100, mark: 'exit', changeText: '0.000' },
] as const

const tintOf = (status: GameBet['status']) => {
  const { container } = render(<TickLine bet={aBet({ status, createdAtMs: (first + 5) * 1000 })} ticks={ticks} />)
  return [container.querySelector('polygon')?.getAttribute('class') ?? null, container.textContent]
}

test('the part between entry and exit has the colour of the result, and of none where the points came back', () => {
  expect(tintOf('won')[0]).toBe('fill-up-soft')
  expect(tintOf('lost')[0]).toBe('fill-down-soft')
  expect(tintOf('voided')[0]).toBeNull()
  expect(tintOf('open')[0]).toBeNull()
})

test('the caption names the seconds at which the line begins and ends', () => {
  expect(tintOf('won')[1]).toMatch(/Giá từng giây từ \d\d:\d\d:00 đến \d\d:\d\d:30$/)
})
