import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setUnreadNotices } from '#web/platform/unread-notices.ts'
import { draw } from '#web/testing/render.tsx'
import { NoticeBell } from './notice-bell.tsx'

test('the bell leads to the notices and says how many are unread, up to 99', async () => {
  await draw(<NoticeBell />)
  const bell = screen.getByRole('link', { name: 'Thông báo' })
  expect([bell.getAttribute('href'), bell.textContent]).toEqual(['/account/notifications', ''])
  act(() => setUnreadNotices(7))
  expect(screen.getByRole('link', { name: 'Thông báo, 7 chưa đọc' }).textContent).toBe('7')
  act(() => setUnreadNotices(100))
  expect(screen.getByRole('link', { name: 'Thông báo, hơn 99 chưa đọc' }).textContent).toBe('99+')
  act(() => setUnreadNotices(0))
})
