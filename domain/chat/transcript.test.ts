import { expect, test } from 'vitest'
import { type SaidMessage, transcriptLine } from './transcript.ts'

const line = (of: Partial<SaidMessage>) =>
  transcriptLine({
    sentAtMs: Date.parse('2026-11-20T17:05:09.999Z'),
    name: 'lan',
    isOfStaff: false,
    kind: 'text',
    content: 'Xin chào',
    ...of,
  })

test('a message is a line with the time in Vietnam and who said it', () => {
  expect(line({})).toBe('2026-11-21 00:05:09 lan: Xin chào\n')
  expect(line({ name: 'minh', isOfStaff: true })).toBe('2026-11-21 00:05:09 minh (nhân viên): Xin chào\n')
  expect(line({ kind: 'image', content: 'https://x/y.png' })).toBe('2026-11-21 00:05:09 lan: [hình ảnh]\n')
  expect(line({ kind: 'retracted', content: '' })).toBe('2026-11-21 00:05:09 lan: [tin nhắn đã thu hồi]\n')
})

test('no text begins a line of its own, hides anything, or turns others around', () => {
  expect(line({ content: 'a\r\nb\n\u2028c\u0085d' })).toBe('2026-11-21 00:05:09 lan: a ↵ b ↵  ↵ c ↵ d\n')
  expect(line({ content: 'a\u202Eb\u2066c\u061Cd\u001B[2Je\tf' })).toBe(
    '2026-11-21 00:05:09 lan: a[U+202E]b[U+2066]c[U+061C]d[U+001B][2Je f\n',
  )
  expect(line({ content: 'Tiếng Việt 👍🏽 =1+1' })).toBe('2026-11-21 00:05:09 lan: Tiếng Việt 👍🏽 =1+1\n')
})
