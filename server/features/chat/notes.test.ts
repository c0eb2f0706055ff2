import { beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow, refusedWith } from '#testing/app/app.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

describe.each(testEngines)('notes in a conversation on %s', (engine) => {
  const { db, app } = useApp(engine)
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [an, binh] = usePeople(db, 2, { role: 'admin', welcomePoints: 0, prefix: 'nv' })
  let conversationId: string
  beforeEach(async () => {
    const opened = await call(player, 'POST', '/chat/conversations', { participantId: an.id })
    conversationId = (opened.body.data as { _id: string })._id
  })

  const call = callsBelow(app, '')
  const notes = () => `/chat/conversations/${conversationId}/notes`
  const add = (who: TestPlayer, text: string, noteId: string = newId()) => call(who, 'POST', notes(), { noteId, text })
  const read = async (who: TestPlayer) => (await call(who, 'GET', notes())).rows
  const textsOf = async (who: TestPlayer) => (await read(who)).map(({ text }) => text)
  const seen = (who: TestPlayer, upTo: unknown) => call(who, 'POST', `${notes()}/read`, { upTo })
  const bellOf = async (who: TestPlayer) => {
    const { items } = (await call(who, 'GET', '/attention')).body.data as { items: Array<Record<string, unknown>> }
    return items.find(({ kind }) => kind === 'mention')
  }
  const giveTo = (from: TestPlayer, to: TestPlayer, note?: string) =>
    call(from, 'POST', `/chat/conversations/${conversationId}/holder`, { from: an.id, to: to.id, note })
  const acts = async () =>
    (
      await db.query<{ row: string }>(
        `select to_jsonb(a)::text as row from audit_log a where act = 'chat.note' and target = $1`,
        [`conversation:${conversationId}`],
      )
    ).rows

  test('are read by everybody with care, newest first; one that is sent again is the same note', async () => {
    const hears = await open(binh)
    const noteId = newId()
    const first = await add(an, '  Khách hay hỏi về phiên 60s ', noteId)
    expect(first.body.data).toMatchObject({
      _id: noteId,
      text: 'Khách hay hỏi về phiên 60s',
      author: { _id: an.id, username: an.username },
      mentions: [],
      isNew: false,
    })
    const again = await Promise.all([1, 2, 3].map(() => add(an, 'Khách hay hỏi về phiên 60s', noteId)))
    expect(again.map(({ body }) => body.data)).toEqual([1, 2, 3].map(() => first.body.data))
    expect((await add(binh, 'Đã gọi lại')).status).toBe(200)
    expect(await textsOf(binh)).toEqual(['Đã gọi lại', 'Khách hay hỏi về phiên 60s'])
    await hears.until('note_added', 1)
    expect(hears.told('note_added')[0]).toEqual({ conversationId })

    expect(await add(an, 'Khác', noteId)).toMatchObject(refusedWith('KEY_REUSED'))
    expect(await add(binh, 'Khách hay hỏi về phiên 60s', noteId)).toMatchObject(refusedWith('KEY_REUSED'))
    for (const text of ['', ' \n', 'x'.repeat(4_001)])
      expect(await add(an, text)).toMatchObject(refusedWith('CHAT_NOTE_INVALID'))
    expect(await textsOf(an)).toHaveLength(2)
    const rows = await acts()
    expect(rows).toHaveLength(2)
    expect(rows.map(({ row }) => row).join()).not.toContain('Khách hay hỏi')
    await expect(db.query(`update conversation_notes set content = 'x'`)).rejects.toThrow()
    await expect(db.query(`delete from conversation_notes`)).rejects.toThrow()
  })

  test('come page by page', async () => {
    for (const text of ['một', 'hai', 'ba']) await add(an, text)
    const { rows, body } = await call(an, 'GET', `${notes()}?page=2&limit=2`)
    expect(rows.map(({ text }) => text)).toEqual(['một'])
    expect(body.meta).toMatchObject({ total: 3, hasMore: false })
  })

  test('are for nobody without care, nor for whoever was the player of the conversation', async () => {
    await add(an, 'Chỉ cho chăm sóc')
    await db.query(`update users set capabilities = '{money,users,rounds,owner}' where id = $1`, [binh.id])
    for (const reply of [await call(binh, 'GET', notes()), await add(binh, 'x'), await seen(binh, newId())])
      expect(reply).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    await db.query(`update users set role = 'admin', capabilities = '{care}' where id = $1`, [player.id])
    expect(await call(player, 'GET', notes())).toMatchObject(refusedWith('NOT_YOURSELF'))
    expect(await add(player, 'x')).toMatchObject(refusedWith('NOT_YOURSELF'))
    await add(an, `@${player.username} cũng không được nhắc`)
    expect(await bellOf(player)).toBeUndefined()
  })

  test('ring the bell of whom they mention, until these say that they have seen them', async () => {
    const [reader] = await createPlayers(db, 1, { role: 'admin', prefix: 'doc', capabilities: ['money'] })
    const name = binh.username.toUpperCase()
    const { body } = await add(an, `@${name} xem giúp @${reader.username} @${an.username} @khongco a@${name}`)
    expect(body.data).toMatchObject({ mentions: [{ _id: binh.id, username: binh.username }] })
    expect(await bellOf(binh)).toMatchObject({
      count: 1,
      newest: [{ _id: conversationId, author: { _id: player.id, username: player.username } }],
    })
    for (const who of [an, reader]) expect(await bellOf(who)).toBeUndefined()
    const later = await add(an, `@${binh.username} thêm nữa`)
    expect(await bellOf(binh)).toMatchObject({ count: 1 })
    expect((await read(binh)).map(({ isNew }) => isNew)).toEqual([true, true])
    expect((await read(an)).map(({ isNew }) => isNew)).toEqual([false, false])

    expect(await seen(binh, newId())).toMatchObject(refusedWith('NOT_FOUND'))
    expect((await seen(an, (later.body.data as { _id: string })._id)).status).toBe(200)
    expect((await seen(binh, (body.data as { _id: string })._id)).status).toBe(200)
    // What came after the note that was seen stays new.
    expect((await read(binh)).map(({ isNew }) => isNew)).toEqual([true, false])
    expect((await seen(binh, (later.body.data as { _id: string })._id)).status).toBe(200)
    expect(await bellOf(binh)).toBeUndefined()
  })

  test('come with a hand-over and mention the new holder, or not at all', async () => {
    expect(await giveTo(an, binh, ' ')).toMatchObject(refusedWith('CHAT_NOTE_INVALID'))
    const [gone] = await createPlayers(db, 1, { role: 'admin', prefix: 'nghi', capabilities: [] })
    expect(await giveTo(an, gone, 'Nhờ bạn')).toMatchObject(refusedWith('HOLDER_GONE'))
    expect(await textsOf(an)).toEqual([])
    const hears = await open(binh)
    expect((await giveTo(an, binh, 'Khách cần đổi ngân hàng')).status).toBe(200)
    await hears.until('note_added', 1)
    expect(await read(binh)).toMatchObject([
      { text: 'Khách cần đổi ngân hàng', mentions: [{ _id: binh.id }], isNew: true },
    ])
    expect(await bellOf(binh)).toMatchObject({ count: 1 })
    // Handed over already: nothing is written twice.
    expect(await giveTo(an, binh, 'Khách cần đổi ngân hàng')).toMatchObject(refusedWith('HOLDER_CHANGED'))
    const claim = { from: binh.id, to: an.id, note: `Mình nhận lại, cảm ơn @${binh.username}` }
    for (let n = 0; n < 2; n++)
      expect((await call(an, 'POST', `/chat/conversations/${conversationId}/holder`, claim)).status).toBe(200)
    expect(await textsOf(an)).toEqual([claim.note, 'Khách cần đổi ngân hàng'])
    expect(await acts()).toHaveLength(2)
  })

  test('of two who claim with a note at once, one note stays', async () => {
    const [chi] = await createPlayers(db, 1, { role: 'admin', prefix: 'chi' })
    const replies = await Promise.all([giveTo(binh, binh, 'của Bình'), giveTo(chi, chi, 'của Chi')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await textsOf(an)).toEqual([replies[0]?.status === 200 ? 'của Bình' : 'của Chi'])
  })

  test('never reach their player: no call, event, search, push or notice has a word of them', async () => {
    const secret = `bimat${newId().replaceAll('-', '')}`
    const client = await open(player)
    const heard: string[] = []
    client.socket.onAny((...event: unknown[]) => heard.push(JSON.stringify(event)))
    const say = (text: string) =>
      client.ask('send_message', { conversationId, content: text, type: 'text', tempId: newId() })
    await say('Xin chào')
    const noteId = newId()
    await add(an, `${secret} @${binh.username}`, noteId)
    await giveTo(an, binh, `${secret} nhờ bạn`)
    const cares = await open(binh)
    await cares.ask('send_message', { conversationId, content: 'Chào bạn', type: 'text', tempId: newId() })
    await say(secret.slice(0, 5))

    const ids = [conversationId, noteId, player.id]
    const calls = Object.values(endpoints as Record<string, Endpoint>).flatMap(({ method, path }) =>
      method === 'GET' ? ids.map((id) => path.replace(/\{\w+\}/, id)) : [],
    )
    const answers = await Promise.all(
      [...new Set(calls), `/api/v1/chat/search?text=${secret}`, '/api/v1/chat/search?text=bimat'].map(async (path) => ({
        path,
        text: (await app.http.inject({ method: 'GET', url: path, headers: { authorization: player.bearer } })).body,
      })),
    )
    const missed = await call(player, 'POST', '/chat/missed', { known: [{ conversationId, afterSeq: 0 }] })
    expect(answers.length).toBeGreaterThan(100)
    const stored = await db.query<{ row: string }>(
      `select to_jsonb(q)::text as row from push_queue q union all select to_jsonb(n)::text from notices n
       union all select to_jsonb(m)::text from messages m`,
    )
    const found = [
      ...answers.filter(({ text }) => text.includes(secret)).map(({ path }) => path),
      // Search answers what was sent, and that alone.
      ...[JSON.stringify(missed.body), ...heard, ...stored.rows.map(({ row }) => row)].filter((text) =>
        text.includes(secret),
      ),
    ]
    expect(found).toEqual([])
    expect(heard.some((event) => event.includes('note_added'))).toBe(false)
    // The same looks find what is there to be found.
    expect(heard.some((event) => event.includes('Chào bạn'))).toBe(true)
    expect(answers.some(({ text }) => text.includes('Chào bạn'))).toBe(true)
    expect(await textsOf(binh)).toEqual([`${secret} nhờ bạn`, `${secret} @${binh.username}`])
  })
})
