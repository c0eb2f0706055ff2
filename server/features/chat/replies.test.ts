import { describe, expect, test } from 'vitest'
import { REPLIES_MAX } from '#domain/chat/reply.ts'
import { newId } from '#server/platform/process/ids.ts'
import { refusedWith } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

describe.each(testEngines)('canned replies on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [an, binh] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })
  const save = (who: TestPlayer, name: string, text = 'Xin chào {tên}', isShared = false) =>
    app.call('POST', '/api/v1/chat/replies', { token: bareToken(who), body: { name, text, isShared } })
  const namesOf = async (who: TestPlayer) => {
    const { rows } = await app.call('GET', '/api/v1/chat/replies', { token: bareToken(who) })
    return rows.map(({ name, text }) => [name, text])
  }
  const idOf = (reply: Awaited<ReturnType<typeof save>>) => (reply.body.data as { _id: string })._id
  const remove = (who: TestPlayer, id: string) =>
    app.call('DELETE', `/api/v1/chat/replies/${id}`, { token: bareToken(who) })

  test('are one’s own, or of everybody who has customer care; one of the same name is replaced', async () => {
    expect((await save(an, 'chao', ' Xin chào ')).body.data).toMatchObject({ name: 'chao', text: 'Xin chào' })
    await save(an, 'rut', 'Cách rút', true)
    await save(binh, 'ba')
    expect(await namesOf(an)).toEqual([
      ['chao', 'Xin chào'],
      ['rut', 'Cách rút'],
    ])
    expect(await namesOf(binh)).toEqual([
      ['ba', 'Xin chào {tên}'],
      ['rut', 'Cách rút'],
    ])
    const again = await Promise.all([1, 2, 3].map((n) => save(an, 'chao', `Chào ${n}`)))
    expect(new Set(again.map(idOf)).size).toBe(1)
    expect((await namesOf(an)).map(([name]) => name)).toEqual(['chao', 'rut'])
  })

  test('a name or text that is none, and one too many, are refused; nothing changes', async () => {
    for (const name of ['?', 'Chào', 'a'.repeat(21)]) expect((await save(an, name)).status).toBe(400)
    for (const text of [' ', 'b'.repeat(4_001)])
      expect(await save(an, 'a', text)).toMatchObject(refusedWith('MESSAGE_INVALID'))
    expect(await namesOf(an)).toEqual([])
    await db.query(
      `insert into canned_replies (id, owner_id, name, content, is_shared)
       select gen_random_uuid(), $1, 'n' || n, 'a', false from generate_series(1, $2) n`,
      [an.id, REPLIES_MAX],
    )
    expect(await save(an, 'more')).toMatchObject(refusedWith('TOO_MANY_REPLIES'))
    expect((await save(an, 'n1', 'b')).status).toBe(200)
    expect(await namesOf(an)).toHaveLength(REPLIES_MAX)
  })

  test('are deleted by their maker, and as shared ones by an owner; without care none is seen', async () => {
    const own = idOf(await save(an, 'a'))
    const shared = idOf(await save(an, 'b', 'b', true))
    expect(await remove(binh, own)).toMatchObject(refusedWith('NOT_FOUND'))
    await db.query(`update users set capabilities = '{care}' where id = $1`, [binh.id])
    expect(await remove(binh, shared)).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    await db.query(`update users set capabilities = '{care,owner}' where id = $1`, [binh.id])
    expect((await remove(binh, shared)).status).toBe(200)
    expect((await remove(an, own)).status).toBe(200)
    expect(await remove(an, newId())).toMatchObject(refusedWith('NOT_FOUND'))
    await db.query(`update users set capabilities = '{money}' where id = $1`, [binh.id])
    expect(await save(binh, 'c')).toMatchObject(refusedWith('CAPABILITY_MISSING'))
  })
})
