import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { type PushMessage, pushMessages } from '#contract/push.ts'
import { PUSH_KINDS } from '#domain/push/push.ts'
import { root } from './source-files.ts'

/** Rules §6.9 and §8 over everything that a push can ever say. */

const messages: ReadonlyArray<readonly [kind: string, message: PushMessage]> = Object.entries(pushMessages)

/** Words that would invite to play, promise or urge. */
const LURE = /chơi|đặt lệnh|dự đoán|thưởng|quà|may mắn|mời|quay lại|đừng bỏ lỡ|chỉ còn|ngay hôm nay|thắng|thua/i

const faultsOf = ({ title, body }: Pick<PushMessage, 'title' | 'body'>): string[] =>
  [
    /\d/.test(title + body) ? 'an amount or a time' : '',
    /[{}@<>]/.test(title + body) ? 'a gap or an address' : '',
    LURE.test(body) ? 'a lure' : '',
    title === 'Kim Phiên' ? '' : 'a title of its own',
  ].filter((fault) => fault !== '')

test('there is one message for each of the three kinds, and no other', () => {
  expect(PUSH_KINDS).toHaveLength(3)
  expect(messages.map(([kind]) => kind).toSorted()).toEqual([...PUSH_KINDS].toSorted())
  expect(new Set(messages.map(([, { tag }]) => tag)).size).toBe(3)
})

test.each(messages)('%s is a fixed sentence without amounts, names or lures', (_, message) => {
  expect(Object.keys(message).toSorted()).toEqual(['body', 'path', 'tag', 'title'])
  expect(Object.values(message).every((value) => typeof value === 'string' && value !== '')).toBe(true)
  expect(faultsOf(message)).toEqual([])
})

test.each(messages)('%s leads to a screen of ours', (_, { path }) => {
  const routes = readFileSync(posix.join(root, 'web/routes.tsx'), 'utf8')
  expect(routes).toContain(`path: '${path}'`)
})

test('samples', () => {
  const title = 'Kim Phiên'
  expect(faultsOf({ title, body: 'Bạn được cộng 500 điểm' })).toEqual(['an amount or a time'])
  expect(faultsOf({ title, body: 'Chào {name}' })).toEqual(['a gap or an address'])
  expect(faultsOf({ title, body: 'Quay lại chơi tiếp nhé' })).toEqual(['a lure'])
  expect(faultsOf({ title: 'Tin nóng', body: 'Điểm của bạn vừa được điều chỉnh.' })).toEqual(['a title of its own'])
})
