import { expect, test } from 'vitest'
import { isAsked, topicOf } from './case.ts'

test.each([
  ['Lệnh #1234 bị huỷ vì sao?', 'bet'],
  ['PHIEN 60s vừa rồi', 'bet'],
  ['lệnh rút của mình đâu', 'withdrawal'],
  ['Nạp rồi mà chưa thấy', 'deposit'],
  ['quên mật khẩu', 'account'],
  ['cảm ơn bạn', null],
  ['nappa, lenhh', null],
])('“%s” is about %s', (content, topic) => {
  expect(topicOf({ kind: 'text', content })).toBe(topic)
})

test('a dispute is about a bet whatever it says, and a picture says nothing', () => {
  expect(topicOf({ kind: 'text', content: 'nạp', disputeId: 'd' })).toBe('bet')
  expect(topicOf({ kind: 'image', content: '/files/rut' })).toBeNull()
})

test('a player is asked about what was answered and is done, until they say so', () => {
  const last = { isReplied: true, isDone: true, isRated: false }
  expect(isAsked(last)).toBe(true)
  for (const other of [{ isReplied: false }, { isDone: false }, { isRated: true }])
    expect(isAsked({ ...last, ...other })).toBe(false)
})
