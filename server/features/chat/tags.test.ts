import { beforeEach, describe, expect, test } from 'vitest'
import { TAGS_MAX } from '#domain/chat/tags.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow, refusedWith } from '#testing/app/app.ts'
import type { ChatClient } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

describe.each(testEngines)('beside the talk on %s', (engine) => {
  const { db, app } = useApp(engine, { settings: { rateLimitFactor: 1000 } })
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [holder, colleague] = usePeople(db, 2, { role: 'admin', prefix: 'a', welcomePoints: 0 })
  let conversationId: string
  beforeEach(async () => {
    const opened = await http(player, 'POST', '/conversations', { participantId: holder.id })
    conversationId = (opened.body.data as { _id: string })._id
  })
  /** Sockets of the player, the holder, a colleague, and an admin without `care`. */
  const openAll = async () => {
    const [money] = await createPlayers(db, 1, { role: 'admin', prefix: 'm', welcomePoints: 0 })
    await db.query(`update users set capabilities = '{money}' where id = $1`, [money.id])
    return Promise.all([open(player), open(holder), open(colleague), open(money)])
  }
  const http = callsBelow(app, '/chat')
  const tag = (who: TestPlayer, add: readonly string[], remove: readonly string[] = [], id = conversationId) =>
    http(who, 'PUT', `/conversations/${id}/tags`, { add, remove })
  const tagsFor = async (who: TestPlayer) =>
    ((await http(who, 'GET', `/conversations/${conversationId}`)).body.data as { desk?: { tags: string[] } }).desk?.tags
  const say = (client: ChatClient, content: string) =>
    client.ask('send_message', { conversationId, content, type: 'text', tempId: newId() })
  const acts = async () =>
    (await db.query(`select before, after from audit_log where act = 'chat.tags' order by seq`)).rows

  describe('tags', () => {
    test('are put on and taken away by anybody with care, are counted, and each change is an act', async () => {
      expect((await tag(holder, ['  Gấp', 'Hoàn điểm'])).body.data).toMatchObject({
        desk: { tags: ['gấp', 'hoàn điểm'] },
      })
      expect((await tag(colleague, ['vip'], ['GẤP'])).body.data).toMatchObject({ desk: { tags: ['hoàn điểm', 'vip'] } })
      expect(await tagsFor(holder)).toEqual(['hoàn điểm', 'vip'])
      // The same again is no act.
      await tag(colleague, ['vip'], ['gấp'])
      expect(await acts()).toEqual([
        { before: { tags: '' }, after: { tags: 'gấp, hoàn điểm' } },
        { before: { tags: 'gấp, hoàn điểm' }, after: { tags: 'hoàn điểm, vip' } },
      ])
      const [other] = await createPlayers(db, 1, { prefix: 'k' })
      const { body } = await http(other, 'POST', '/conversations', { participantId: holder.id })
      await tag(holder, ['vip'], [], (body.data as { _id: string })._id)
      expect((await http(colleague, 'GET', '/tags')).rows).toEqual([
        { tag: 'vip', conversations: 2 },
        { tag: 'hoàn điểm', conversations: 1 },
      ])
    })

    test('that are none, one too many, and those of no conversation are refused; nothing changes', async () => {
      for (const name of ['  ', 'a'.repeat(31), '\u200B'])
        expect(await tag(holder, ['được', name])).toMatchObject(refusedWith('TAG_INVALID'))
      const full = Array.from({ length: TAGS_MAX }, (_, at) => `t${at}`)
      expect((await tag(holder, full)).status).toBe(200)
      expect(await tag(colleague, ['mới'])).toMatchObject(refusedWith('TOO_MANY_TAGS'))
      expect(await tagsFor(holder)).toEqual(full)
      expect((await tag(holder, [...full, 'mới'])).status).toBe(400)
      expect(await tag(holder, ['a'], [], newId())).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
      expect(await acts()).toHaveLength(1)
    })

    test('of two who change them at once both keep theirs, and never more than ten', async () => {
      const names = Array.from({ length: TAGS_MAX + 4 }, (_, at) => `n${at}`)
      const answers = await Promise.all(names.map((name, at) => tag(at % 2 === 0 ? holder : colleague, [name])))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(TAGS_MAX)
      const known = await tagsFor(colleague)
      expect(known).toHaveLength(TAGS_MAX)
      await Promise.all(known!.map((name) => tag(holder, [], [name])))
      expect(await tagsFor(holder)).toEqual([])
    })

    test('find conversations, of oneself and of all; the unknown finds none', async () => {
      await say(await open(player), 'Alo')
      await tag(colleague, ['Gấp'])
      const found = async (who: TestPlayer, query: string) =>
        (await http(who, 'GET', `/conversations?${query}`)).rows.map(({ _id }) => _id)
      const asked = encodeURIComponent(' gấp ')
      expect(await found(holder, `tag=${asked}`)).toEqual([conversationId])
      expect(await found(colleague, `tag=${asked}`)).toEqual([])
      expect(await found(colleague, `scope=all&tag=${asked}`)).toEqual([conversationId])
      expect(await found(holder, `waiting=true&tag=${asked}`)).toEqual([conversationId])
      for (const none of ['khác', ' ', '%25']) expect(await found(colleague, `scope=all&tag=${none}`)).toEqual([])
    })

    test('reach every colleague at once, the holder with what is theirs, and no player in any way', async () => {
      const [mine, theirs, hers] = [await open(player), await open(holder), await open(colleague)]
      await say(mine, 'Alo')
      await theirs.until('receive_message', 1)
      await tag(colleague, ['gấp'])
      await Promise.all([theirs.until('conversation_changed', 1), hers.until('conversation_changed', 1)])
      const desk = expect.objectContaining({ tags: ['gấp'] }) as object
      expect(theirs.told('conversation_changed')).toMatchObject([
        { desk, unreadCount: 1, lastMessage: { content: 'Alo' } },
      ])
      expect(hers.told('conversation_changed')).toMatchObject([{ desk, unreadCount: 0, lastMessage: null }])
      await tag(holder, [], ['gấp'])
      await hers.until('conversation_changed', 2)
      expect(theirs.told('conversation_changed')).toHaveLength(2)
      expect(hers.told('conversation_changed')[1]).toMatchObject({ lastMessage: null, desk: { tags: [] } })

      await tag(holder, ['gấp'])
      expect(await tagsFor(player)).toBeUndefined()
      const own = await http(player, 'GET', '/conversations')
      const missed = await http(player, 'POST', '/missed', { known: [] })
      expect(own.rows).toHaveLength(1)
      expect(JSON.stringify([own.body, missed.body])).not.toContain('gấp')
      for (const query of [`tag=g`, `tag=${encodeURIComponent('gấp')}`])
        expect(await http(player, 'GET', `/conversations?${query}`)).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await tag(player, ['a'])).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await http(player, 'GET', '/tags')).toMatchObject(refusedWith('FORBIDDEN'))
      await db.query(`update users set capabilities = '{money}' where id = $1`, [colleague.id])
      expect(await tag(colleague, ['a'])).toMatchObject(refusedWith('CAPABILITY_MISSING'))
      // What is said after it comes after it.
      await say(theirs, 'Chào bạn')
      await mine.until('receive_message', 1)
      expect(mine.told('conversation_changed')).toEqual([])
    })
  })

  test('conversations are listed by the topic of their last case, to staff alone', async () => {
    const [mine, hers] = [await open(player), await open(holder)]
    await say(mine, 'Rút điểm chưa về')
    const listed = async (query: string, who = colleague) =>
      (await http(who, 'GET', `/conversations?${query}`)).rows.map(({ _id }) => _id)
    for (const [topic, expected] of [
      ['WITHDRAWAL', [conversationId]],
      ['DEPOSIT', []],
    ] as const) {
      expect(await listed(`scope=all&topic=${topic}`)).toEqual(expected)
      expect(await listed(`topic=${topic}`, holder)).toEqual(expected)
    }
    // It is what the last one is about that counts.
    const seenSeq = (await say(hers, 'Đã xong nhé'))['message'] as { seq: number }
    await http(holder, 'PUT', `/conversations/${conversationId}/state`, {
      state: 'DONE',
      until: null,
      seenSeq: seenSeq.seq,
    })
    expect(await listed('topic=WITHDRAWAL', holder)).toEqual([conversationId])
    await say(mine, 'Còn nạp thì sao')
    expect(await listed('topic=WITHDRAWAL', holder)).toEqual([])
    expect(await listed('scope=all&topic=DEPOSIT&waiting=true')).toEqual([conversationId])
    expect(await http(player, 'GET', '/conversations?topic=DEPOSIT')).toMatchObject(refusedWith('FORBIDDEN'))
    expect((await http(holder, 'GET', '/conversations?topic=X')).status).toBe(400)
  })

  test('who types to a player is told to colleagues with care, until the stop, the message or the end of the socket', async () => {
    const [mine, theirs, hers, other] = await openAll()
    const pause = () => new Promise((done) => setTimeout(done, 520))
    const who = { userId: holder.id, username: holder.username, conversationId }
    await theirs.ask('typing_start', { conversationId })
    await hers.until('staff_typing', 1, 1_000)
    await theirs.ask('typing_stop', { conversationId })
    await hers.until('staff_typing', 2)
    await pause()
    await theirs.ask('typing_start', { conversationId })
    await say(theirs, 'Chào bạn')
    await hers.until('staff_typing', 4)
    await pause()
    await theirs.ask('typing_start', { conversationId })
    await hers.until('staff_typing', 5)
    theirs.close()
    await hers.until('staff_typing', 6)
    expect(hers.told('staff_typing')).toEqual([1, 2, 3, 4, 5, 6].map((at) => ({ ...who, isTyping: at % 2 === 1 })))
    // A player who types is no colleague, and a player and who has no care are told nothing.
    await mine.ask('typing_start', { conversationId })
    await say(mine, 'Alo')
    expect(await hers.ask('typing_start', { conversationId })).toMatchObject({ code: 'CONVERSATION_NOT_FOUND' })
    expect([mine.told('staff_typing'), other.told('staff_typing'), hers.told('staff_typing').length]).toEqual([
      [],
      [],
      6,
    ])
  })

  test('a stop, or the end of the socket, that comes while a start is being judged ends it, too', async () => {
    const [mine, theirs] = await openAll()
    await Promise.all(['typing_start', 'typing_stop'].map((name) => theirs.ask(name, { conversationId })))
    await say(mine, 'Alo')
    expect(mine.told('user_typing')).toHaveLength(mine.told('user_stop_typing').length)
    const before = mine.told('user_typing').length
    void theirs.ask('typing_start', { conversationId }).catch(() => {})
    theirs.close()
    await mine.until('user_typing', before + 1)
    await mine.until('user_stop_typing', before + 1, 1_000)
  })

  test('who was the player of a conversation and is staff by now types in it as its player, not as a colleague', async () => {
    const [, theirs, hers] = await openAll()
    await db.query(`update users set role = 'admin', capabilities = '{care}' where id = $1`, [player.id])
    const mine = await open(player)
    expect(await mine.ask('typing_start', { conversationId })).toMatchObject({ ok: true })
    await theirs.until('user_typing', 1)
    app.hub.emitTo('everybody', 'account_changed', {})
    await hers.until('account_changed', 1)
    expect(hers.told('staff_typing')).toEqual([])
  })

  test('who has a conversation open is told to colleagues with care, until another one, none, or the end of the socket', async () => {
    const [mine, theirs, hers, other] = await openAll()
    const elsewhere = newId()
    const view = (of: string | null) => theirs.ask('view_conversation', { conversationId: of })
    // The same again is told again, to whoever came meanwhile.
    for (const of of [conversationId, conversationId, elsewhere, null, null, elsewhere]) await view(of)
    await hers.until('staff_viewing', 6)
    theirs.close()
    await hers.until('staff_viewing', 7)
    const who = { userId: holder.id, username: holder.username }
    expect(hers.told('staff_viewing')).toEqual(
      (
        [
          [conversationId, true],
          [conversationId, true],
          [conversationId, false],
          [elsewhere, true],
          [elsewhere, false],
          [elsewhere, true],
          [elsewhere, false],
        ] as const
      ).map(([of, isViewing]) => ({ ...who, conversationId: of, isViewing })),
    )
    // Neither a player, whose conversation it is, nor who has no care says or is told it.
    for (const client of [mine, other])
      expect(await client.ask('view_conversation', { conversationId })).toMatchObject({ ok: false })
    // After what is told to everybody, nothing is under way any more.
    app.hub.emitTo('everybody', 'account_changed', {})
    await Promise.all([mine, other, hers].map((client) => client.until('account_changed', 1)))
    expect([mine, other, hers].map((client) => client.told('staff_viewing').length)).toEqual([0, 0, 7])
  })
})
