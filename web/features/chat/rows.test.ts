import { describe, expect, test } from 'vitest'
import { type Row, rowsOf, type ShownMessage } from './rows.ts'

const now = Date.parse('2026-11-20T05:00:00Z')
const minute = 60_000

const said = (seq: number, by: string, agoMs: number): ShownMessage => ({
  key: `${by}/${seq}`,
  id: String(seq),
  seq,
  clientMessageId: String(seq),
  sender: { id: by, username: by, avatar: null, role: by === 'an' ? 'admin' : 'player' },
  isOwn: by === 'toi',
  kind: 'text',
  content: 'x',
  isRetracted: false,
  isEdited: false,
  quoted: null,
  image: null,
  file: null,
  disputeId: null,
  sentAtMs: now - agoMs,
  delivery: 'sent',
  failure: null,
})

const told = (rows: readonly Row[]) =>
  rows.flatMap((row) => [...(row.divider ? [row.divider] : []), ...(row.startsUnread ? ['unread'] : []), row.key])

describe('rows of a conversation', () => {
  test('a divider stands before the first, between days and after more than an hour', () => {
    const messages = [
      said(1, 'an', 2 * 24 * 60 * minute),
      said(2, 'an', 24 * 60 * minute),
      said(3, 'an', 121 * minute),
      said(4, 'an', 61 * minute),
      said(5, 'an', 0),
    ]
    expect(told(rowsOf(messages, now, null))).toEqual([
      '18/11/2026 12:00',
      'an/1',
      'Hôm qua 12:00',
      'an/2',
      'Hôm nay 09:59',
      'an/3',
      'an/4',
      'Hôm nay 12:00',
      'an/5',
    ])
  })

  test('exactly one hour gets no divider', () => {
    expect(told(rowsOf([said(1, 'an', 60 * minute), said(2, 'an', 0)], now, null))).toHaveLength(3)
  })

  test('the unread line appears once, above the other person’s first unread message', () => {
    const messages = [said(1, 'an', 9), said(2, 'toi', 8), said(3, 'an', 7), said(4, 'an', 6)]
    expect(told(rowsOf(messages, now, 1)).slice(1)).toEqual(['an/1', 'toi/2', 'unread', 'an/3', 'an/4'])
    expect(told(rowsOf(messages, now, 4))).not.toContain('unread')
    expect(told(rowsOf(messages, now, null))).not.toContain('unread')
  })

  test('a run of messages by one person ends at another person, after five minutes and at a divider', () => {
    const messages = [
      said(1, 'an', 20 * minute),
      said(2, 'an', 16 * minute),
      said(3, 'an', 10 * minute),
      said(4, 'toi', 0),
    ]
    const runs = rowsOf(messages, now, null).map((row) => [row.isFirst, row.isLast])
    expect(runs).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ])
  })
})
