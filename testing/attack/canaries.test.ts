import { expect, test } from 'vitest'
import { createCanaries } from './canaries.ts'

/** What a leak looks like; the test of the whole server looks for these. */
const text = 'mật khẩu: 7+3=10?'

test.each([
  ['as it is', text],
  ['in capitals', text.toUpperCase()],
  ['in a URL', `GET /a?b=${encodeURIComponent(text)}&c=d`],
  ['in JSON', JSON.stringify({ message: `a "${text}" b` })],
  ['hexadecimal', Buffer.from(`body=${text};`).toString('hex')],
  ['base64', Buffer.from(text).toString('base64')],
  ['base64 of a longer text', Buffer.from(`u:${text}\n and so on`).toString('base64')],
  ['base64 of another longer text', Buffer.from(`us:${text}\n and so on`).toString('base64')],
  ['base64 of one more', Buffer.from(`usr:${text}\n and so on`).toString('base64')],
  ['base64url', Buffer.from(`user:${text}!`).toString('base64url')],
])('a canary is found %s', (_, leak) => {
  const canaries = createCanaries()
  canaries.keep('text', text)
  canaries.make('another')
  expect(canaries.findIn(`{"level":30} ${leak} {"level":30}`)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^text /)]),
  )
  expect(canaries.findIn(leak).filter((found) => !found.startsWith('text '))).toEqual([])
})

test('what is not there is not found', () => {
  const canaries = createCanaries()
  canaries.make('one')
  canaries.keep('two', text)
  expect(canaries.findIn(`${text.slice(0, -1)} ${'0123456789abcdef'.repeat(1_000)}`)).toEqual([])
  expect(canaries.names).toEqual(['one', 'two'])
})
