import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { OwnResult } from './own-result.tsx'
import { aBet, aWonBet } from '#web/testing/game.ts'

test.each([
  [
    aWonBet({ status: 'lost', direction: 'down', stakeMinor: 10_00n, profitMinor: -50n }),
    'Lệnh của bạn: Thua−0.50 điểm',
    'Giá vàng lên $0.098, bạn chọn Bán 10 điểm.',
  ],
  [aBet({ stakeMinor: 10_00n }), 'Lệnh của bạn: Đang chạy', 'Bạn chọn Mua 10 điểm.'],
] as const)('an own bet is one figure and one sentence of its cause: %#', async (bet, heading, cause) => {
  await draw(<OwnResult bet={bet} />)
  expect(screen.getByRole('heading').textContent).toBe(heading)
  expect(screen.getByText(cause)).toBeTruthy()
})
