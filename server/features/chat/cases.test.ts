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

describe.each(testEngines)('cases of customer care on %s', (engine) => {
  const { db, app } = useApp(engine)
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [admin, colleague] = usePeople(db, 2, { role: 'admin', prefix: 'a' })
  let mine: ChatClient
  let theirs: ChatClient
  let conversationId: string
  beforeEach(async () => {
    ;[mine, theirs] = [await open(player), await open(admin)]
    const opened = await call(player, 'POST', '/conversations', { participantId: admin.id })
    conversationId = (opened.body.data as WireData)['_id'] as string
  })

  const call = callsBelow(app, '/chat')
  const of = (who: TestPlayer, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    call(who, method, `/conversations/${conversationId}${path}`, body)
  const say = async (who: ChatClient, content: string) => {
    const answer = await who.ask('send_message', { conversationId, content, type: 'text', tempId: newId() })
    expect(answer).toMatchObject({ ok: true })
    return (answer['message'] as { seq: number }).seq
  }
  const set = (state: 'OPEN' | 'DONE', seenSeq = 1_000_000) =>
    of(admin, 'PUT', '/state', { state, seenSeq, until: null })
  const setTopic = (who: TestPlayer, topic: unknown) => of(who, 'PUT', '/topic', { topic })
  const deskTopic = async () => ((await of(admin, 'GET', '')).body.data as { desk: { topic?: unknown } }).desk.topic
  const question = async () => (await of(player, 'GET', '/case-question')).body.data as { isAsked: boolean }
  const rate = (satisfaction: 'GOOD' | 'BAD' | null, text = '', who = player) =>
    of(who, 'POST', '/satisfaction', { satisfaction, text })
  const cases = async () =>
    (
      await db.query<Record<string, unknown>>(
        `select topic, first_reply_at is not null as replied, first_reply_by, done_at is not null as done, done_by,
                is_reopened, satisfaction, satisfaction_text
           from care_cases where conversation_id = $1 order by opened_at`,
        [conversationId],
      )
    ).rows

  test('begin with the player’s message, are replied to first once, and end with done; the next message is another', async () => {
    await say(theirs, 'Xin chào')
    expect(await cases()).toEqual([])
    await say(mine, 'Lệnh bị huỷ')
    await say(mine, 'mình nạp nữa')
    await say(theirs, 'Để mình xem')
    await say(theirs, 'Xong rồi')
    expect(await cases()).toMatchObject([{ topic: 'bet', replied: true, first_reply_by: admin.id, done: false }])
    await set('DONE')
    await set('DONE')
    await say(theirs, 'Còn gì không?')
    expect(await cases()).toMatchObject([{ done: true, done_by: admin.id, is_reopened: false }])
    await say(mine, 'cảm ơn')
    expect(await cases()).toMatchObject([
      { topic: 'bet', done: true, is_reopened: true },
      { topic: null, replied: false, done: false, is_reopened: false },
    ])
    await set('DONE')
    await db.query(
      `update care_cases set done_at = done_at - interval '25 hours', opened_at = opened_at - interval '25 hours'`,
    )
    await say(mine, 'Alo')
    expect((await cases()).map(({ is_reopened: isReopened }) => isReopened)).toEqual([true, false, false])
  })

  test('done that its holder takes back is the same case', async () => {
    await say(mine, 'Alo')
    await set('DONE')
    await set('OPEN')
    expect(await cases()).toMatchObject([{ done: false, done_by: null }])
    await set('OPEN')
    await set('DONE')
    expect(await cases()).toMatchObject([{ done: true, done_by: admin.id }])
  })

  test('a repeated message, and one at the same moment as done, is one case', async () => {
    const repeated = { conversationId, content: 'Alo', type: 'text', tempId: newId() }
    await Promise.all([1, 2, 3].map(() => mine.ask('send_message', repeated)))
    expect(await cases()).toHaveLength(1)
    for (let round = 1; round <= 10; round++) {
      const before = await cases()
      const { lastSeq } = (await of(admin, 'GET', '')).body.data as { lastSeq: number }
      const [, done] = await Promise.all([say(mine, `tin ${round}`), set('DONE', lastSeq)])
      const after = await cases()
      expect(after).toHaveLength(before.length + (done.status === 200 ? 1 : 0))
      expect(after.map((one) => one['done'])).toEqual(after.map((_, at) => at < after.length - 1))
    }
  })

  test('the topic is what the words name, and what its holder says', async () => {
    expect(await deskTopic()).toBeUndefined()
    expect(await setTopic(admin, 'BET')).toMatchObject(refusedWith('NOT_FOUND'))
    await say(mine, 'Alo')
    expect(await deskTopic()).toBeNull()
    await say(mine, 'Mình quên mật khẩu')
    expect(await deskTopic()).toBe('ACCOUNT')
    expect((await setTopic(admin, 'OTHER')).body.data).toMatchObject({ desk: { topic: 'OTHER' } })
    await theirs.until('conversation_changed', 1)
    expect(theirs.told('conversation_changed')).toMatchObject([{ desk: { topic: 'OTHER' } }])
    await say(mine, 'rút')
    expect(await deskTopic()).toBe('OTHER')
    expect(await setTopic(colleague, 'BET')).toMatchObject(refusedWith('HOLDER_CHANGED'))
    expect(await setTopic(player, 'BET')).toMatchObject(refusedWith('FORBIDDEN'))
    expect((await setTopic(admin, 'GOLD')).status).toBe(400)
    expect((await setTopic(admin, null)).status).toBe(200)
    expect(await deskTopic()).toBeNull()
    // Nobody's to correct while nobody holds it, as with its state.
    await call(admin, 'POST', `/conversations/${conversationId}/holder`, { from: admin.id, to: CARE_DESK.id })
    expect(await setTopic(admin, 'BET')).toMatchObject(refusedWith('HOLDER_CHANGED'))
  })

  test('the player is asked after an answer and done, until they answer, close it or write', async () => {
    expect(await question()).toMatchObject({ isAsked: false })
    await say(mine, 'Alo')
    await set('DONE')
    expect(await question()).toMatchObject({ isAsked: false })
    await set('OPEN')
    await say(theirs, 'Chào bạn')
    expect(await question()).toMatchObject({ isAsked: false })
    expect(await rate('GOOD')).toMatchObject(refusedWith('NOT_ASKED'))
    await set('DONE')
    await mine.until('conversation_changed', 1)
    expect(await question()).toEqual({ isAsked: true, lastSeq: 2 })
    await set('OPEN')
    expect(await question()).toMatchObject({ isAsked: false })
    await set('DONE')
    await say(mine, 'Còn nữa')
    expect(await question()).toMatchObject({ isAsked: false })
    expect(await rate('GOOD')).toMatchObject(refusedWith('NOT_ASKED'))
    await say(theirs, 'Vâng')
    await set('DONE')
    expect((await rate(null, 'bỏ qua')).status).toBe(200)
    expect(await rate('GOOD')).toMatchObject(refusedWith('NOT_ASKED'))
    expect(await cases()).toMatchObject([{ satisfaction: null }, { satisfaction: null, satisfaction_text: null }])
  })

  test('the first answer counts, once, whoever is faster; it is the player’s alone', async () => {
    await say(mine, 'Alo')
    await say(theirs, 'Chào bạn')
    await set('DONE')
    for (const who of [admin, colleague]) {
      expect(await rate('GOOD', '', who)).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
      expect(await of(who, 'GET', '/case-question')).toMatchObject(refusedWith('CONVERSATION_NOT_FOUND'))
    }
    expect((await rate('GOOD', 'x'.repeat(501))).status).toBe(400)
    const answers = await Promise.all([rate('BAD', '  chậm quá '), rate('BAD', 'chậm quá'), rate('BAD', 'chậm quá')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await cases()).toMatchObject([{ satisfaction: 'bad', satisfaction_text: 'chậm quá' }])
    // Done again, it is not asked again.
    await set('OPEN')
    await set('DONE')
    expect(await question()).toMatchObject({ isAsked: false })
  })

  test('an answer and a message at the same moment: the message never loses, and the answer is of the case before', async () => {
    await say(mine, 'Alo')
    for (let round = 0; round < 8; round++) {
      await say(theirs, 'Chào bạn')
      await set('DONE')
      const [, rated] = await Promise.all([say(mine, `tin ${round}`), rate('GOOD')])
      const all = await cases()
      expect(all).toHaveLength(round + 2)
      expect(all.map((one) => one['satisfaction']).slice(-2)).toEqual([rated.status === 200 ? 'good' : null, null])
    }
  })

  test('a player gets nothing of a case, by no call and no event, but the question', async () => {
    await say(mine, 'Mình muốn rút')
    await say(theirs, 'Chào bạn')
    await setTopic(admin, 'OTHER')
    await of(admin, 'PUT', '/state', {
      state: 'SNOOZED',
      seenSeq: 2,
      until: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await set('OPEN')
    // Nothing until now concerns them.
    expect(mine.told('conversation_changed')).toEqual([])
    await set('DONE')
    await mine.until('conversation_changed', 1)
    const seen = [
      ...['conversation_created', 'conversation_changed', 'receive_message', 'message_sent'].map((name) =>
        mine.told(name),
      ),
      ...(await Promise.all([
        of(player, 'GET', ''),
        of(player, 'GET', '/messages'),
        of(player, 'GET', '/case-question'),
        call(player, 'GET', '/conversations'),
        call(player, 'POST', '/missed', { known: [] }),
      ])),
    ]
    expect(JSON.stringify(seen)).not.toMatch(/topic|OTHER|WITHDRAWAL|DONE|SNOOZED|desk|doneAt|done_at/)
    const report = await call(player, 'GET', '/care-report?from=2026-01-01&to=2026-01-02')
    expect(report).toMatchObject(refusedWith('FORBIDDEN'))
  })
})
