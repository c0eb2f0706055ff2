import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANGE_WITHIN_MS } from './change.ts'
import type { ChatMessage, ChatUser, Conversation } from './conversation.ts'
import { draftKey, hasHole, isSeen, unreadOf } from './thread.ts'
import { listThreads, reduceChat, syncPoints, totalUnread } from './timeline.ts'
import { type ChatAction, type ChatState, emptyChat } from './chat-state.ts'

const user = (id: string, role: 'player' | 'admin'): ChatUser => ({
  id,
  username: id,
  avatar: null,
  role,
  isOnline: true,
  lastSeenAtMs: null,
})
const me = user('me', 'player')
const staff = user('staff', 'admin')
/** Half a dozen messages are sent while one can be changed. */
const gapMs = CHANGE_WITHIN_MS / 6
const edited = (before: ChatMessage, content: string, atMs = before.updatedAtMs + 1): ChatMessage => ({
  ...before,
  content,
  editedAtMs: atMs,
  updatedAtMs: atMs,
})
const message = (seq: number, sender: ChatUser, conversationId = 'c1'): ChatMessage => ({
  id: `${conversationId}-${seq}`,
  conversationId,
  seq,
  sender,
  clientMessageId: `t-${conversationId}-${seq}`,
  kind: 'text',
  content: `${seq}`,
  image: null,
  sentAtMs: seq * gapMs,
  createdAtMs: seq * gapMs,
  updatedAtMs: seq * gapMs,
  readerIds: [sender.id],
})
const all = (state: ChatState, ...actions: ChatAction[]): ChatState => actions.reduce(reduceChat, state)
const written = (clientMessageId: string, key = 'c1'): ChatAction => ({
  is: 'message-written',
  key,
  message: { clientMessageId, kind: 'text', content: 'x', writtenAtMs: 1, state: 'sending', reason: null },
})

/** The server's list, with which the reducer is compared. */
interface Model {
  readonly messages: readonly ChatMessage[]
  readonly readSeq: number
  readonly hiddenThroughSeq: number
}
const unreadIn = ({ messages, readSeq, hiddenThroughSeq }: Model, throughSeq: number): number =>
  messages.filter(
    ({ seq, sender }) => seq > Math.max(readSeq, hiddenThroughSeq) && seq <= throughSeq && sender.id !== me.id,
  ).length
const conversationOf = (model: Model): Conversation => ({
  id: 'c1',
  participants: [me, staff],
  lastMessage: model.messages.at(-1) ?? null,
  lastSeq: model.messages.length,
  lastActivityAtMs: model.messages.length * gapMs,
  createdAtMs: 0,
  updatedAtMs: 0,
  isActive: true,
  unreadCount: unreadIn(model, model.messages.length),
  readSeq: model.readSeq,
  peerReadSeq: 0,
  hiddenThroughSeq: model.hiddenThroughSeq,
})

describe('messages', () => {
  test('a written message is confirmed once, however often its confirmation arrives', () => {
    const own = { ...message(1, me), clientMessageId: 'mine' }
    const confirm: ChatAction = { is: 'messages-received', messages: [own] }
    const state = all(emptyChat('me'), written('mine'), confirm, confirm, written('mine'))
    expect(state.threads['c1']).toMatchObject({ pending: [], messages: [own] })
  })

  test('a refused message fails, and is sent again under a new id', () => {
    const refused = all(emptyChat('me'), written('a'), { is: 'message-refused', clientMessageId: 'a', reason: 'r' })
    expect(refused.threads['c1']?.pending).toMatchObject([
      { clientMessageId: 'failed_a', state: 'failed', reason: 'r' },
    ])
    const retried = reduceChat(refused, { is: 'message-retried', clientMessageId: 'failed_a', newClientMessageId: 'b' })
    expect(retried.threads['c1']?.pending).toMatchObject([{ clientMessageId: 'b', state: 'sending', reason: null }])
    const gone = reduceChat(retried, { is: 'message-discarded', clientMessageId: 'b' })
    expect(gone.threads['c1']?.pending).toEqual([])
  })

  test('the first message of a draft creates the conversation, which takes over the rest and stays open', () => {
    const draft = all(
      emptyChat('me'),
      { is: 'draft-opened', peer: staff },
      written('a', draftKey('staff')),
      written('b', draftKey('staff')),
    )
    expect(draft.openKey).toBe('new_staff')
    const first = { ...message(1, me), clientMessageId: 'a' }
    const told = reduceChat(draft, { is: 'messages-received', messages: [first] })
    expect(Object.keys(told.threads)).toEqual(['c1'])
    expect(told.openKey).toBe('c1')
    expect(told.threads['c1']).toMatchObject({ pending: [{ clientMessageId: 'b' }], peer: { id: 'staff' } })
    const created = reduceChat(draft, {
      is: 'conversations-received',
      conversations: [conversationOf({ messages: [first], readSeq: 0, hiddenThroughSeq: -1 })],
    })
    expect(created.openKey).toBe('c1')
    expect(created.threads['c1']?.pending).toHaveLength(2)
  })

  test('a row that was read before a message, and comes after it, does not undo what the message did for staff', () => {
    const before = { messages: [message(1, me)], readSeq: 1, hiddenThroughSeq: -1 }
    const desk = { state: 'open', snoozedUntilMs: null, waitingSinceMs: gapMs } as const
    const done = { ...desk, state: 'done', waitingSinceMs: null } as const
    const rows = (of: Model, as: NonNullable<Conversation['desk']>): ChatAction => ({
      is: 'conversations-received',
      conversations: [{ ...conversationOf(of), desk: as }],
    })
    const deskOf = (...actions: ChatAction[]) =>
      all(emptyChat('staff'), rows(before, desk), ...actions).threads['c1']?.conversation?.desk
    const second: ChatAction = { is: 'messages-received', messages: [message(2, me)] }
    const later = { ...before, messages: [message(1, me), message(2, me)] }
    const asked = { state: 'open', waitingSinceMs: 2 * gapMs }
    expect(deskOf(rows(before, done))).toEqual(done)
    expect(deskOf(rows(before, done), second)).toMatchObject(asked)
    expect(deskOf(second, rows(before, done))).toMatchObject(asked)
    // What was decided after the message stands.
    expect(deskOf(second, rows(later, done))).toEqual(done)
  })

  test('a deleted conversation ignores older messages, and comes back with later ones', () => {
    const model = { messages: [message(1, staff), message(2, staff)], readSeq: 0, hiddenThroughSeq: -1 }
    const conversations = [conversationOf(model)]
    const state = all(
      emptyChat('me'),
      { is: 'conversations-received', conversations },
      { is: 'page-loaded', conversationId: 'c1', messages: model.messages, hasOlder: false },
      { is: 'opened', key: 'c1' },
      { is: 'conversation-removed', conversationId: 'c1', throughSeq: 2 },
    )
    expect([state.threads, state.openKey]).toEqual([{}, null])
    const late = all(
      state,
      { is: 'messages-received', messages: [message(2, staff)] },
      { is: 'conversations-received', conversations },
    )
    expect(late.threads).toEqual({})
    const back = reduceChat(late, { is: 'messages-received', messages: [message(3, staff)] })
    expect([back.threads['c1']?.messages.map(({ seq }) => seq), totalUnread(back)]).toEqual([[3], 1])
  })

  test('the oldest page says that nothing is older; a newer page that arrives late does not change that', () => {
    const page = (seqs: readonly number[], hasOlder: boolean): ChatAction => ({
      is: 'page-loaded',
      conversationId: 'c1',
      messages: seqs.map((seq) => message(seq, staff)),
      hasOlder,
    })
    const newest = all(emptyChat('me'), page([4, 5, 6], true))
    expect(newest.threads['c1']?.hasOlder).toBe(true)
    const oldest = all(newest, page([1, 2, 3], false))
    expect(oldest.threads['c1']).toMatchObject({ hasOlder: false, firstSeq: 1 })
    expect(all(oldest, page([4, 5, 6], true)).threads['c1']?.hasOlder).toBe(false)
  })

  test('a conversation that another holder takes over disappears here, and comes back whole when claimed again', () => {
    const conversations = [conversationOf({ messages: [message(1, staff)], readSeq: 0, hiddenThroughSeq: -1 })]
    const lost = all(
      emptyChat('me'),
      { is: 'conversations-received', conversations },
      { is: 'conversation-removed', conversationId: 'c1', throughSeq: null },
    )
    expect(lost.threads).toEqual({})
    expect(Object.keys(reduceChat(lost, { is: 'conversations-received', conversations }).threads)).toEqual(['c1'])
  })

  test('an admin who deleted a conversation is told that a colleague took it, and has it whole once claimed back', () => {
    const desk = { state: 'open', snoozedUntilMs: null, waitingSinceMs: null } as const
    const own = { ...conversationOf({ messages: [message(1, me)], readSeq: 1, hiddenThroughSeq: 1 }), lastSeq: 2, desk }
    const ofColleague = { ...own, participants: [me, user('colleague', 'admin')] as const, hiddenThroughSeq: -1 }
    const receive = (conversation: Conversation): ChatAction => ({
      is: 'conversations-received',
      conversations: [conversation],
    })
    const page: ChatAction = { is: 'page-loaded', conversationId: 'c1', messages: [message(2, me)], hasOlder: false }
    const held = all(
      emptyChat('staff'),
      { is: 'conversation-removed', conversationId: 'c1', throughSeq: 1 },
      { is: 'messages-received', messages: [message(2, me)] },
      receive(own),
      page,
    )
    const taken = all(held, receive(ofColleague))
    expect(taken.threads['c1']?.conversation?.participants[1].id).toBe('colleague')
    // A list that was read before the deletion is outdated. The view of whoever claimed it back is not, whether or not
    // this client was told of the colleague.
    expect(all(held, receive({ ...own, hiddenThroughSeq: -1 }))).toBe(held)
    const given = receive({ ...own, hiddenThroughSeq: 0, updatedAtMs: 9 * gapMs })
    for (const before of [taken, held]) {
      const back = reduceChat(before, given)
      expect(back.threads['c1']).toMatchObject({ hasOlder: true, conversation: { participants: [me, staff] } })
      const whole = reduceChat(back, { ...page, messages: [message(1, me)] })
      expect(whole.threads['c1']).toMatchObject({ hasOlder: false, messages: [{ seq: 1 }, { seq: 2 }] })
      // It is outdated once the conversation is deleted again, until the next change of holder.
      const again = reduceChat(whole, { is: 'conversation-removed', conversationId: 'c1', throughSeq: 2 })
      expect(reduceChat(again, given)).toBe(again)
      const next = receive({ ...own, hiddenThroughSeq: 0, updatedAtMs: 10 * gapMs })
      expect(Object.keys(reduceChat(again, next).threads)).toEqual(['c1'])
      // A deletion that is told again, here of a thread that an unsent message keeps, changes nothing.
      const lately = { ...message(3, staff), sentAtMs: 12 * gapMs }
      const receiveLately: ChatAction = { is: 'messages-received', messages: [lately] }
      const removed: ChatAction = { is: 'conversation-removed', conversationId: 'c1', throughSeq: 3 }
      const kept = all(whole, receiveLately, written('t-unsent'), removed)
      expect(reduceChat(kept, removed)).toEqual(kept)
    }
  })

  test('a list that was read before a change of holder or state, and comes after it, undoes nothing', () => {
    const desk = { state: 'open', snoozedUntilMs: null, waitingSinceMs: 1 } as const
    const listed = { ...conversationOf({ messages: [message(1, me)], readSeq: 1, hiddenThroughSeq: -1 }), desk }
    const receive = (conversation: Conversation): ChatAction => ({
      is: 'conversations-received',
      conversations: [conversation],
    })
    const colleague = user('colleague', 'admin')
    const taken = { ...listed, participants: [me, colleague] as const, updatedAtMs: 2 * gapMs }
    const late = all(emptyChat('staff'), receive(listed), receive(taken), receive(listed))
    expect(late.threads['c1']).toMatchObject({ conversation: { participants: [me, colleague] }, peer: me })
    const done = { ...taken, desk: { ...desk, state: 'done', waitingSinceMs: null } as const, updatedAtMs: 3 * gapMs }
    const ended = all(late, receive(done), receive(taken))
    expect(ended.threads['c1']?.conversation?.desk?.state).toBe('done')
    // A later message is later whatever the clock says.
    const again = { ...taken, lastSeq: 2, updatedAtMs: gapMs }
    expect(reduceChat(ended, receive(again)).threads['c1']?.conversation?.desk?.state).toBe('open')
  })

  test('a change is kept in whatever order it comes, once, and for a page that is read before it and comes after', () => {
    const [first, second] = [message(1, staff), message(2, staff)]
    const changed = edited(first, 'mới')
    const change = (one: ChatMessage): ChatAction => ({ is: 'messages-changed', messages: [one] })
    const receive = (...messages: ChatMessage[]): ChatAction => ({ is: 'messages-received', messages })
    const conversations = [conversationOf({ messages: [first], readSeq: 0, hiddenThroughSeq: -1 })]
    const list: ChatAction = { is: 'conversations-received', conversations }
    const page: ChatAction = { is: 'page-loaded', conversationId: 'c1', messages: [first, second], hasOlder: false }
    for (const order of [
      [list, page, change(changed)],
      [list, change(changed), page],
      [change(changed), list, page],
      [list, page, change(changed), receive(first), page, list],
      [list, page, change(changed), change(edited(first, 'mới', first.updatedAtMs))],
    ])
      expect(all(emptyChat('me'), ...order).threads['c1']?.messages).toEqual([changed, second])
    const late = all(emptyChat('me'), list, change(edited(changed, 'mới nhất')), change(changed), list)
    expect(late.threads['c1']?.conversation?.lastMessage?.content).toBe('mới nhất')
    expect([late.threads['c1']?.messages, totalUnread(late)]).toEqual([[], 1])
    expect(all(late, change(edited(changed, 'mới nhất')))).toEqual(late)
    expect(all(late, page).threads['c1']?.messages[0]?.content).toBe('mới nhất')
  })

  test('ticks, typing, presence and order', () => {
    const state = all(
      emptyChat('me'),
      { is: 'messages-received', messages: [message(2, me), message(1, me), message(1, staff, 'c2')] },
      { is: 'markers-received', markers: [{ conversationId: 'c1', userId: 'staff', readSeq: 1 }] },
      { is: 'markers-received', markers: [{ conversationId: 'c1', userId: 'staff', readSeq: 0 }] },
      { is: 'typing-started', conversationId: 'c1', userId: 'staff', username: 'An' },
      { is: 'presence-changed', userId: 'staff', isOnline: false, lastSeenAtMs: 5 },
    )
    const thread = state.threads['c1']
    if (thread === undefined) throw new Error('The conversation is missing')
    expect(thread.messages.map((one) => [one.seq, isSeen(thread, one)])).toEqual([
      [1, true],
      [2, false],
    ])
    expect([thread.typing, state.presence['staff']?.isOnline]).toEqual([{ staff: 'An' }, false])
    expect(listThreads(state).map(({ key }) => key)).toEqual(['c1', 'c2'])
    const answered = reduceChat(state, { is: 'messages-received', messages: [message(3, staff)] })
    expect(answered.threads['c1']?.typing).toEqual({})
  })
})

test('however events are lost, repeated or delayed, after a sync the state is the server’s list', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ is: fc.constant('write' as const), byMe: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('read' as const), seq: fc.nat(40) }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('delete' as const) }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('list' as const) }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 6 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ is: fc.constant('change' as const), back: fc.nat(7), isRetracted: fc.boolean() }),
    },
  )
  const fates = fc.array(fc.record({ drop: fc.boolean(), twice: fc.boolean(), late: fc.nat(8) }), {
    minLength: 60,
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fates, fc.nat(40), (steps, fate, awayFrom) => {
      let model: Model = { messages: [], readSeq: 0, hiddenThroughSeq: -1 }
      const wire: Array<{ readonly at: number; readonly action: ChatAction }> = []
      let local = emptyChat('me')
      const say = (index: number, action: ChatAction, isCertain = false): void => {
        // From then on the client has no connection, until the sync.
        if (index >= awayFrom) return
        const { drop = false, twice = false, late = 0 } = fate[index % fate.length] ?? {}
        if (!drop || isCertain) wire.push({ at: index + late, action })
        if (twice) wire.push({ at: index + late + 3, action })
      }
      steps.forEach((one, index) => {
        if (one.is === 'write') {
          const next = message(model.messages.length + 1, one.byMe ? me : staff)
          model = { ...model, messages: [...model.messages, next] }
          say(index, { is: 'messages-received', messages: [next] })
        } else if (one.is === 'change') {
          const before = model.messages.at(-1 - one.back)
          const nowMs = Math.max(0, ...model.messages.map(({ updatedAtMs }) => updatedAtMs)) + 1
          if (before !== undefined && !before.isRetracted && nowMs < before.sentAtMs + CHANGE_WITHIN_MS) {
            const next = edited(before, one.isRetracted ? '' : `${before.content}!`, nowMs)
            const changed = one.isRetracted ? { ...next, isRetracted: true } : next
            model = { ...model, messages: model.messages.map((known) => (known === before ? changed : known)) }
            // The outbox tells a change for certain.
            say(index, { is: 'messages-changed', messages: [changed] }, true)
          }
        } else if (one.is === 'read') {
          const readSeq = Math.max(model.readSeq, Math.min(one.seq, model.messages.length))
          model = { ...model, readSeq }
          const throughSeq = model.messages.length
          const counted = { unreadCount: unreadIn(model, throughSeq), throughSeq }
          say(index, { is: 'read-by-self', conversationId: 'c1', readSeq, counted })
        } else if (one.is === 'delete') {
          const throughSeq = model.messages.length
          model = { ...model, hiddenThroughSeq: throughSeq, readSeq: Math.max(model.readSeq, throughSeq) }
          // The client's own action is answered over HTTP, and that answer is not lost.
          local = reduceChat(local, { is: 'conversation-removed', conversationId: 'c1', throughSeq })
        } else if (one.is === 'list')
          say(index, { is: 'conversations-received', conversations: [conversationOf(model)] })
        else {
          const visible = model.messages.filter(({ seq }) => seq > model.hiddenThroughSeq)
          const messages = visible.slice(-one.limit)
          say(index, { is: 'page-loaded', conversationId: 'c1', messages, hasOlder: visible.length > messages.length })
        }
        for (const { action } of wire.filter(({ at }) => at === index)) local = reduceChat(local, action)
      })
      for (const { action } of wire.filter(({ at }) => at >= steps.length)) local = reduceChat(local, action)

      // The sync: the client asks from the points that the reducer names, and the server's list answers.
      const points = syncPoints(local)
      const isListed = model.messages.length > model.hiddenThroughSeq
      if (isListed) local = reduceChat(local, { is: 'conversations-received', conversations: [conversationOf(model)] })
      for (const { conversationId, afterSeq } of points)
        local = all(
          local,
          {
            is: 'messages-received',
            messages: model.messages.filter(({ seq }) => seq > Math.max(afterSeq, model.hiddenThroughSeq)),
          },
          {
            is: 'messages-changed',
            messages: model.messages.filter(
              ({ seq, sentAtMs, updatedAtMs }) =>
                seq <= afterSeq &&
                seq > model.hiddenThroughSeq &&
                updatedAtMs > Math.max(sentAtMs, afterSeq * gapMs - CHANGE_WITHIN_MS),
            ),
          },
          { is: 'markers-received', markers: [{ conversationId, userId: 'me', readSeq: model.readSeq }] },
        )
      const thread = local.threads['c1']
      expect(thread === undefined && isListed).toBe(false)
      if (thread === undefined) return
      expect(hasHole(thread)).toBe(false)
      const from = thread.firstSeq ?? thread.messages[0]?.seq ?? model.messages.length + 1
      const visible = model.messages.filter(({ seq }) => seq > model.hiddenThroughSeq)
      if (thread.firstSeq !== null) expect(thread.messages).toEqual(visible.filter(({ seq }) => seq >= from))
      // A deleted conversation is on no list of the server's: nothing says how its hidden last message was changed.
      if (isListed)
        expect(thread.conversation?.lastMessage ?? null).toEqual(thread.conversation && (model.messages.at(-1) ?? null))
      // "Tải thêm tin nhắn" leads somewhere: it is gone once the oldest message is in the list.
      if (thread.messages.length > 0 && thread.messages[0]?.id === visible[0]?.id) expect(thread.hasOlder).toBe(false)
      expect(unreadOf(thread, 'me')).toBe(unreadIn(model, model.messages.length))
    }),
    { numRuns: 2_000 },
  )
})
