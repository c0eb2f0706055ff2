import { beforeEach, describe, expect, test } from 'vitest'
import { CHANGE_WITHIN_MS } from '#domain/chat/change.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import type { ChatClient } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

describe.each(testEngines)('changing a message on %s', (engine) => {
  const { db, app } = useApp(engine, { settings: { rateLimitFactor: 1000 } })
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [admin, colleague] = usePeople(db, 2, { role: 'admin', prefix: 'a' })
  let conversationId: string
  let mine: ChatClient
  let theirs: ChatClient
  beforeEach(async () => {
    ;[mine, theirs] = [await open(player), await open(admin)]
    conversationId = idOf((await http(player, 'POST', 'conversations', { participantId: admin.id })).body.data)
  })

  const idOf = (data: unknown) => (data as { _id: string })._id
  const http = callsBelow(app, '/chat/')
  const say = async (who: ChatClient, content: string, more: object = {}) => {
    const { message } = await who.ask('send_message', {
      conversationId,
      content,
      type: 'text',
      tempId: newId(),
      ...more,
    })
    return message as WireData & { _id: string }
  }
  const edit = (who: TestPlayer, id: string, content: string) => http(who, 'PUT', `messages/${id}`, { content })
  const retract = (who: TestPlayer, id: string) => http(who, 'DELETE', `messages/${id}`)
  const listed = async (who: TestPlayer) =>
    (await http(who, 'GET', `conversations/${conversationId}/messages`)).rows.toReversed()
  const find = async (who: TestPlayer, words: string) =>
    (await http(who, 'GET', `search?text=${encodeURIComponent(words)}`)).rows.map(({ seq }) => seq)
  const missed = async (who: TestPlayer, afterSeq: number) =>
    (await http(who, 'POST', 'missed', { known: [{ conversationId, afterSeq }] })).body.data as Record<
      'messages' | 'changed',
      WireData[]
    >
  /** A message that was sent this long ago. */
  const sentAgo = async (ms: number, seq: number): Promise<string> => {
    const id = newId()
    await db.query(
      `with bumped as (update conversations set last_seq = $2 where id = $1)
       insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
       values ($1, $2, $3, $4, $5, 'text', 'cũ', 'cu', clock_timestamp() - $6 * interval '1 ms')`,
      [conversationId, seq, id, player.id, id, ms],
    )
    return id
  }
  const stored = async () => (await db.query(`select content from messages order by seq`)).rows

  test('who has deleted a message is told of no change of it', async () => {
    const { _id: ofPlayer } = await say(mine, 'một')
    const { _id: ofAdmin } = await say(theirs, 'hai')
    await http(player, 'DELETE', `conversations/${conversationId}`)
    expect((await edit(admin, ofAdmin, 'ba')).status).toBe(200)
    await theirs.until('message_changed', 1)
    await http(admin, 'DELETE', `conversations/${conversationId}`)
    expect((await retract(player, ofPlayer)).status).toBe(200)
    await say(theirs, 'bốn')
    await mine.until('receive_message', 2)
    expect([mine, theirs].map((client) => client.told('message_changed').map(({ seq }) => seq))).toEqual([[], [2]])
  })

  test('both sides are told of an edit, read it everywhere, and find the new text alone; the first one stays stored', async () => {
    const { _id: id } = await say(mine, 'Số tài khoản cũ')
    const edited = await edit(player, id, '  Mã khách hàng ')
    expect(edited.body.data).toMatchObject({ _id: id, seq: 1, content: 'Mã khách hàng', type: 'text' })
    const { editedAt, updatedAt, sentAt } = edited.body.data as WireData
    expect(editedAt).toBe(updatedAt)
    expect(Date.parse(String(updatedAt))).toBeGreaterThan(Date.parse(String(sentAt)))
    await Promise.all([mine.until('message_changed', 1), theirs.until('message_changed', 1)])
    expect(theirs.told('message_changed')).toEqual([edited.body.data])
    for (const who of [player, admin]) {
      expect((await listed(who))[0]).toEqual(edited.body.data)
      expect((await http(who, 'GET', 'conversations')).rows[0]).toMatchObject({ lastMessage: edited.body.data })
      expect([await find(who, 'tai khoan'), await find(who, 'khach hang')]).toEqual([[], [1]])
    }
    // Again within the time, it replaces; the same text once more changes nothing.
    const again = await edit(player, id, 'Mã khách')
    expect(Date.parse(String((again.body.data as WireData)['updatedAt']))).toBeGreaterThan(
      Date.parse(String(updatedAt)),
    )
    expect((await edit(player, id, 'Mã khách')).body.data).toEqual(again.body.data)
    await theirs.until('message_changed', 2)
    expect(await stored()).toEqual([{ content: 'Số tài khoản cũ' }])
    expect((await db.query('select 1 from chat_outbox')).rowCount).toBe(0)
    expect((await db.query('select 1 from audit_log where act like $1', ['chat.r%'])).rowCount).toBe(0)
  })

  test('what was taken back is gone for both sides, and a search; the audit log keeps it', async () => {
    const { _id: id } = await say(theirs, 'LOI KIN')
    await edit(admin, id, 'LOI KIN HON')
    const { body } = await retract(admin, id)
    expect(body.data).toMatchObject({ _id: id, content: '', type: 'text', isRetracted: true, image: null })
    expect(body.data).not.toHaveProperty('editedAt')
    expect((await retract(admin, id)).body.data).toEqual(body.data)
    expect(await edit(admin, id, 'lại')).toMatchObject(refusedWith('MESSAGE_FIXED'))
    await mine.until('message_changed', 2)
    for (const who of [player, admin, colleague]) {
      expect(await listed(who)).toEqual([body.data])
      expect(await find(who, 'loi kin')).toEqual([])
    }
    const seen = [
      mine.told('message_changed').at(-1),
      await missed(player, 1),
      (await http(player, 'GET', 'conversations')).body,
    ]
    expect(JSON.stringify(seen)).not.toContain('LOI KIN')
    const { rows } = await db.query(`select actor, target, before, after from audit_log where act = 'chat.retract'`)
    expect(rows).toEqual([
      { actor: admin.id, target: `conversation:${conversationId}`, before: { message: 'LOI KIN HON' }, after: null },
    ])
    expect(await stored()).toEqual([{ content: 'LOI KIN' }])
  })

  test('only its sender changes a message, a text, in its time, where they may write', async () => {
    const [own, old, inTime] = [
      (await say(mine, 'a'))._id,
      await sentAgo(CHANGE_WITHIN_MS + 100, 2),
      await sentAgo(CHANGE_WITHIN_MS - 10_000, 3),
    ]
    for (const who of [admin, colleague]) {
      expect(await edit(who, own, 'b')).toMatchObject(refusedWith('MESSAGE_NOT_FOUND'))
      expect(await retract(who, own)).toMatchObject(refusedWith('MESSAGE_NOT_FOUND'))
    }
    for (const content of ['  ', 'b'.repeat(4_001)])
      expect(await edit(player, own, content)).toMatchObject(refusedWith('MESSAGE_INVALID'))
    expect(await edit(player, old, 'b')).toMatchObject(refusedWith('MESSAGE_TOO_OLD'))
    expect(await retract(player, old)).toMatchObject(refusedWith('MESSAGE_TOO_OLD'))
    expect((await edit(player, inTime, 'b')).status).toBe(200)
    const [ofDispute, picture] = [newId(), newId()]
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, dispute_id,
         image_width, image_height, image_thumbhash)
       values ($1, 4, $2::uuid, $4, 'case', 'text', 'a', 'a', $2::uuid, null::int, null::int, null),
         ($1, 5, $3, $4, 'picture', 'image', 'b', '', null, 1, 1, '')`,
      [conversationId, ofDispute, picture, player.id],
    )
    await db.query(`update conversations set last_seq = 5 where id = $1`, [conversationId])
    for (const id of [ofDispute, picture])
      expect(await edit(player, id, 'b')).toMatchObject(refusedWith('MESSAGE_FIXED'))
    expect(await retract(player, ofDispute)).toMatchObject(refusedWith('MESSAGE_FIXED'))
    // A colleague who holds it no more writes no more, and takes nothing back.
    const given = (await say(theirs, 'của mình'))._id
    await http(admin, 'POST', `conversations/${conversationId}/holder`, { from: admin.id, to: colleague.id })
    expect(await edit(admin, given, 'b')).toMatchObject(refusedWith('MESSAGE_NOT_FOUND'))
    await http(admin, 'POST', `conversations/${conversationId}/holder`, { from: colleague.id, to: admin.id })
    expect((await edit(admin, given, 'b')).status).toBe(200)
    await db.query(`update users set is_frozen = true where id = $1`, [player.id])
    expect(await retract(player, own)).toMatchObject({ status: 403 })
    expect((await listed(admin)).map(({ content }) => content)).toEqual(['a', 'cũ', 'b', 'a', 'b', 'b'])
  })

  test('who was away gets changes of what they have, and no others', async () => {
    const [first, second] = [await say(mine, 'một'), await say(mine, 'hai')]
    const old = await missed(admin, 2)
    expect([old.messages, old.changed]).toEqual([[], []])
    await edit(player, first._id, 'một!')
    await retract(player, second._id)
    await say(mine, 'ba')
    expect(await missed(admin, 2)).toMatchObject({
      messages: [{ content: 'ba', seq: 3 }],
      changed: [
        { content: 'một!', seq: 1 },
        { content: '', isRetracted: true, seq: 2 },
      ],
    })
    // What comes as missed has its newest text already.
    expect(await missed(admin, 1)).toMatchObject({
      messages: [{ isRetracted: true }, { content: 'ba' }],
      changed: [{ content: 'một!' }],
    })
    expect((await missed(colleague, 2)).changed).toEqual([])
    await http(admin, 'DELETE', `conversations/${conversationId}`)
    expect((await missed(admin, 3)).changed).toEqual([])
    // A later message, sent when none of them could be changed any more, ends it.
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
       values ($1, 4, $2, $3, 'x', 'text', 'a', 'a', clock_timestamp() + $4 * interval '1 ms')`,
      [conversationId, newId(), player.id, CHANGE_WITHIN_MS],
    )
    await db.query(`update conversations set last_seq = 4 where id = $1`, [conversationId])
    expect((await missed(player, 4)).changed).toEqual([])
    expect((await missed(player, 3)).changed).toHaveLength(2)
  })

  test('a change that no process told is told by the next sweep, as it is by then', async () => {
    const [told, replaced] = [await say(mine, 'một'), await say(mine, 'hai')]
    await theirs.until('receive_message', 2)
    for (const { _id: id } of [told, replaced]) {
      const changeId = newId()
      await db.query(
        `with changed as (insert into message_changes (message_id, id, conversation_id, content, search_key, changed_at)
           values ($1, $2, $3, 'đổi', 'doi', clock_timestamp()))
         insert into chat_outbox (message_id, is_first, emit_after) values ($2, false, clock_timestamp() + interval '1 s')`,
        [id, changeId, conversationId],
      )
    }
    await retract(player, replaced._id)
    await theirs.until('message_changed', 2, 10_000)
    await expect.poll(async () => (await db.query('select 1 from chat_outbox')).rowCount, { timeout: 10_000 }).toBe(0)
    expect(theirs.told('message_changed')).toMatchObject([
      { seq: 2, isRetracted: true },
      { seq: 1, content: 'đổi' },
    ])
    expect(theirs.told('receive_message')).toHaveLength(2)
  })

  test('an edit and a taking back at once end as taken back, and every client gets the later one last', async () => {
    for (let n = 0; n < 8; n++) {
      const { _id: id, seq } = await say(mine, `lần ${n}`)
      const answers = await Promise.all([
        edit(player, id, `sửa ${n}`),
        retract(player, id),
        edit(player, id, `sửa nữa ${n}`),
      ])
      expect(answers[1].status).toBe(200)
      expect(answers.every(({ status, body }) => status === 200 || body.code === 'MESSAGE_FIXED')).toBe(true)
      const end = (await listed(admin)).find((one) => one['seq'] === seq)
      expect(end).toMatchObject({ isRetracted: true, content: '' })
      await expect
        .poll(() =>
          theirs
            .told('message_changed')
            .filter((one) => one['seq'] === seq)
            .toSorted((a, b) => String(a['updatedAt']).localeCompare(String(b['updatedAt'])))
            .at(-1),
        )
        .toEqual(end)
    }
    expect((await db.query(`select 1 from audit_log where act = 'chat.retract'`)).rowCount).toBe(8)
  })

  test.runIf(engine === 'native')('the time that a change waits for another counts (PostgreSQL only)', async () => {
    const id = await sentAgo(CHANGE_WITHIN_MS - 700, 1)
    const taken = Promise.withResolvers<void>()
    const holding = db.tx(async (tx) => {
      await tx.query('select 1 from messages where id = $1 for update', [id])
      taken.resolve()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    })
    await taken.promise
    const late = edit(player, id, 'muộn')
    await holding
    expect(await late).toMatchObject(refusedWith('MESSAGE_TOO_OLD'))
    expect((await db.query('select 1 from message_changes')).rowCount).toBe(0)
  })

  test('a message answers another one of its conversation, as that reads now', async () => {
    const asked = await say(theirs, `${'đ'.repeat(150)} cuối`)
    const answer = await say(mine, 'Vâng', { quotedMessageId: asked._id })
    expect(answer).toMatchObject({
      quoted: { seq: 1, username: admin.username, type: 'text', content: 'đ'.repeat(140) },
    })
    expect(asked).not.toHaveProperty('quoted')
    await edit(admin, asked._id, 'Câu hỏi')
    expect((await listed(player))[1]).toMatchObject({ quoted: { content: 'Câu hỏi' } })
    await retract(admin, asked._id)
    expect((await listed(admin))[1]).toMatchObject({ quoted: { seq: 1, type: 'retracted', content: '' } })
    const [other] = await createPlayers(db, 1, { prefix: 'other' })
    const elsewhere = idOf((await http(other, 'POST', 'conversations', { participantId: admin.id })).body.data)
    const wrong = { conversationId: elsewhere, content: 'a', type: 'text', tempId: newId(), quotedMessageId: asked._id }
    expect(await theirs.ask('send_message', wrong)).toMatchObject({ ok: false, code: 'MESSAGE_NOT_FOUND' })
  })
})
