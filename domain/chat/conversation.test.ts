import { expect, test } from 'vitest'
import {
  canHold,
  CARE_DESK,
  type ChatAccount,
  cleanText,
  decideHolderChange,
  decideOpen,
  decideSend,
  MESSAGE_TEXT_MAX,
} from './conversation.ts'
import { searchKey } from '#domain/search-text.ts'

const account = (id: string, role: 'player' | 'admin', state: Partial<ChatAccount> = {}): ChatAccount => ({
  id,
  role,
  capabilities: role === 'admin' ? ['care'] : [],
  isFrozen: false,
  isDeleted: false,
  ...state,
})
const player = account('p', 'player')
const admin = account('a', 'admin')

test('a player opens a conversation with active staff, staff with players, and nobody with themselves', () => {
  const made = { ok: true, playerId: 'p', holderId: 'a' }
  expect([decideOpen(player, admin), decideOpen(admin, player)]).toEqual([made, made])
  const refused: ReadonlyArray<readonly [ChatAccount, ChatAccount | null, string]> = [
    [player, null, 'CHAT_NOT_ALLOWED'],
    [player, player, 'CHAT_NOT_ALLOWED'],
    [player, account('q', 'player'), 'CHAT_NOT_ALLOWED'],
    [player, account('a', 'admin', { isFrozen: true }), 'HOLDER_GONE'],
    [player, account('a', 'admin', { capabilities: ['money', 'owner'] }), 'HOLDER_GONE'],
    [player, account('a', 'admin', { isDeleted: true }), 'HOLDER_GONE'],
    [admin, account('b', 'admin'), 'CHAT_NOT_ALLOWED'],
    [admin, account('p', 'player', { isDeleted: true }), 'CHAT_NOT_ALLOWED'],
  ]
  for (const [self, other, refusal] of refused) expect(decideOpen(self, other)).toEqual({ ok: false, refusal })
})

test('only the player and the holder can send, and only while the holder is active staff', () => {
  const conversation = { playerId: 'p', holder: admin }
  const senders = [player, admin, account('x', 'player'), account('b', 'admin')]
  const answers = [null, null, 'CONVERSATION_NOT_FOUND', 'HOLDER_CHANGED']
  expect(senders.map((sender) => decideSend(sender, conversation))).toEqual(answers)
  const demoted = { playerId: 'p', holder: account('a', 'player') }
  expect([decideSend(player, demoted), canHold(null)]).toEqual(['HOLDER_GONE', false])
  const unheld = { playerId: 'p', holder: null }
  expect(senders.map((sender) => decideSend(sender, unheld))).toEqual([null, null, 'CONVERSATION_NOT_FOUND', null])
})

test('the holder changes by compare-and-set: staff claim a conversation, or its holder hands it over', () => {
  const held = { playerId: 'p', holderId: 'a' }
  const b = account('b', 'admin')
  expect(decideHolderChange('b', held, 'a', b)).toBeNull()
  expect(decideHolderChange('a', held, 'a', b)).toBeNull()
  expect(decideHolderChange('c', held, 'a', b)).toBe('FORBIDDEN')
  expect(decideHolderChange('b', held, 'z', b)).toBe('HOLDER_CHANGED')
  expect(decideHolderChange('a', held, 'a', account('b', 'admin', { isFrozen: true }))).toBe('HOLDER_GONE')
  const unheld = { playerId: 'p', holderId: CARE_DESK.id }
  expect(decideHolderChange('a', held, 'a', CARE_DESK)).toBeNull()
  expect(decideHolderChange('b', held, 'a', CARE_DESK)).toBe('FORBIDDEN')
  expect(decideHolderChange('b', unheld, CARE_DESK.id, b)).toBeNull()
  expect(decideHolderChange('a', unheld, CARE_DESK.id, b)).toBe('FORBIDDEN')
  expect(decideHolderChange('a', held, CARE_DESK.id, b)).toBe('HOLDER_CHANGED')
  // Its player, who is an admin by now.
  expect(decideHolderChange('p', unheld, CARE_DESK.id, account('p', 'admin'))).toBe('NOT_YOURSELF')
  expect(decideHolderChange('a', held, 'a', account('p', 'admin'))).toBe('HOLDER_GONE')
})

test('texts are trimmed, bounded and searchable without accents', () => {
  expect(cleanText('  Chào \n')).toBe('Chào')
  for (const bad of ['', ' \t\n', 'a\0', '\ud800', 'x'.repeat(MESSAGE_TEXT_MAX + 1)]) expect(cleanText(bad)).toBeNull()
  expect(cleanText('x'.repeat(MESSAGE_TEXT_MAX))).toHaveLength(MESSAGE_TEXT_MAX)
  expect(searchKey('Đặt Lệnh NẠP tiền')).toBe('dat lenh nap tien')
})
