import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { careEndpoints } from '#contract/care.ts'
import { judgeAgain, signedIn } from '#server/platform/http/auth.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { useApp } from '#testing/app/use-app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { readTranscriptScope, writeTranscript } from './transcript.ts'

describe.each(testEngines)('the transcript of a conversation on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [admin, colleague] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })
  const [player] = usePeople(db, 1, { prefix: 'p' })
  let id: string
  beforeEach(async () => {
    id = newId()
    await db.query(`insert into conversations (id, player_id, holder_id, last_seq) values ($1, $2, $3, 0)`, [
      id,
      player.id,
      admin.id,
    ])
  })
  /** Stores so many messages after those that are there, by turns of the player and the admin. */
  const say = (count: number, content = 'tin {n}') =>
    db.query(
      `with said as (
         insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, sent_at)
         select id, last_seq + n, gen_random_uuid(), case when n % 2 = 1 then player_id else holder_id end, gen_random_uuid(), 'text',
                replace($3, '{n}', (last_seq + n)::text), 'x', '2026-11-20T17:00:00Z'
           from conversations, generate_series(1, $2::int) n where id = $1)
       update conversations set last_seq = last_seq + $2 where id = $1`,
      [id, count, content],
    )
  const transcriptOf = (conversationId: string) =>
    ({ method: 'GET', url: `/api/v1/chat/conversations/${conversationId}/transcript` }) as const
  const ask = (who: TestPlayer, from: TestApp = app, conversationId = id) =>
    from.http.inject({ ...transcriptOf(conversationId), headers: { authorization: who.bearer } })
  const linesOf = (body: string) => body.split('\n').slice(3, -1)

  test('is whole over several pages, whoever holds it, and in the audit log', async () => {
    await say(1_203)
    const { statusCode, body, headers } = await ask(colleague)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="tro-chuyen-${player.username}.txt"`,
      'cache-control': 'private, no-store',
    })
    expect(body).toContain('Trò chơi mô phỏng bằng điểm ảo, không quy đổi thành tiền.')
    expect(linesOf(body)).toEqual(
      Array.from(
        { length: 1_203 },
        (_, at) =>
          `2026-11-21 00:00:00 ${at % 2 === 0 ? player.username : `${admin.username} (nhân viên)`}: tin ${at + 1}`,
      ),
    )
    expect((await db.query('select actor, act, target, after from audit_log')).rows).toEqual([
      { actor: colleague.id, act: 'chat.transcript', target: `conversation:${id}`, after: { messages: 1_203 } },
    ])
    expect((await ask(admin, app, newId())).statusCode).toBe(404)
    expect((await ask(player)).statusCode).toBe(403)
    expect((await db.query('select 1 from audit_log')).rowCount).toBe(1)
  })

  test('has a message in a line, whatever it holds, and one without messages is empty', async () => {
    expect(linesOf((await ask(admin)).body)).toEqual([])
    await say(1, 'a\n2026-11-21 00:00:00 x (nhân viên): \u202Eb')
    expect(linesOf((await ask(admin)).body)).toEqual([
      `2026-11-21 00:00:00 ${player.username}: a ↵ 2026-11-21 00:00:00 x (nhân viên): [U+202E]b`,
    ])
  })

  test('ends where the conversation did when it was asked for, and frees its place', async () => {
    await say(600)
    const scope = await readTranscriptScope(db, id)
    if (scope === null) throw new Error('no conversation')
    await say(5)
    let ended = 0
    const said = await text(
      writeTranscript(
        db,
        scope,
        async () => null,
        () => (ended += 1),
      ),
    )
    expect(linesOf(said)).toHaveLength(600)
    await expect.poll(() => ended).toBe(1)
    const left = writeTranscript(
      db,
      scope,
      async () => null,
      () => (ended += 1),
    )
    await once(left, 'readable')
    left.destroy()
    await expect.poll(() => ended).toBe(2)
  })

  test('whoever loses customer care while it is written reads no further', async () => {
    await say(1_500, 'x'.repeat(500))
    const [scope, subject] = [await readTranscriptScope(db, id), (await signedIn(db, admin.token))?.subject ?? null]
    if (scope === null || subject === null) throw new Error('no conversation')
    const judge = () => judgeAgain(db, careEndpoints.readTranscript, subject)
    const stream = writeTranscript(db, scope, judge, () => {})
    await once(stream, 'readable')
    await db.query(`update users set capabilities = '{money}' where id = $1`, [admin.id])
    await expect(text(stream)).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
  })

  test('one at a time for an admin, and sixty an hour', async () => {
    await say(1_500, 'một tin dài '.repeat(20))
    // Who reads slowly still has the first.
    const slow = await app.http.inject({
      ...transcriptOf(id),
      headers: { authorization: admin.bearer },
      payloadAsStream: true,
    })
    expect([slow.statusCode, (await ask(admin)).statusCode, (await ask(colleague)).statusCode]).toEqual([200, 429, 200])
    await text(slow.stream())
    expect((await ask(admin)).statusCode).toBe(200)
    const strict = await buildTestApp(db, { settings: { rateLimitFactor: 1 / 60 } })
    expect((await ask(admin, strict)).statusCode).toBe(200)
    expect(Number((await ask(admin, strict)).headers['retry-after'])).toBeGreaterThan(3_500)
    expect((await ask(colleague, strict)).statusCode).toBe(200)
    await strict.close()
  })
})
