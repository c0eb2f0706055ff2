import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { awayTexts } from './away-texts.ts'
import { AwayBanner, usualWaitFor } from './usual-wait.tsx'

const opensOn = (instant: string) => {
  const { container } = render(<AwayBanner away={{ text: 'Hết giờ', opensAtMs: Date.parse(instant) }} />)
  return container.textContent
}

test('customer care that is closed says so in its own words, and when it opens by Vietnam’s days', () => {
  expect(opensOn('2026-11-23T01:00:00Z')).toBe('Hết giờMở lại lúc 08:00 thứ Hai, 23/11')
  // Sunday in Vietnam, Saturday in UTC.
  expect(opensOn('2026-11-21T17:30:00Z')).toContain(awayTexts.opensAt('00:30', 'Chủ nhật', '22/11'))
})

test('says nothing of an opening that never comes, and nothing at all while it is open', () => {
  const { container, rerender } = render(<AwayBanner away={{ text: 'Đóng', opensAtMs: null }} />)
  expect(screen.getByRole('status').textContent).toBe('Đóng')
  rerender(<AwayBanner away={undefined} />)
  expect(container.textContent).toBe('')
})

test('the usual wait is that of what is written, where enough waited about it', () => {
  const times = { usualMs: 600_000, byTopic: [{ topic: 'withdrawal', usualMs: 60_000 }] } as const
  for (const [text, usualMs] of [
    ['', 600_000],
    ['tôi muốn rút điểm', 60_000],
    ['nạp điểm', 600_000],
  ] as const)
    expect([text, usualWaitFor({ ...times, byTopic: [...times.byTopic] }, text)]).toEqual([text, usualMs])
  expect(usualWaitFor(undefined, 'rút')).toBeNull()
})
