import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTyping } from './typing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function keeper() {
  const told: string[] = []
  const typing = createTyping({
    emitTo: (room, name) => void told.push(`${String(room)} ${name}`),
    onEvent: () => {},
    watch: () => {},
  })
  const begin = (socketId: string, conversationId: string) =>
    typing.start(socketId, { peerId: 'peer', userId: 'me', username: 'me', conversationId })
  return { told, typing, begin }
}

test('typing without a stop ends after 15 s, and continued typing is emitted once', () => {
  const { told, begin } = keeper()
  begin('s', 'c')
  vi.advanceTimersByTime(10_000)
  begin('s', 'c')
  vi.advanceTimersByTime(14_999)
  expect(told).toEqual(['chat:peer user_typing'])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['chat:peer user_typing', 'chat:peer user_stop_typing'])
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveLength(2)
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
