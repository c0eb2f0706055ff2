import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BrowserError, withoutPersonalData } from './browser-error.ts'

const met = (fields: Partial<BrowserError>): BrowserError => ({
  kind: 'script',
  message: '',
  frames: [],
  screen: '/',
  ...fields,
})
const messageOf = (message: string) => withoutPersonalData(met({ message })).message
const framesOf = (...frames: string[]) => withoutPersonalData(met({ frames })).frames
const screenOf = (screen: string) => withoutPersonalData(met({ screen })).screen

test('an engine’s own words about the code are kept', () => {
  for (const message of [
    "TypeError: Cannot read properties of undefined (reading 'length')",
    'TypeError: undefined is not an object (evaluating a.b.c)',
    'RangeError: Maximum call stack size exceeded',
  ])
    expect(messageOf(message)).toBe(message)
})

test('anything that could be personal data is left out', () => {
  expect(messageOf(`SyntaxError: Unexpected token 'N', "Nguyen"... is not valid JSON`)).toBe(
    `SyntaxError: Unexpected token 'N', "…"... is not valid JSON`,
  )
  expect(messageOf(`Error: no user 'nguyen van an' (an@example.com) with 1234567`)).toBe(`Error: no user '…' … with #`)
  expect(messageOf('Failed to fetch https://kim.example/api/v1/user?q=an')).toBe('Failed to fetch (url)')
  expect(messageOf('Error: "cut off')).toBe('Error: "…"')
  expect(messageOf('x'.repeat(1000))).toHaveLength(300)
})

test('half a character, as a cut leaves it, is left out', () => {
  expect(messageOf(`${'x'.repeat(299)}😀`)).toBe(`${'x'.repeat(299)}…`)
  expect(messageOf('Error: \ud83d of 😀')).toBe('Error: … of 😀')
})

test('frames of our own files are kept, whichever engine wrote them, and no other line', () => {
  expect(
    framesOf(
      'TypeError: an is not a function',
      '    at readDraft (https://kim.example/assets/index-BcD3_x.js:1:4711)',
      '    at https://kim.example/assets/core-1.js:2:3',
      '    at async Object.load (http://127.0.0.1:3000/assets/shell-1.js:2:3)',
      'render@https://kim.example/assets/chart-9.js:10:20',
      '    at extension (chrome-extension://abc/assets.html:1:1)',
      '    at eval (eval at <anonymous> (https://kim.example/assets/a.js:1:1), <anonymous>:1:1)',
    ),
  ).toEqual([
    'readDraft assets/index-BcD3_x.js:1:4711',
    '? assets/core-1.js:2:3',
    'Object.load assets/shell-1.js:2:3',
    'render assets/chart-9.js:10:20',
  ])
  expect(framesOf(...Array.from({ length: 100 }, () => 'a@https://x/assets/a.js:1:1'))).toHaveLength(20)
})

test('a screen is its path without ids and queries', () => {
  expect(screenOf('/account/bets')).toBe('/account/bets')
  expect(screenOf('/admin/user/0190aaaa-0000-7000-8000-000000000001?tab=1#x')).toBe('/admin/user/:id')
  expect(screenOf('/vong/12345')).toBe('/vong/:id')
  expect(screenOf('/admin/user/Nguyễn An')).not.toContain('ễ')
})

test('cleaning an already clean error changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), fc.string(), (message, frames, screen) => {
      const once = withoutPersonalData(met({ message, frames, screen }))
      expect(withoutPersonalData(once)).toEqual(once)
    }),
  )
})
