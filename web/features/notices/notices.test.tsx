import { QueryClientProvider } from '@tanstack/react-query'
import { act, configure, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { noticeEndpoints } from '#contract/notices.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { addShownBetIds } from '#web/platform/storage.ts'
import { setUnreadNotices, useUnreadNotices } from '#web/platform/unread-notices.ts'
import { fakeServer, Refused } from '#web/testing/fake-server.ts'
import { draw } from '#web/testing/render.tsx'
import { newestQuery, type Notice, type NoticesPage } from './api.ts'
import { NoticeFollower } from './notice-follower.tsx'
import { Notices } from './notices.tsx'
import { noticeTexts } from './notices-texts.ts'
import {
  aBetNotice,
  aCareNotice,
  aLimitNotice,
  anAdjustmentNotice,
  aRequestNotice,
  aRoundNotice,
} from '#web/testing/notices.ts'

const socket = vi.hoisted(() => ({ listeners: new Map<string, (payload: unknown) => void>() }))
vi.mock(import('#web/platform/socket.ts'), async (original) => ({
  ...(await original()),
  onServerEvent: (name, listener) => {
    socket.listeners.set(name, listener as never)
    return () => socket.listeners.delete(name)
  },
}))

// Timeouts pass as fast as everything does here.
configure({ asyncUtilTimeout: 125_000 })
beforeEach(() => {
  queryClient.clear()
  setUnreadNotices(0)
  // Hints are gathered for a second, and the game has six for its popup: they pass 25 times as fast.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hurrying = setInterval(() => act(() => void vi.advanceTimersByTime(250)), 10)
  return () => {
    clearInterval(hurrying)
    vi.useRealTimers()
  }
})

const later = Date.UTC(2027, 0, 1)
const page = (notices: readonly Notice[], fields: Partial<NoticesPage> = {}): NoticesPage => ({
  notices: [...notices],
  next: null,
  unread: notices.filter(({ isRead }) => !isRead).length,
  completeToMs: later,
  ...fields,
})

async function open(answer: () => NoticesPage, isStaff = false, beside: ReactNode = null) {
  const server = fakeServer()
  const asked = server.on(noticeEndpoints.notices, answer)
  const read = server.on(noticeEndpoints.readNotices, () => ({ unread: 0 }))
  const drawn = await draw(
    <QueryClientProvider client={queryClient}>
      <Notices isStaff={isStaff} />
      {beside}
    </QueryClientProvider>,
  )
  return { ...drawn, server, asked, read }
}

test('each row leads to its thing, and unread ones say so', async () => {
  await open(() =>
    page([aCareNotice(), aRequestNotice(), aBetNotice(1), anAdjustmentNotice(), aRoundNotice(), aLimitNotice()]),
  )
  const rows = (await screen.findAllByRole('listitem')).map((row) => within(row).getByRole('link'))
  expect(rows.map((row) => row.getAttribute('href'))).toEqual([
    '/support',
    '/transaction?request=r1',
    '/account/bets?bet=b1',
    '/account/ledger',
    '/account/bets?bet=b9',
    '/account/limits',
  ])
  expect(rows.map((row) => row.textContent?.startsWith(noticeTexts.unread))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
  expect(screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent)).toEqual([
    '20/11/2026',
    '19/11/2026',
  ])
  expect(screen.getByRole('status').textContent).toBe('4 thông báo chưa đọc')
})

test('a list also shows what happened before hints were followed', async () => {
  const notices: Notice[] = [aRequestNotice()]
  const { user } = await open(() => page(notices), false, <FollowerLater />)
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  notices.push(anAdjustmentNotice())
  await user.click(screen.getByRole('button', { name: 'Theo dõi' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2))
})

function FollowerLater() {
  const [isFollowing, setIsFollowing] = useState(false)
  if (isFollowing) return <NoticeFollower self={{ id: 'me', role: 'player' }} />
  return <button onClick={() => setIsFollowing(true)}>Theo dõi</button>
}

test('are marked as read up to what the answer vouches for', async () => {
  let isRead = false
  const { user, server } = await open(() => page([{ ...aBetNotice(1), isRead }], { completeToMs: 1_234 }))
  const read = server.on(noticeEndpoints.readNotices, () => {
    isRead = true
    return { unread: 0 }
  })
  await user.click(await screen.findByRole('button', { name: noticeTexts.markRead }))
  await screen.findByText(noticeTexts.allRead)
  expect(read().map(({ body }) => body)).toEqual([{ upToMs: 1_234 }])
  // Off, but not `disabled`, which would take the focus from the keyboard that pressed it.
  const button = screen.getByRole<HTMLButtonElement>('button', { name: noticeTexts.markRead })
  expect([button.disabled, button.getAttribute('aria-disabled')]).toEqual([false, 'true'])
})

test('are read again after a failure, since they may be marked', async () => {
  let isRead = false
  const { user, server } = await open(() => page([{ ...aBetNotice(1), isRead }]))
  server.on(noticeEndpoints.readNotices, () => {
    isRead = true
    throw new Refused('INTERNAL')
  })
  await user.click(await screen.findByRole('button', { name: noticeTexts.markRead }))
  await screen.findByText(noticeTexts.allRead)
})

test('the only unread one is read by following it; one of several is not', async () => {
  const { read, user } = await open(() => page([aBetNotice(2), { ...aBetNotice(1), isRead: true }]))
  queryClient.setQueryData(newestQuery.queryKey, page([aBetNotice(2), { ...aBetNotice(1), isRead: true }]))
  await user.click((await screen.findAllByRole('link'))[0]!)
  await waitFor(() => expect(read()).toHaveLength(1))
  queryClient.setQueryData(newestQuery.queryKey, page([aBetNotice(2), aBetNotice(1)]))
  await user.click((await screen.findAllByRole('link'))[0]!)
  await act(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
  expect(read()).toHaveLength(1)
})

test('the filter asks for one kind; more follow page by page', async () => {
  let number = 0
  const { user, asked } = await open(() => page([aBetNotice((number += 1))], { next: '1_bet:1' }))
  await user.click(await screen.findByRole('button', { name: noticeTexts.more }))
  await waitFor(() => expect(asked().at(-1)?.query).toEqual({ after: '1_bet:1' }))
  await user.selectOptions(screen.getByRole('combobox', { name: noticeTexts.filter }), 'request')
  await waitFor(() => expect(asked().at(-1)?.query).toEqual({ kind: 'request' }))
})

test('with the last page the keyboard goes on from the end of the list', async () => {
  let next: string | null = '1_bet:1'
  let number = 0
  const { user } = await open(() => page([aBetNotice((number += 1))], { next }))
  const more = await screen.findByRole('button', { name: noticeTexts.more })
  next = null
  await user.click(more)
  await waitFor(() => expect(more.isConnected).toBe(false))
  expect(document.activeElement?.previousElementSibling?.textContent).toContain(noticeTexts.unread)
})

test('nothing, nothing of a kind, and a list that cannot be loaded each say so', async () => {
  const { user, server } = await open(() => page([]))
  await screen.findByText(noticeTexts.empty)
  await user.selectOptions(screen.getByRole('combobox'), 'care')
  await screen.findByText(noticeTexts.emptyFiltered)
  server.on(noticeEndpoints.notices, () => {
    throw new Refused('INTERNAL')
  })
  queryClient.clear()
  await user.selectOptions(screen.getByRole('combobox'), 'limit')
  await screen.findByRole('alert')
})

test('staff filter by what they get, and are led to their conversations', async () => {
  await open(() => page([aCareNotice()]), true)
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/admin/chat')
  const kinds = within(screen.getByRole('combobox')).getAllByRole('option')
  expect(kinds.map((option) => option.getAttribute('value'))).toEqual(['all', 'care', 'device', 'factor'])
})

const Unread = () => <output>{useUnreadNotices()} unread</output>

/** What the bell counts, and what follows the notices, on a screen at this path. */
async function follow(first: NoticesPage, at = '/account') {
  let answer = first
  const server = fakeServer()
  const asked = server.on(noticeEndpoints.notices, () => answer)
  const read = server.on(noticeEndpoints.readNotices, () => ({ unread: 0 }))
  await draw(
    <QueryClientProvider client={queryClient}>
      <Unread />
      <NoticeFollower self={{ id: 'me', role: 'player' }} />
    </QueryClientProvider>,
    at,
  )
  await waitFor(() => expect(asked()).toHaveLength(1))
  return {
    asked,
    read,
    hint: (name: string, payload: unknown, next: NoticesPage) => {
      answer = next
      act(() => socket.listeners.get(name)?.(payload))
    },
  }
}

test('the unread are counted anew after each hint', async () => {
  const { hint } = await follow(page([aBetNotice(1)]))
  await screen.findByText('1 unread')
  hint('notices_changed', {}, page([aBetNotice(2)], { unread: 100 }))
  await screen.findByText('100 unread')
})

test.each(['conversation_removed', 'conversation_changed'])(
  'what is unread in a conversation is counted anew after %s, as its deletion and a change of its holder are told',
  async (name) => {
    const { hint } = await follow(page([aCareNotice()]))
    await screen.findByText('1 unread')
    hint(name, { conversationId: '1', throughSeq: null }, page([]))
    await screen.findByText('0 unread')
  },
)

test('a settled bet is told in a line; several at once are one line', async () => {
  const { hint, asked } = await follow(page([]))
  hint('bet_changed', { betId: 'b1', isSettled: false }, page([]))
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(1, { roundNumber: 777 })]))
  await screen.findByText(/^Mua ▲ 60s · Phiên 777: Thắng \+0\.70 điểm/)
  expect(asked()).toHaveLength(2)
  hint('account_changed', {}, page([aRequestNotice(), anAdjustmentNotice(), aCareNotice(), aBetNotice(1)]))
  await screen.findByText('3 thông báo mới')
  expect(screen.queryByText(/^Yêu cầu nạp điểm/)).toBeNull()
})

test('a hidden page asks nothing, and once it is seen tells what came in one line', async () => {
  const { hint, asked } = await follow(page([]))
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(2), aBetNotice(1)]))
  await act(() => new Promise((resolve) => setTimeout(resolve, 1_200)))
  expect(asked()).toHaveLength(1)
  visibility.mockRestore()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await screen.findByText('2 thông báo mới')
})

test('a result that the popup of the game has shown is read, and told by no toast', async () => {
  const { hint, read } = await follow(page([]), '/investment/game')
  addShownBetIds(['b1'])
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(1)], { completeToMs: later }))
  await waitFor(() => expect(read().map(({ body }) => body)).toEqual([{ upToMs: later }]))
  expect(screen.queryByText(/Thắng/)).toBeNull()
})

test('a result that the popup has shown in another tab is told by no toast either', async () => {
  const { hint } = await follow(page([]))
  addShownBetIds(['b1'])
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(1), aRequestNotice()]))
  await screen.findByText(/^Yêu cầu/)
  expect(screen.queryByText(/Thắng/)).toBeNull()
})

test('a result that the first screen shows is told by no toast', async () => {
  const { hint } = await follow(page([]), '/')
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(1), aRequestNotice()]))
  await screen.findByText(/^Yêu cầu/)
  expect(screen.queryByText(/Thắng/)).toBeNull()
})

test('a result of another type, which the game shows nowhere, is told after all', async () => {
  const { hint, read } = await follow(page([]), '/games')
  hint('bet_changed', { betId: 'b1', isSettled: true }, page([aBetNotice(1)]))
  await screen.findByText(/Thắng/)
  expect(read()).toEqual([])
})
