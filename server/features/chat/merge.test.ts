import { beforeEach, describe, expect, test } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import type { ChatClient } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { testEngines } from '#testing/database/test-database.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { until } from '#testing/time/until.ts'
import { readTranscriptScope, writeTranscript } from './transcript.ts'

describe.each(testEngines)('a merge of two conversations on %s', (engine) => {
  const { db, app } = useApp(engine, { settings: { rateLimitFactor: 1000 } })
  const open = useClients(app)
  const [player, stranger] = usePeople(db, 2)
  const [an, binh] = usePeople(db, 2, { role: 'admin', prefix: 'a' })
  let mine: ChatClient
  let ans: ChatClient
  let binhs: ChatClient
  /** An's, and the one in the queue. */
  let own: string
  let queued: string
  beforeEach(async () => {
    ;[mine, ans, binhs] = await Promise.all([open(player), open(an), open(binh)])
    queued = (await say(mine, 'một, rút điểm', { receiverId: CARE_DESK.id })).conversationId
    own = (await say(mine, 'hai', { receiverId: an.id })).conversationId
  })

  const http = callsBelow(app, '/chat')
  async function say(client: ChatClient, content: string, to: object, more: object = {}) {
    const answer = await client.ask('send_message', { ...to, content, type: 'text', tempId: newId(), ...more })
    expect(answer).toMatchObject({ ok: true })
    return answer['message'] as { _id: string; conversationId: string; seq: number }
  }
  const merge = (who: TestPlayer, id: string, otherId: string) =>
    http(who, 'POST', `/conversations/${id}/merge`, { conversationId: otherId })
  const merged = async (): Promise<string> => {
    const { status, body } = await merge(an, own, queued)
    expect(status).toBe(200)
    return (body.data as { _id: string })._id
  }
  const textsOf = async (who: TestPlayer, id: string) =>
    (await http(who, 'GET', `/conversations/${id}/messages?limit=100`)).rows.toReversed().map(({ content }) => content)
  const conversationOf = async (who: TestPlayer, id: string) =>
    (await http(who, 'GET', `/conversations/${id}`)).body.data as WireData & { unreadCount: number }
  /** What a merge must not change. */
  const sent = async () =>
    (
      await db.query(
        `select id, sender_id, client_id, kind, content, search_key, dispute_id, sent_at from messages order by id`,
      )
    ).rows
  const rows = async (sql: string, ...values: string[]) => (await db.query(sql, values)).rows

  test('shows one thread by time to both sides, in which nothing was lost, doubled or changed', async () => {
    const first = await say(ans, 'ba', { conversationId: own })
    await say(mine, 'bốn', { conversationId: queued })
    await say(mine, 'năm', { conversationId: own }, { quotedMessageId: first._id })
    await http(player, 'PUT', `/messages/${(await say(mine, 'saú', { conversationId: queued }))._id}`, {
      content: 'sáu',
    })
    const before = await sent()
    const id = await merged()
    const expected = ['một, rút điểm', 'hai', 'ba', 'bốn', 'năm', 'sáu']
    for (const who of [player, an]) {
      expect(await textsOf(who, id)).toEqual(expected)
      // The ids of before lead there.
      for (const old of [own, queued]) {
        expect(await conversationOf(who, old)).toMatchObject({ _id: id, lastSeq: 6 })
        expect(await textsOf(who, old)).toEqual(expected)
      }
      const list = (await http(who, 'GET', '/conversations')).rows
      expect(list.map(({ _id }) => _id)).toEqual([id])
      expect(list[0]).toMatchObject({
        mergedFrom: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === [own, queued].toSorted().join()),
      })
      expect((await http(who, 'GET', '/search?text=rut')).rows).toMatchObject([{ conversationId: id, seq: 1 }])
      expect((await http(who, 'GET', '/search?text=sau')).rows).toMatchObject([{ conversationId: id, seq: 6 }])
    }
    expect(await sent()).toEqual(before)
    const page = (await http(player, 'GET', `/conversations/${id}/messages`)).rows
    expect(page[1]).toMatchObject({ content: 'năm', quoted: { seq: 3, content: 'ba' } })
    const transcript = await app.http.inject({
      method: 'GET',
      url: `/api/v1/chat/conversations/${queued}/transcript`,
      headers: { authorization: an.bearer },
    })
    const lines = transcript.body.split('\n').slice(3, -1)
    expect(expected.every((text, at) => lines[at]?.endsWith(text))).toBe(true)
    // Who was away gets the one for both, with what was changed.
    const known = [own, queued].map((conversationId) => ({ conversationId, afterSeq: 1 }))
    const { data } = (await http(player, 'POST', '/missed', { known })).body as { data: WireData }
    expect(data).toMatchObject({ gone: [own, queued], conversations: [{ _id: id, lastSeq: 6 }] })
    const missed = await http(player, 'POST', '/missed', { known: [{ conversationId: id, afterSeq: 6 }] })
    expect(missed.body.data).toMatchObject({ changed: [{ seq: 6, content: 'sáu' }] })
    // It is answered wherever it is in the list, once, and to nobody else.
    await db.query(
      `with others as (
         insert into users (id, username, username_key, password_hash)
         select gen_random_uuid(), 'other' || n, 'other' || n, '' from generate_series(1, 101) n returning id),
       later as (
         insert into conversations (id, player_id, holder_id, last_seq, last_activity)
         select gen_random_uuid(), id, $1, 1, now() + interval '1 hour' from others returning id)
       insert into conversation_members (conversation_id, user_id) select id, $1 from later`,
      [an.id],
    )
    const found = async (who: TestPlayer) => {
      const { conversations } = (await http(who, 'POST', '/missed', { known })).body.data as {
        conversations: WireData[]
      }
      return conversations.filter(({ _id }) => _id === id).length
    }
    expect(await Promise.all([an, player, binh, stranger].map(found))).toEqual([1, 1, 0, 0])
  })

  test('reaches open clients without a reload, takes what is sent to the ids of before, and is one act', async () => {
    const id = await merged()
    for (const client of [mine, ans, binhs]) {
      await client.until('conversation_changed', 1)
      expect(client.told('conversation_changed').at(-1)).toMatchObject({
        _id: id,
        mergedFrom: expect.arrayContaining([own, queued]),
      })
    }
    // Binh had it in the queue, and reads nothing of a colleague's.
    expect(binhs.told('conversation_changed').at(-1)).toMatchObject({ lastMessage: null, unreadCount: 0 })
    const seq = async (client: ChatClient, to: string) => await say(client, 'sau', { conversationId: to })
    expect(await seq(mine, own)).toMatchObject({ conversationId: id, seq: 3 })
    expect(await seq(mine, queued)).toMatchObject({ conversationId: id, seq: 4 })
    expect(await seq(ans, queued)).toMatchObject({ conversationId: id, seq: 5 })
    expect(await ans.ask('mark_as_read', { conversationId: own })).toMatchObject({ ok: true })
    expect(await mine.ask('join_room', { conversationId: queued })).toMatchObject({ ok: true, lastSeq: 5 })
    // Who types by an id of before is shown where the others are, and so is the end of it.
    for (const [event, told] of [
      ['typing_start', 'user_typing'],
      ['typing_stop', 'user_stop_typing'],
    ] as const) {
      expect(await ans.ask(event, { conversationId: queued })).toMatchObject({ ok: true })
      await mine.until(told, 1)
      expect(mine.told(told)).toMatchObject([{ conversationId: id, userId: an.id }])
    }
    // Asking again leads there, too, and the same merge changes nothing.
    expect((await say(mine, 'lại', { receiverId: CARE_DESK.id })).conversationId).toBe(id)
    for (const [a, b] of [
      [own, queued],
      [queued, own],
      [id, queued],
    ] as const)
      expect((await merge(an, a, b)).body.data).toMatchObject({ _id: id })
    expect(await rows(`select target, before, after from audit_log where act = 'chat.merge'`)).toEqual([
      {
        target: `conversation:${id}`,
        before: { kept: own, merged: queued, holder: null },
        after: { holder: an.id, messages: 2 },
      },
    ])
    // A later one leads all of them on.
    const later = (await http(player, 'POST', '/conversations', { participantId: binh.id })).body.data as WireData
    await say(binhs, 'Bình đây', { conversationId: String(later['_id']) })
    await http(binh, 'PUT', `/conversations/${String(later['_id'])}/state`, { state: 'DONE', until: null, seenSeq: 9 })
    const again = (await merge(an, own, String(later['_id']))).body.data as WireData
    expect(again['_id']).not.toBe(id)
    for (const old of [own, queued, id, String(later['_id'])])
      expect(await conversationOf(player, old)).toMatchObject({ _id: again['_id'], lastSeq: 7 })
    expect(await http(stranger, 'GET', `/conversations/${own}`)).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
  })

  test('tells a claim that was made by the id of before', async () => {
    const id = await merged()
    const released = await http(an, 'POST', `/conversations/${id}/holder`, { from: an.id, to: CARE_DESK.id })
    expect(released.status).toBe(200)
    await binhs.until('conversation_changed', 2)
    await say(ans, 'mình nhận', { conversationId: queued })
    await binhs.until('conversation_changed', 3)
    expect(binhs.told('conversation_changed').at(-1)).toMatchObject({
      _id: id,
      participants: [{ _id: player.id }, { _id: an.id }],
    })
  })

  test('ends a transcript that is being written with an error, never short of messages', async () => {
    const scope = await readTranscriptScope(db, own)
    if (scope === null) throw new Error('There is a conversation')
    await merged()
    const reading = writeTranscript(
      db,
      scope,
      async () => null,
      () => {},
    ).toArray()
    await expect(reading).rejects.toThrow('merged')
  })

  test('takes notes, tags, the wait and the case of both', async () => {
    const noteId = newId()
    const note = (id: string, text: string, as = newId()) =>
      http(an, 'POST', `/conversations/${id}/notes`, { noteId: as, text })
    await note(own, 'của An', noteId)
    await note(queued, '@' + binh.username + ' xem giúp')
    await http(an, 'PUT', `/conversations/${own}/tags`, { add: ['gấp', 'vip'], remove: [] })
    await http(an, 'PUT', `/conversations/${queued}/tags`, { add: ['vip', 'mới'], remove: [] })
    const [waited] = (await db.query<{ since: Date }>(`select min(since) as since from conversations_waiting`)).rows
    const id = await merged()
    for (const named of [own, id]) expect(await note(named, 'của An', noteId)).toMatchObject({ status: 200 })
    expect((await http(an, 'GET', `/conversations/${queued}/notes`)).rows.map(({ text }) => text)).toEqual([
      `@${binh.username} xem giúp`,
      'của An',
    ])
    expect((await http(binh, 'GET', `/conversations/${id}/notes`)).rows[0]).toMatchObject({ isNew: true })
    expect(await conversationOf(an, id)).toMatchObject({
      desk: {
        state: 'OPEN',
        topic: 'WITHDRAWAL',
        tags: ['gấp', 'mới', 'vip'],
        waitingSince: waited?.since.toISOString(),
      },
    })
    expect(await rows(`select conversation_id, topic, done_at from care_cases`)).toEqual([
      { conversation_id: id, topic: 'withdrawal', done_at: null },
    ])
    await say(ans, 'đây', { conversationId: id })
    expect(await rows(`select first_reply_by from care_cases`)).toEqual([{ first_reply_by: an.id }])
    expect(await rows(`select 1 from conversations_waiting`)).toEqual([])
  })

  test('goes on with the open case where the other one was done later', async () => {
    await http(binh, 'POST', `/conversations/${queued}/holder`, { from: CARE_DESK.id, to: binh.id })
    await http(binh, 'PUT', `/conversations/${queued}/state`, { state: 'DONE', until: null, seenSeq: 1 })
    const id = await merged()
    await say(mine, 'thêm', { conversationId: id })
    expect(await rows(`select done_at is null as is_open from care_cases order by done_at`)).toEqual([
      { is_open: false },
      { is_open: true },
    ])
    expect(
      (await http(an, 'PUT', `/conversations/${id}/state`, { state: 'DONE', until: null, seenSeq: 3 })).status,
    ).toBe(200)
    expect(await rows(`select 1 from care_cases where done_at is null`)).toEqual([])
    // What was seen of the other one says nothing of this one.
    expect(
      await http(an, 'PUT', `/conversations/${own}/state`, { state: 'DONE', until: null, seenSeq: 99 }),
    ).toMatchObject(refusedWith('NEW_MESSAGE'))
  })

  test('reads nothing for anybody, and hides nothing that a side saw', async () => {
    await say(ans, 'trả lời', { conversationId: own })
    await ans.ask('mark_as_read', { conversationId: own })
    await mine.ask('mark_as_read', { conversationId: own })
    expect(await conversationOf(an, own)).toMatchObject({ unreadCount: 0 })
    await http(player, 'DELETE', `/conversations/${queued}`)
    const id = await merged()
    // A seq of before says nothing about what was seen of both.
    const late = await http(player, 'DELETE', `/conversations/${queued}?throughSeq=1`)
    expect(late).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
    // The first one, of the queue, was read by nobody of staff.
    expect(await conversationOf(an, id)).toMatchObject({ readSeq: 0, unreadCount: 1 })
    expect(await textsOf(player, id)).toEqual(['hai', 'trả lời'])
    expect(await textsOf(an, id)).toEqual(['một, rút điểm', 'hai', 'trả lời'])
    expect(await conversationOf(player, id)).toMatchObject({ unreadCount: 0, hiddenThroughSeq: 1 })
  })

  test('a mark that arrives by an id of before reads nothing of the other conversation', async () => {
    await http(binh, 'POST', `/conversations/${queued}/holder`, { from: CARE_DESK.id, to: binh.id })
    await say(binhs, 'của Bình', { conversationId: queued })
    const { _id: seen } = await say(ans, 'của An', { conversationId: own })
    const done = { state: 'DONE', until: null, seenSeq: 9 }
    expect((await http(binh, 'PUT', `/conversations/${queued}/state`, done)).status).toBe(200)
    const id = await merged()
    // The player has seen An's message alone, of the conversation that was open.
    for (const upToMessageId of [seen, undefined])
      expect(await mine.ask('mark_as_read', { conversationId: own, upToMessageId })).toMatchObject({ ok: true })
    expect(await conversationOf(player, id)).toMatchObject({ unreadCount: 2 })
    expect(await mine.ask('mark_as_read', { conversationId: id, upToMessageId: seen })).toMatchObject({
      unreadCount: 0,
    })
  })

  test('counts as unread exactly what was unread in either, for both sides, whichever stands first', async () => {
    const unread = async (who: TestPlayer, id: string) => {
      const [{ unreadCount }, all, told] = await Promise.all([
        conversationOf(who, id),
        http(who, 'GET', '/unread'),
        callsBelow(app, '/user')(who, 'GET', '/notifications'),
      ])
      const { notifications } = told.body.data as { notifications: readonly WireData[] }
      const care = notifications.find(({ kind }) => kind === 'care')?.['care'] as { unreadCount: number } | undefined
      return [unreadCount, (all.body.data as { messages: number }).messages, care?.unreadCount ?? 0]
    }
    const read = async (client: ChatClient, conversationId: string) =>
      expect(await client.ask('mark_as_read', { conversationId })).toMatchObject({ ok: true })
    await http(binh, 'POST', `/conversations/${queued}/holder`, { from: CARE_DESK.id, to: binh.id })
    const talk = async (turn: number) => {
      await say(binhs, `Bình ${turn}`, { conversationId: queued })
      await say(ans, `An ${turn}`, { conversationId: own })
      await say(mine, `hỏi ${turn}`, { conversationId: own })
    }
    await talk(1)
    await talk(2)
    await read(binhs, queued)
    await read(mine, queued)
    const done = { state: 'DONE', until: null, seenSeq: 9 }
    expect((await http(binh, 'PUT', `/conversations/${queued}/state`, done)).status).toBe(200)
    // An has read nothing of their own, the player nothing of An's.
    expect(await unread(an, own)).toEqual([3, 3, 3])
    expect(await unread(player, own)).toEqual([2, 2, 2])
    let id = await merged()
    expect(await unread(an, id)).toEqual([3, 3, 3])
    expect(await unread(player, id)).toEqual([2, 2, 2])
    // What was seen is still said to be so, and another merge keeps all of it.
    const seen = async () =>
      (await http(player, 'GET', `/conversations/${id}/messages`)).rows
        .filter(({ readBy }) => (readBy as string[]).length > 1)
        .map(({ content }) => content)
        .toSorted()
    expect(await seen()).toEqual(['Bình 1', 'Bình 2', 'một, rút điểm'])
    own = id
    queued = String(
      ((await http(player, 'POST', '/conversations', { participantId: binh.id })).body.data as WireData)['_id'],
    )
    await say(mine, 'cuối', { conversationId: queued })
    await read(binhs, queued)
    expect((await http(binh, 'PUT', `/conversations/${queued}/state`, done)).status).toBe(200)
    id = await merged()
    expect(await unread(an, id)).toEqual([3, 3, 3])
    expect(await unread(player, id)).toEqual([2, 2, 2])
    expect(await seen()).toEqual(['Bình 1', 'Bình 2', 'cuối', 'một, rút điểm'])
    // A new holder has read as far as An, and reading on is counted by what is left.
    const all = (await http(player, 'GET', `/conversations/${id}/messages`)).rows
    const readTo = async (client: ChatClient, text: string) =>
      expect(
        await client.ask('mark_as_read', {
          conversationId: id,
          upToMessageId: all.find(({ content }) => content === text)?.['_id'],
        }),
      ).toMatchObject({ ok: true })
    await readTo(ans, 'hai')
    expect(await unread(an, id)).toEqual([2, 2, 2])
    await http(an, 'POST', `/conversations/${id}/holder`, { from: an.id, to: binh.id })
    expect(await unread(binh, id)).toEqual([2, 2, 2])
    await readTo(mine, 'cuối')
    await readTo(binhs, 'cuối')
    for (const who of [player, binh]) expect(await unread(who, id)).toEqual([0, 0, 0])
  })

  test('is refused where a colleague is not done with the other one, where one does not hold one’s own, and of two players', async () => {
    await http(binh, 'POST', `/conversations/${queued}/holder`, { from: CARE_DESK.id, to: binh.id })
    const held = await merge(an, own, queued)
    expect(held).toMatchObject({ status: 409, body: { code: 'MERGE_HELD', details: { holder: binh.username } } })
    expect(held.body['message']).toContain(`(${binh.username})`)
    expect(await merge(binh, own, queued)).toMatchObject(refusedWith('HOLDER_CHANGED'))
    const other = (await http(stranger, 'POST', '/conversations', { participantId: an.id })).body.data as WireData
    expect(await merge(an, own, String(other['_id']))).toMatchObject(refusedWith('MERGE_OTHER_PLAYER'))
    expect(await merge(an, own, newId())).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
    expect(await rows(`select 1 from merged_conversations`)).toEqual([])
    const listed = (await http(an, 'GET', `/conversations/${own}/customer/conversations`)).body.data as WireData[]
    expect(listed.map(({ _id }) => _id)).toEqual([own, queued])
    // A holder who answers no more is not asked.
    await db.query(`update users set is_frozen = true where id = $1`, [binh.id])
    expect((await merge(an, own, queued)).status).toBe(200)
  })

  test('is all for which the database lets a message have another place, and no message another word', async () => {
    const change = (set: string) => db.query(`update messages set ${set} where conversation_id = $1`, [own])
    await expect(change(`seq = 9`)).rejects.toThrow('append-only')
    await expect(
      db.query(`update messages set conversation_id = $2, seq = 9 where conversation_id = $1`, [own, queued]),
    ).rejects.toThrow('append-only')
    await db.query(`insert into merged_conversations (id, into_id) values ($1, $2)`, [own, queued])
    for (const set of [
      `content = 'x'`,
      `sender_id = gen_random_uuid()`,
      `sent_at = now()`,
      `id = gen_random_uuid()`,
      `quoted_seq = 1`,
    ])
      await expect(
        db.query(`update messages set conversation_id = $2, seq = 9, ${set} where conversation_id = $1`, [own, queued]),
      ).rejects.toThrow('append-only')
    await expect(db.query(`delete from messages where conversation_id = $1`, [own])).rejects.toThrow('append-only')
    await db.query(`update messages set conversation_id = $2, seq = 9 where conversation_id = $1`, [own, queued])
  })

  test('beside messages, changes, marks, notes, tags, done, claims and hand-overs at the same moment loses and doubles nothing', async () => {
    for (let turn = 0; turn < 6; turn++) {
      // oxlint-disable-next-line no-await-in-loop -- a merge after the other
      await collide(turn)
    }
  })

  test.runIf(engine === 'native')(
    'an act that the database ends, because it and another one wait for each other, is tried again (PostgreSQL only)',
    async () => {
      const [{ _id: message }, noteId] = [await say(mine, 'đổi', { conversationId: own }), newId()]
      const notes = `/conversations/${own}/notes`
      const noting = await metBy('conversations', own, an, () => http(an, 'POST', notes, { noteId, text: 'a' }))
      const changing = await metBy('messages', message, player, () =>
        http(player, 'PUT', `/messages/${message}`, { content: 'đã đổi' }),
      )
      expect([noting.status, changing.status]).toEqual([200, 200])
      expect(await rows('select content from conversation_notes')).toEqual([{ content: 'a' }])
      expect(await textsOf(an, own)).toEqual(['hai', 'đã đổi'])
    },
  )

  /** What a person's act answers that waits for a locked row while the transaction that locked it comes to wait for the person. */
  async function metBy<T>(table: string, id: string, who: TestPlayer, act: () => Promise<T>): Promise<T> {
    const locked = Promise.withResolvers<void>()
    const waited = Promise.withResolvers<void>()
    const holding = db.tx(async (tx) => {
      // The database ends whichever of the two looks for a circle first: the act.
      await tx.query(`set local deadlock_timeout = '1min'`)
      await tx.query(`select 1 from ${table} where id = $1 for update`, [id])
      locked.resolve()
      await waited.promise
      // The foreign keys of a new message or conversation lock their people so.
      await tx.query('select 1 from users where id = $1 for key share', [who.id])
    })
    await locked.promise
    const acting = act()
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until('the act waits', 5_000, async () => (await rows(waiting)).length > 0)
    waited.resolve()
    await holding
    return acting
  }

  async function collide(turn: number): Promise<void> {
    const known = await sent()
    const late = (await say(mine, `đổi ${turn}`, { conversationId: queued }))._id
    const sending = [mine, mine, ans, binhs].flatMap((client, at) =>
      [own, queued].map((id) =>
        client.ask('send_message', { conversationId: id, content: `${turn} ${at}`, type: 'text', tempId: newId() }),
      ),
    )
    const acting = [
      http(an, 'PUT', `/conversations/${own}/state`, { state: 'DONE', until: null, seenSeq: 99 }),
      http(binh, 'POST', `/conversations/${queued}/holder`, { from: CARE_DESK.id, to: binh.id }),
      http(an, 'POST', `/conversations/${own}/notes`, { noteId: newId(), text: `a ${turn}` }),
      http(an, 'POST', `/conversations/${queued}/notes`, { noteId: newId(), text: `b ${turn}` }),
      http(binh, 'PUT', `/conversations/${queued}/tags`, { add: [`t${turn}`], remove: [] }),
      http(player, 'PUT', `/messages/${late}`, { content: `đã đổi ${turn}` }),
      mine.ask('mark_as_read', { conversationId: own }),
      http(player, 'POST', '/conversations', { participantId: CARE_DESK.id }),
    ]
    const merging = await Promise.all([merge(an, own, queued), merge(an, queued, own), merge(an, own, queued)])
    const [stored, acted] = await Promise.all([Promise.all(sending), Promise.all(acting)])
    for (const answer of [...acted, ...merging]) if ('status' in answer) expect(answer.status).toBeLessThan(500)
    for (const { code } of stored) expect([undefined, 'HOLDER_CHANGED', 'HOLDER_HAS_ONE']).toContain(code)
    const now = await sent()
    expect(now).toHaveLength(known.length + 1 + stored.filter(({ ok }) => ok).length)
    expect(now).toEqual(expect.arrayContaining(known))
    // Every conversation's places are without holes, and everything is in one that is there.
    expect(
      await rows(`select c.id from conversations c left join messages m on m.conversation_id = c.id
        group by c.id having count(m.id) <> c.last_seq or coalesce(max(m.seq), 0) <> c.last_seq`),
    ).toEqual([])
    for (const table of ['messages', 'message_changes', 'conversation_notes', 'conversation_tags', 'care_cases'])
      expect(
        await rows(
          `select 1 from ${table} t where not exists (select from conversations c where c.id = t.conversation_id)`,
        ),
      ).toEqual([])
    expect(await rows(`select count(*)::int as n from conversation_notes`)).toEqual([{ n: 2 * (turn + 1) }])
    // The next turn begins with two again: one of An's and one in the queue.
    const [held] = await rows(`select id from conversations where holder_id = $1`, an.id)
    own = String(held?.['id'])
    const others = await rows(`select id from conversations where player_id = $1 and id <> $2`, player.id, own)
    for (const { id } of others) {
      await db.query(`update conversations set holder_id = null where id = $1`, [String(id)])
      await merge(an, own, String(id))
    }
    own = String((await rows(`select id from conversations where holder_id = $1`, an.id))[0]?.['id'])
    queued = newId()
    await db.query(`insert into conversations (id, player_id) values ($1, $2)`, [queued, player.id])
    await db.query(`insert into conversation_members (conversation_id, user_id) values ($1, $2)`, [queued, player.id])
  }
})
