import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import type { ChatClient } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { makeForgeries, PRIVATE_EVENTS } from '#testing/attack/chat-forgeries.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { searchByWord } from './message-queries.ts'
import { insertMessage } from './store-message.ts'
import { searchKey } from '#domain/search-text.ts'

describe.each(testEngines)('customer care on the %s engine', (engine) => {
  const { db, app } = useApp(engine, { settings: { rateLimitFactor: 1000 } })
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [admin, colleague] = usePeople(db, 2, { role: 'admin', prefix: 'a' })

  const http = callsBelow(app, '/chat')
  const openWith = async (who: TestPlayer, other: TestPlayer): Promise<string> => {
    const reply = await http(who, 'POST', '/conversations', { participantId: other.id })
    expect(reply.status).toBe(200)
    return (reply.body.data as { _id: string })._id
  }
  const text = (conversationId: string, content: string, tempId: string = newId()) => ({
    conversationId,
    content,
    type: 'text',
    tempId,
  })
  const unreadIn = async (who: TestPlayer, conversationId: string): Promise<unknown> =>
    (await http(who, 'GET', '/conversations')).rows.find(({ _id }) => _id === conversationId)?.['unreadCount']

  test('a message reaches every socket of both sides once: the sender’s as sent, the others as received', async () => {
    const [mine, otherTab, theirs] = [await open(player), await open(player), await open(admin)]
    const conversationId = await openWith(player, admin)
    const sent = await mine.ask('send_message', text(conversationId, '  Xin chào  ', 't1'))
    expect(sent).toMatchObject({ ok: true, message: { content: 'Xin chào', seq: 1, type: 'text', conversationId } })
    await Promise.all([
      theirs.until('receive_message', 1),
      otherTab.until('receive_message', 1),
      mine.until('message_sent', 1),
    ])
    // An answer in the other direction arrives after everything that was emitted before it.
    await theirs.ask('send_message', text(conversationId, 'Chào bạn', 't2'))
    await Promise.all([
      mine.until('receive_message', 1),
      otherTab.until('receive_message', 2),
      theirs.until('message_sent', 1),
    ])
    const heard = (client: ChatClient) => [
      client.told('message_sent').map(({ tempId }) => tempId),
      client.told('receive_message').map(({ clientMessageId }) => clientMessageId),
    ]
    expect(heard(mine)).toEqual([['t1'], ['t2']])
    expect(heard(otherTab)).toEqual([[], ['t1', 't2']])
    expect(heard(theirs)).toEqual([['t2'], ['t1']])
    expect(mine.told('message_sent')[0]).toMatchObject({ tempId: 't1', message: { content: 'Xin chào' } })
    expect(theirs.told('receive_message')[0]).toMatchObject({
      senderId: { _id: player.id, username: player.username, role: 'USER' },
      readBy: [player.id],
      clientMessageId: 't1',
    })
    expect(theirs.told('receive_message')[0]).not.toHaveProperty('tempId')
    expect(theirs.told('conversation_created').at(-1)).toMatchObject({
      participants: [{ _id: player.id }, { _id: admin.id }],
      unreadCount: 1,
      isActive: true,
    })
    // A message that a socket sent counts as delivered to that socket.
    expect(await theirs.ask('mark_as_read', { conversationId })).toMatchObject({ readSeq: 2 })
    expect((await db.query('select 1 from chat_outbox')).rowCount).toBe(0)
  })

  test('a repeat is confirmed to the socket that repeats it, and emitted to nobody else', async () => {
    const [mine, otherTab, theirs] = [await open(player), await open(player), await open(admin)]
    const conversationId = await openWith(player, admin)
    const message = text(conversationId, 'a', 'r1')
    const first = await mine.ask('send_message', message)
    await Promise.all([theirs.until('receive_message', 1), otherTab.until('receive_message', 1)])
    // The tab that received the message sends it again, like a page that was reloaded before the answer arrived.
    expect(await otherTab.ask('send_message', message)).toEqual(first)
    await otherTab.until('message_sent', 1)
    await theirs.ask('send_message', text(conversationId, 'b', 'r2'))
    await Promise.all([mine.until('receive_message', 1), otherTab.until('receive_message', 2)])
    const counts = [mine, otherTab, theirs].map((client) => [
      client.told('message_sent').length,
      client.told('receive_message').length,
    ])
    expect(counts).toEqual([
      [1, 1],
      [1, 2],
      [1, 1],
    ])
  })

  test('the same tempId many times at once is one row and equal answers', async () => {
    const [one, two] = [await open(player), await open(player)]
    const conversationId = await openWith(player, admin)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).ask('send_message', text(conversationId, 'a', 'same')),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.ok).toBe(true)
    expect((await db.query('select 1 from messages')).rowCount).toBe(1)
  })

  test('the first message creates its conversation, the same one when both sides write at once', async () => {
    const [mine, theirs] = [await open(player), await open(admin)]
    const first = { receiverId: admin.id, content: 'a', type: 'text', tempId: 'f1' }
    const [a, b, c] = await Promise.all([
      mine.ask('send_message', first),
      theirs.ask('send_message', { ...first, receiverId: player.id, tempId: 'f2' }),
      theirs.ask('create_conversation', { participantId: player.id }),
    ])
    const ids = [a, b].map(({ message }) => (message as WireData)['conversationId'])
    expect(new Set([...ids, (c.conversation as WireData)['_id']]).size).toBe(1)
    const { rows } = await db.query<{ seq: number }>('select seq from messages order by seq')
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('a first message that is not stored leaves no conversation', async () => {
    const mine = await open(player)
    const unstored = async (message: object, answer: object, to = admin) => {
      expect(await mine.ask('send_message', { receiverId: to.id, ...message })).toMatchObject(answer)
      expect((await db.query('select holder_id from conversations where holder_id = $1', [to.id])).rows).toEqual([])
    }
    const image = { type: 'image', content: '/api/v1/files/AAAAAAAAAAAAAAAAAAAAAAAAAAAA.png' }
    await unstored({ ...image, tempId: 'i1' }, { code: 'IMAGE_NOT_YOURS' })
    await unstored(
      { type: 'text', content: 'a', tempId: 'q1', quotedMessageId: newId() },
      { code: 'MESSAGE_NOT_FOUND' },
    )
    await mine.ask('send_message', { receiverId: admin.id, type: 'text', content: 'a', tempId: 'f1' })
    await unstored({ type: 'text', content: 'a', tempId: 'f1' }, { ok: true }, colleague)
  })

  test('markers never move back and never pass the last message, and the unread count follows them', async () => {
    const [mine, theirs] = [await open(player), await open(admin)]
    const conversationId = await openWith(player, admin)
    const ids: unknown[] = []
    for (const word of ['a', 'b', 'c']) {
      const { message } = await theirs.ask('send_message', text(conversationId, word))
      ids.push((message as WireData)['_id'])
    }
    await mine.until('receive_message', 3)
    expect(await unreadIn(player, conversationId)).toBe(3)
    const upTo = (upToMessageId?: unknown) => mine.ask('mark_as_read', { conversationId, upToMessageId })
    expect(await upTo(ids[1])).toMatchObject({ ok: true, readSeq: 2, unreadCount: 1, lastSeq: 3 })
    expect(await upTo(ids[0])).toMatchObject({ readSeq: 2 })
    expect(await upTo(newId())).toMatchObject({ readSeq: 2 })
    await theirs.until('message_read', 1)
    expect(theirs.told('message_read')).toMatchObject([
      { conversationId, readByUserId: player.id, upToMessageId: ids[1], seq: 2 },
    ])
    expect(theirs.told('message_read')[0]).not.toHaveProperty('unreadCount')
    // A socket without deliveries marks nothing as read; a socket with deliveries marks up to the last one.
    const fresh = await open(player)
    expect(await fresh.ask('mark_as_read', { conversationId })).toMatchObject({ readSeq: 2 })
    expect(await mine.ask('mark_as_read', { conversationId })).toMatchObject({ readSeq: 3, unreadCount: 0 })
    const listed = (await http(admin, 'GET', `/conversations/${conversationId}/messages`)).rows
    expect(listed.map(({ readBy }) => readBy)).toEqual(Array.from({ length: 3 }, () => [admin.id, player.id]))
  })

  test('pages, older and newer messages, and messages missed in all conversations', async () => {
    const mine = await open(player)
    const [first, second] = [await openWith(player, admin), await openWith(player, colleague)]
    for (let n = 1; n <= 35; n++) await mine.ask('send_message', text(first, `${n}`))
    await mine.ask('send_message', text(second, 'x'))
    const seqs = async (query: string) => {
      const { body, rows } = await http(player, 'GET', `/conversations/${first}/messages${query}`)
      return [rows.map(({ seq }) => seq as number), body.meta?.hasMore] as const
    }
    const [newest, hasMore] = await seqs('')
    expect([newest.length, newest[0], newest.at(-1), hasMore]).toEqual([30, 35, 6, true])
    expect(await seqs('?beforeSeq=6')).toEqual([[5, 4, 3, 2, 1], false])
    expect(await seqs('?afterSeq=10&limit=2')).toEqual([[12, 11], true])
    expect(await seqs('?page=2&limit=30')).toEqual([[5, 4, 3, 2, 1], false])
    const missed = await http(admin, 'POST', '/missed', { known: [{ conversationId: first, afterSeq: 33 }] })
    const data = missed.body.data as Record<string, readonly WireData[]>
    expect(data['messages']?.map(({ seq }) => seq)).toEqual([34, 35])
    expect(data).toMatchObject({ gone: [], hasMore: false, markers: [{ userId: admin.id }, { userId: player.id }] })
    const fresh = await http(player, 'POST', '/missed', { known: [{ conversationId: newId(), afterSeq: 0 }] })
    expect((fresh.body.data as { conversations: WireData[] }).conversations).toHaveLength(2)
    expect((await http(player, 'GET', '/unread')).body.data).toEqual({ conversations: 0, messages: 0 })
    expect((await http(admin, 'GET', '/unread')).body.data).toEqual({ conversations: 1, messages: 35 })
  })

  test('deleting hides a conversation for one side only; a later message brings back later messages', async () => {
    const [mine, theirs] = [await open(player), await open(admin)]
    const conversationId = await openWith(player, admin)
    await theirs.ask('send_message', text(conversationId, 'cũ'))
    expect((await http(player, 'DELETE', `/conversations/${conversationId}`)).body.data).toEqual({
      hiddenThroughSeq: 1,
    })
    await mine.until('conversation_removed', 1)
    expect((await http(player, 'GET', '/conversations')).rows).toEqual([])
    expect((await http(admin, 'GET', '/conversations')).rows).toHaveLength(1)
    await theirs.ask('send_message', text(conversationId, 'mới'))
    expect(await unreadIn(player, conversationId)).toBe(1)
    const { rows } = await http(player, 'GET', `/conversations/${conversationId}/messages`)
    expect(rows.map(({ content }) => content)).toEqual(['mới'])
  })

  test('what a holder deleted is there again for them once nobody or a colleague has held the conversation', async () => {
    const mine = await open(player)
    const conversationId = await openWith(player, admin)
    await mine.ask('send_message', text(conversationId, 'cũ'))
    const give = async (from: string, to: string) => {
      const { status } = await http(admin, 'POST', `/conversations/${conversationId}/holder`, { from, to })
      expect(status).toBe(200)
    }
    const read = async () =>
      (await http(admin, 'GET', `/conversations/${conversationId}/messages`)).rows.map(({ content }) => content)
    for (const other of [CARE_DESK.id, colleague.id]) {
      await http(admin, 'DELETE', `/conversations/${conversationId}`)
      expect(await read()).toEqual([])
      await give(admin.id, other)
      expect(await read()).toEqual(['cũ'])
      await give(other, admin.id)
      expect(await read()).toEqual(['cũ'])
      const { body } = await http(admin, 'GET', `/conversations/${conversationId}`)
      expect(body.data).toMatchObject({ hiddenThroughSeq: 0, unreadCount: 0, lastMessage: { content: 'cũ' } })
    }
  })

  test('claim and hand-over: one of two wins, and the old holder receives nothing more', async () => {
    const [third] = await createPlayers(db, 1, { role: 'admin', prefix: 't' })
    const [mine, theirs] = [await open(player), await open(admin)]
    const [ofColleague, ofThird] = [await open(colleague), await open(third)]
    const conversationId = await openWith(player, admin)
    await mine.ask('send_message', text(conversationId, 'a'))
    // One admin claims the conversation while it is handed to another. Either may come first in the database.
    const [claimed, handed] = await Promise.all([
      http(colleague, 'POST', `/conversations/${conversationId}/holder`, { from: admin.id, to: colleague.id }),
      http(admin, 'POST', `/conversations/${conversationId}/holder`, { from: admin.id, to: third.id }),
    ])
    const answers = [claimed, handed]
    const [holder, hers] = claimed.status === 200 ? [colleague, ofColleague] : [third, ofThird]
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'HOLDER_CHANGED' })
    await Promise.all([hers, theirs].map((client) => client.until('conversation_changed', 1)))
    await theirs.until('receive_message', 1)
    await mine.ask('send_message', text(conversationId, 'b'))
    await hers.until('receive_message', 1)
    expect(theirs.told('receive_message')).toHaveLength(1)
    expect(await theirs.ask('send_message', text(conversationId, 'c'))).toMatchObject({ code: 'HOLDER_CHANGED' })
    // The player opens another conversation with the first admin, so claiming this one back is refused.
    await openWith(player, admin)
    const back = { from: holder.id, to: admin.id }
    const refused = await http(admin, 'POST', `/conversations/${conversationId}/holder`, back)
    expect(refused).toMatchObject(refusedWith('HOLDER_HAS_ONE'))
    const acts = await db.query<{ act: string }>('select act from audit_log')
    expect(acts.rows).toEqual([{ act: expect.stringMatching(/^chat\.(claim|hand-over)$/) }])
  })

  test('the holder before is told who claimed it, without a message of it; one without care only loses it', async () => {
    const [mine, theirs, ofColleague] = [await open(player), await open(admin), await open(colleague)]
    const conversationId = await openWith(player, admin)
    await mine.ask('send_message', text(conversationId, 'a'))
    const give = (who: TestPlayer, from: TestPlayer, to: TestPlayer) =>
      http(who, 'POST', `/conversations/${conversationId}/holder`, { from: from.id, to: to.id })
    expect((await give(colleague, admin, colleague)).status).toBe(200)
    await Promise.all([theirs, ofColleague].map((client) => client.until('conversation_changed', 1)))
    expect(theirs.told('conversation_changed')).toMatchObject([
      { _id: conversationId, participants: [{ _id: player.id }, { _id: colleague.id }], lastMessage: null },
    ])
    expect(theirs.told('conversation_removed')).toEqual([])
    const before = ofColleague.told('conversation_changed').length
    await db.query(`update users set capabilities = array_remove(capabilities, 'care') where id = $1`, [colleague.id])
    expect((await give(admin, colleague, admin)).status).toBe(200)
    await ofColleague.until('conversation_removed', 1)
    expect(ofColleague.told('conversation_removed')).toEqual([{ conversationId, throughSeq: null }])
    expect(ofColleague.told('conversation_changed')).toHaveLength(before)
  })

  test('a message that is sent while the conversation changes holders is stored', async () => {
    const mine = await open(player)
    const conversationId = await openWith(player, admin)
    for (let n = 0; n < 10; n++) {
      const [from, to] = n % 2 === 0 ? [admin, colleague] : [colleague, admin]
      const [claimed, ...sent] = await Promise.all([
        http(to, 'POST', `/conversations/${conversationId}/holder`, { from: from.id, to: to.id }),
        ...[0, 1, 2].map(() => mine.ask('send_message', text(conversationId, 'a'))),
      ])
      expect([claimed.status, ...sent.map(({ ok, code }) => code ?? ok)]).toEqual([200, true, true, true])
    }
  })

  test('staff may read other holders’ conversations and see the customer’s data: both are in the audit log', async () => {
    const mine = await open(player)
    const conversationId = await openWith(player, admin)
    await mine.ask('send_message', text(conversationId, 'Chuyển khoản thế nào?'))
    const all = await http(colleague, 'GET', '/conversations?scope=all')
    expect(all.rows).toMatchObject([{ _id: conversationId, lastMessage: null, unreadCount: 0 }])
    expect((await http(colleague, 'GET', `/conversations/${conversationId}/messages`)).rows).toHaveLength(1)
    const customer = await http(admin, 'GET', `/conversations/${conversationId}/customer`)
    expect(customer.body.data).toMatchObject({ _id: player.id, score: 1000, bank: [] })
    expect((await db.query('select act from audit_log order by seq')).rows).toEqual([
      { act: 'chat.read' },
      { act: 'chat.customer' },
    ])
  })

  test('a search finds own messages, and for staff those of all, with or without accents; theirs are in the audit log', async () => {
    const mine = await open(player)
    const conversationId = await openWith(player, admin)
    await mine.ask('send_message', text(conversationId, 'Chuyển khoản 1.000.000 thế nào?', 's1'))
    await mine.ask('send_message', text(conversationId, `it's 100% \\ (ok) đúng_không A123456789`, 's2'))
    const find = async (who: TestPlayer, words: string) =>
      (await http(who, 'GET', `/search?text=${encodeURIComponent(words)}`)).rows.map(({ seq }) => seq)
    for (const [words, seqs] of [
      ['CHUYEN khoan', [1]],
      ['khoản 1.000', [1]],
      [`it's`, [2]],
      ['100% \\', [2]],
      ['dung_k', [2]],
      ['th', [1]],
      ['o', [2, 1]],
      ['nao khoan', [1]],
      ['khoan chuyen', [1]],
      ['khong ok', [2]],
      ['?', [1]],
      ['x', []],
      ['% k', [2, 1]],
    ] as const) {
      expect([words, await find(player, words)]).toEqual([words, seqs])
      expect([words, await find(colleague, words)]).toEqual([words, seqs])
    }
    const [stranger] = await createPlayers(db, 1, { prefix: 's' })
    expect(await find(stranger, 'khoan')).toEqual([])
    expect((await db.query(`select distinct actor, act, target from audit_log`)).rows).toEqual([
      { actor: colleague.id, act: 'chat.search', target: 'chat' },
    ])
    // Of messages that are no longer among the newest, whole words are found, and the last one from its beginning.
    const older = async (words: string) =>
      (await searchByWord(db, colleague.id, searchKey(words), 20)).map(({ seq }) => seq)
    expect(await older('KHOA')).toEqual([1])
    expect(await older('chuyen khoan 1.000')).toEqual([1])
    expect(await older('1.000 chuy')).toEqual([1])
    expect(await older('k')).toEqual([2, 1])
    for (const long of ['a123456', 'ok A1234567', 'a12345678', 'a123456789 ok'])
      expect([long, await older(long)]).toEqual([long, [2]])
    for (const none of ['hoan', 'chuy khoan', 'a12345678 ok', 'a1234567890', '?'])
      expect([none, await older(none)]).toEqual([none, []])
    await http(admin, 'DELETE', `/conversations/${conversationId}`)
    expect(await find(admin, 'khoan')).toEqual([])
    expect(await find(colleague, 'khoan')).toEqual([1])
  })

  describe('how far staff are with a conversation', () => {
    let mine: ChatClient
    let theirs: ChatClient
    let conversationId: string
    beforeEach(async () => {
      ;[mine, theirs] = [await open(player), await open(admin)]
      conversationId = await openWith(player, admin)
      await mine.ask('send_message', text(conversationId, 'Chào bạn', 'd1'))
    })
    const set = (who: TestPlayer, state: string, seenSeq: number, until: string | null = null) =>
      http(who, 'PUT', `/conversations/${conversationId}/state`, { state, seenSeq, until })
    const deskOf = async (who: TestPlayer) =>
      (await http(who, 'GET', `/conversations/${conversationId}`)).body.data as WireData | undefined
    const waiting = async (who: TestPlayer) =>
      (await http(who, 'GET', '/conversations?waiting=true')).rows.map(({ _id }) => _id)
    const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

    test('done ends the wait, and a message of the player opens it again and waits', async () => {
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN', snoozedUntil: null } })
      expect(await waiting(admin)).toEqual([conversationId])
      expect((await set(admin, 'DONE', 1)).body.data).toMatchObject({ desk: { state: 'DONE', waitingSince: null } })
      await theirs.until('conversation_changed', 1)
      expect(theirs.told('conversation_changed')).toMatchObject([{ desk: { state: 'DONE' } }])
      expect(await waiting(admin)).toEqual([])
      await theirs.ask('send_message', text(conversationId, 'Còn gì nữa không?', 'd2'))
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'DONE' } })
      await mine.ask('send_message', text(conversationId, 'Còn', 'd3'))
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN', waitingSince: expect.any(String) as string } })
      expect(await waiting(admin)).toEqual([conversationId])
      // One that a process of the version before stored opens it as well.
      await set(admin, 'DONE', 3)
      await db.query(`insert into conversations_waiting (conversation_id, since) values ($1, clock_timestamp())`, [
        conversationId,
      ])
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN' } })
    })

    test.runIf(engine === 'native')(
      'deleted while a message of the player is being stored, it waits for an answer to that (PostgreSQL only)',
      async () => {
        const storing = await holdOpen(db, async (tx) => {
          await tx.query(`select 1 from conversations where id = $1 for update`, [conversationId])
          await insertMessage(tx, {
            ...{ conversationId, seq: 2, messageId: newId(), senderId: player.id, clientMessageId: newId() },
            ...{ kind: 'text', content: 'Còn nữa', isFirst: false },
          })
        })
        const deleting = http(admin, 'DELETE', `/conversations/${conversationId}`)
        await Promise.race([deleting, new Promise((resolve) => setTimeout(resolve, 300))])
        await storing.commit()
        expect((await deleting).body.data).toEqual({ hiddenThroughSeq: 1 })
        expect(await waiting(admin)).toEqual([conversationId])
        expect(await unreadIn(admin, conversationId)).toBe(1)
      },
    )

    test('deleted as far as it was seen, it is there with what came since, and waits for an answer to that', async () => {
      await mine.ask('send_message', text(conversationId, 'Còn nữa', 'd2'))
      const { body } = await http(admin, 'DELETE', `/conversations/${conversationId}?throughSeq=1`)
      expect(body.data).toEqual({ hiddenThroughSeq: 1 })
      expect([await waiting(admin), await unreadIn(admin, conversationId)]).toEqual([[conversationId], 1])
      const { body: all } = await http(admin, 'DELETE', `/conversations/${conversationId}?throughSeq=9`)
      expect([all.data, await waiting(admin)]).toEqual([{ hiddenThroughSeq: 2 }, []])
    })

    test('who wait are read on by where a page ended, so that nobody is missed where others leave the list', async () => {
      const others = await createPlayers(db, 3, { prefix: 'w' })
      const ids = [conversationId]
      for (const one of others) {
        // oxlint-disable-next-line no-await-in-loop -- who wrote first waits longest
        ids.push(await openWith(one, admin))
        // oxlint-disable-next-line no-await-in-loop -- the same
        await (await open(one)).ask('send_message', text(ids.at(-1)!, 'Alo?', `w${ids.length}`))
      }
      const read = async (filter: string, after?: string) => {
        const { rows, body } = await http(
          admin,
          'GET',
          `/conversations?limit=2&${filter}${after === undefined ? '' : `&after=${after}`}`,
        )
        const { next, total } = body['meta'] as { next?: string; total: number }
        return { ids: rows.map(({ _id }) => _id), next, total }
      }
      const open4 = await read('state=OPEN')
      expect(await read('state=OPEN', open4.next)).toEqual({ ids: ids.slice(0, 2).toReversed(), total: 4 })
      const first = await read('waiting=true')
      expect(first).toMatchObject({ ids: ids.slice(0, 2), total: 4 })
      await set(admin, 'DONE', 1)
      expect(await read('waiting=true', first.next)).toEqual({ ids: ids.slice(2), total: 3 })
      for (const wrong of ['1', `1_${newId()}x`, 'x_' + newId()])
        expect((await http(admin, 'GET', `/conversations?after=${wrong}`)).status).toBe(400)
    })

    test('a snoozed one waits for nobody until its time, and a message of the player ends it', async () => {
      expect((await set(admin, 'SNOOZED', 1, inAnHour())).status).toBe(200)
      expect(await deskOf(admin)).toMatchObject({
        desk: { state: 'SNOOZED', snoozedUntil: expect.any(String) as string },
      })
      expect(await waiting(admin)).toEqual([])
      await db.query(`update conversations set snoozed_until = clock_timestamp() where id = $1`, [conversationId])
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN', snoozedUntil: null } })
      expect(await waiting(admin)).toEqual([conversationId])
      await set(admin, 'SNOOZED', 1, inAnHour())
      await mine.ask('send_message', text(conversationId, 'Xong chưa?', 'd4'))
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN', snoozedUntil: null } })
    })

    test('finds conversations, for staff alone; a snooze that is over is an open one', async () => {
      const listed = async (state: string) =>
        (await http(admin, 'GET', `/conversations?state=${state}`)).rows.map(({ _id }) => _id)
      const found = async () => [await listed('OPEN'), await listed('SNOOZED'), await listed('DONE')]
      expect(await found()).toEqual([[conversationId], [], []])
      await set(admin, 'SNOOZED', 1, inAnHour())
      expect(await found()).toEqual([[], [conversationId], []])
      await db.query(`update conversations set snoozed_until = clock_timestamp() where id = $1`, [conversationId])
      expect(await found()).toEqual([[conversationId], [], []])
      await set(admin, 'DONE', 1)
      expect(await found()).toEqual([[], [], [conversationId]])
      expect((await http(colleague, 'GET', '/conversations?state=DONE')).rows).toEqual([])
      expect(await http(player, 'GET', '/conversations?state=DONE')).toMatchObject(refusedWith('FORBIDDEN'))
    })

    test('is its holder’s to say, who saw the last message, and no player gets it', async () => {
      await mine.ask('send_message', text(conversationId, 'Alo?', 'd5'))
      expect(await set(admin, 'DONE', 1)).toMatchObject(refusedWith('NEW_MESSAGE'))
      expect(await set(admin, 'SNOOZED', 1, inAnHour())).toMatchObject(refusedWith('NEW_MESSAGE'))
      expect(await set(colleague, 'DONE', 2)).toMatchObject(refusedWith('HOLDER_CHANGED'))
      expect(await set(player, 'DONE', 2)).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await set(admin, 'SNOOZED', 2)).toMatchObject(refusedWith('SNOOZE_INVALID'))
      expect(await set(admin, 'DONE', 2, inAnHour())).toMatchObject(refusedWith('SNOOZE_INVALID'))
      expect(await http(player, 'GET', '/conversations?waiting=true')).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await deskOf(admin)).toMatchObject({ desk: { state: 'OPEN' } })
      await set(admin, 'DONE', 2)
      expect(await deskOf(player)).not.toHaveProperty('desk')
      expect((await http(player, 'GET', '/conversations')).rows[0]).not.toHaveProperty('desk')
      await theirs.ask('send_message', text(conversationId, 'a', 'd6'))
      await mine.until('receive_message', 1)
      expect(
        JSON.stringify([...mine.told('conversation_created'), ...mine.told('conversation_changed')]),
      ).not.toContain('desk')
    })

    test('each change of state or holder is later than what was before, also where the clock was set back', async () => {
      await db.query(`update conversations set updated_at = clock_timestamp() + interval '1 hour'`)
      const at = async () => Date.parse(String((await deskOf(admin))?.['updatedAt']))
      const before = await at()
      expect((await set(admin, 'DONE', 1)).status).toBe(200)
      const done = await at()
      const over = { from: admin.id, to: colleague.id }
      expect((await http(admin, 'POST', `/conversations/${conversationId}/holder`, over)).status).toBe(200)
      expect([done > before, (await at()) > done]).toEqual([true, true])
    })

    test('a message and “Xong” at the same moment: either order, never a lost message in “Xong”', async () => {
      for (let round = 0; round < 12; round++) {
        const { lastSeq } = (await deskOf(admin)) as { lastSeq: number }
        const [, done] = await Promise.all([
          mine.ask('send_message', text(conversationId, `tin ${round}`)),
          set(admin, 'DONE', lastSeq),
        ])
        // Whichever was first: what the player wrote is open and waits.
        expect([done.status, await deskOf(admin), await waiting(admin)]).toMatchObject([
          expect.toBeOneOf([200, 409]) as number,
          { desk: { state: 'OPEN' }, lastSeq: lastSeq + 1 },
          [conversationId],
        ])
      }
    })
  })

  test('when the holder is gone, the player’s message is refused with HOLDER_GONE and nothing is stored', async () => {
    const mine = await open(player)
    const conversationId = await openWith(player, admin)
    await db.query('update users set is_frozen = true where id = $1', [admin.id])
    expect(await mine.ask('send_message', text(conversationId, 'a', 'h1'))).toMatchObject({ code: 'HOLDER_GONE' })
    await mine.until('error', 1)
    expect(mine.told('error')).toMatchObject([{ tempId: 'h1', code: 'HOLDER_GONE', event: 'send_message' }])
    expect((await http(player, 'GET', '/users')).rows.map(({ _id }) => _id)).toEqual([colleague.id])
    expect((await http(player, 'GET', '/conversations')).rows).toMatchObject([{ isActive: false }])
    expect((await db.query('select 1 from messages')).rowCount).toBe(0)
  })

  test('an admin who is a player again reads nothing of what they held, and changes nothing of it', async () => {
    const conversationId = await openWith(player, admin)
    await (await open(player)).ask('send_message', text(conversationId, 'Chuyện riêng'))
    await db.query(`update users set role = 'player', capabilities = '{}' where id = $1`, [admin.id])
    const theirs = await open(admin)
    const seen = await Promise.all([
      http(admin, 'GET', '/conversations'),
      http(admin, 'GET', '/search?text=chuyen'),
      http(admin, 'GET', '/unread'),
      http(admin, 'POST', '/missed', { known: [{ conversationId, afterSeq: 0 }] }),
    ])
    expect(seen.map(({ body }) => body.data)).toMatchObject([
      [],
      [],
      { conversations: 0 },
      { conversations: [], messages: [], gone: [conversationId] },
    ])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/messages'],
      ['DELETE', ''],
    ] as const)
      expect([path, await http(admin, method, `/conversations/${conversationId}${path}`)]).toMatchObject([
        path,
        refusedWith('CONVERSATION_NOT_FOUND'),
      ])
    for (const name of ['join_room', 'mark_as_read', 'typing_start'] as const)
      expect([name, await theirs.ask(name, { conversationId })]).toMatchObject([
        name,
        { code: 'CONVERSATION_NOT_FOUND' },
      ])
  })

  test('an admin who is a player again hears nothing of what they held, and changes no message in it', async () => {
    const conversationId = await openWith(player, admin)
    const [mine, before] = [await open(player), await open(admin)]
    const idOf = async (sent: ReturnType<ChatClient['ask']>) => ((await sent).message as { _id: string })._id
    const theirs = await idOf(before.ask('send_message', text(conversationId, 'Chào bạn')))
    const asked = await idOf(mine.ask('send_message', text(conversationId, 'Chuyện riêng')))
    await db.query(`update users set role = 'player', capabilities = '{}' where id = $1`, [admin.id])
    const after = await open(admin)
    expect(await http(player, 'PUT', `/messages/${asked}`, { content: 'Chuyện khác' })).toMatchObject({ status: 200 })
    for (const name of ['typing_start', 'typing_stop', 'join_room', 'mark_as_read'] as const)
      expect(await mine.ask(name, { conversationId })).toMatchObject({ ok: true })
    const tagged = await http(colleague, 'PUT', `/conversations/${conversationId}/tags`, { add: ['gấp'], remove: [] })
    expect(tagged.status).toBe(200)
    expect(await http(admin, 'DELETE', `/messages/${theirs}`)).toMatchObject(refusedWith('MESSAGE_NOT_FOUND'))
    // This answer arrives after everything that was emitted before it.
    await after.ask('join_room', { conversationId })
    for (const name of PRIVATE_EVENTS) expect([name, after.told(name)]).toEqual([name, []])
  })

  test('forged ids and other people’s conversations are refused, and an eavesdropper receives nothing', async () => {
    const { port } = app.http.server.address() as AddressInfo
    const world = await makeForgeries(`http://127.0.0.1:${port}`, db)
    try {
      expect(world.forgeries.length).toBeGreaterThanOrEqual(66)
      const before = (await db.query('select 1 from messages')).rowCount
      for (const one of world.forgeries) expect([one.name, await one.tryIt()]).toEqual([one.name, one.code])
      expect((await db.query('select 1 from messages')).rowCount).toBe(before)
      await world.talk()
      // The only conversation the stranger receives is the one that the stranger opened.
      const own = world.eavesdropper.told('conversation_created').map(({ _id }) => _id)
      expect(own).toHaveLength(1)
      for (const name of PRIVATE_EVENTS.filter((one) => one !== 'conversation_created'))
        expect([name, world.eavesdropper.told(name)]).toEqual([name, []])
    } finally {
      world.close()
    }
  })

  test('presence counts sockets: admins’ presence goes to everybody, a player’s to admins', async () => {
    const theirs = await open(admin)
    const mine = await open(player)
    await expect
      .poll(() => theirs.told('user_online').map(({ userId }) => userId), { timeout: 5_000 })
      .toContain(player.id)
    const hers = await open(colleague)
    await expect
      .poll(() => mine.told('user_online').map(({ userId }) => userId), { timeout: 5_000 })
      .toContain(colleague.id)
    const usersOf = async () => (await http(player, 'GET', '/users')).rows.map(({ isOnline }) => isOnline)
    expect(await usersOf()).toEqual([true, true])
    hers.close()
    expect(await usersOf()).toEqual([true, true])
    expect(mine.told('user_offline')).toEqual([])
  })

  test('messages that a killed process left in the outbox are emitted by a sweep', async () => {
    const [mine, theirs] = [await open(player), await open(admin)]
    const conversationId = await openWith(player, admin)
    const { message } = await mine.ask('send_message', text(conversationId, 'a'))
    await db.query(
      `insert into chat_outbox (message_id, is_first, emit_after) values ($1, false, clock_timestamp() - interval '1 s')`,
      [(message as { _id: string })._id],
    )
    await theirs.until('receive_message', 2)
    expect(theirs.told('receive_message')[1]).toEqual(theirs.told('receive_message')[0])
    // A row is deleted after its event is emitted: the client may hear first.
    await expect.poll(async () => (await db.query('select 1 from chat_outbox')).rowCount).toBe(0)
  })

  test('the rate limit names itself and the tempId, and a repeat is not counted', async () => {
    const conversationId = await openWith(player, admin)
    // A rate limit of one message that refills far more slowly than this test runs.
    const slow = await buildTestApp(db, { settings: { rateLimitFactor: 0.01 } })
    await slow.http.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => slow.close())
    const quick = await open(player, slow)
    const send = (tempId: string) => quick.ask('send_message', text(conversationId, 'a', tempId))
    expect(await send('q0')).toMatchObject({ ok: true })
    for (const tempId of ['q1', 'q2']) {
      expect(await send(tempId)).toMatchObject({ code: 'SENDING_TOO_FAST', retryAfter: expect.any(Number) })
    }
    await quick.until('error', 2)
    expect(quick.told('error')).toMatchObject(
      ['q1', 'q2'].map((tempId) => ({ event: 'send_message', tempId, code: 'SENDING_TOO_FAST' })),
    )
    expect(await send('q0')).toMatchObject({ ok: true })
  })
})
