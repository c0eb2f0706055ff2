import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTyping } from './typing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function keeper(isStaff = false) {
  const told: string[] = []
  const typing = createTyping({
    emitTo: (room, name) => void told.push(`${String(room)} ${name}`),
    onEvent: () => {},
    watch: () => {},
  })
  const begin = (socketId: string, conversationId: string) =>
    typing.start(socketId, conversationId, { room: 'chat:peer', userId: 'me', username: 'me', conversationId, isStaff })
  return { told, typing, begin }
}

test('typing without a stop ends after 15 s, and continued typing is emitted again after 5 s', () => {
  const { told, begin } = keeper()
  begin('s', 'c')
  vi.advanceTimersByTime(4_000)
  begin('s', 'c')
  expect(told).toEqual(['chat:peer user_typing'])
  vi.advanceTimersByTime(1_000)
  begin('s', 'c')
  begin('s', 'c')
  vi.advanceTimersByTime(14_999)
  expect(told).toEqual(['chat:peer user_typing', 'chat:peer user_typing'])
  vi.advanceTimersByTime(1)
  expect(told.slice(2)).toEqual(['chat:peer user_stop_typing'])
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveLength(3)
})

test('colleagues get the start of staff who go on typing again, since their pages forget it', () => {
  const { told, begin } = keeper(true)
  for (let again = 0; again < 4; again++) {
    begin('s', 'c')
    vi.advanceTimersByTime(10_000)
  }
  expect(told.filter((line) => line === 'staff:care staff_typing')).toHaveLength(4)
})

test('a socket that disconnects ends its typing everywhere, and a repeated stop is emitted once', () => {
  const { told, typing, begin } = keeper()
  begin('s', 'c1')
  begin('s', 'c2')
  begin('other', 'c1')
  typing.stop('s', 'c1')
  typing.stop('s', 'c1')
  typing.stopAll('s')
  typing.stopAll('s')
  expect(told.filter((line) => line.endsWith('user_stop_typing'))).toHaveLength(2)
  vi.advanceTimersByTime(15_000)
  expect(told.filter((line) => line.endsWith('user_stop_typing'))).toHaveLength(3)
})

test('colleagues are told of staff who type, at most twice a second of one socket, and of each end that they know of', () => {
  const { told, typing, begin } = keeper(true)
  const ofStaff = () => told.filter((line) => line === 'staff:care staff_typing').length
  begin('s', 'c')
  typing.stop('s', 'c')
  expect(ofStaff()).toBe(2)
  for (let again = 0; again < 20; again++) {
    begin('s', 'c')
    typing.stop('s', 'c')
  }
  expect(ofStaff()).toBe(2)
  vi.advanceTimersByTime(500)
  begin('s', 'c')
  begin('s', 'c')
  typing.stopAll('s')
  expect(ofStaff()).toBe(4)
  // The player is told of every one, as before.
  expect(told.filter((line) => line.startsWith('chat:peer'))).toHaveLength(44)
})
