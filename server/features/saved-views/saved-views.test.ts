import { describe, expect, test } from 'vitest'
import { VIEWS_MAX } from '#domain/saved-views/view-name.ts'
import { newId } from '#server/platform/process/ids.ts'
import { refusedWith } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import type { TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

describe.each(testEngines)('saved views on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [an, binh] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })

  const wish = (more: object = {}) => ({
    list: 'giao-dich',
    name: 'Rút lớn',
    search: { kind: 'withdrawal', limit: 50 },
    isShared: false,
    ...more,
  })
  const save = (who: TestPlayer, more: object = {}) =>
    app.call('POST', '/api/v1/staff/views', { token: bareToken(who), body: wish(more) })
  const remove = (who: TestPlayer, id: unknown) =>
    app.call('DELETE', `/api/v1/staff/views/${String(id)}`, { token: bareToken(who) })
  const namesOf = async (who: TestPlayer, list = 'giao-dich') => {
    const { body } = await app.call('GET', `/api/v1/staff/views?list=${list}`, { token: bareToken(who) })
    return (body.data as ReadonlyArray<{ name: string }>).map(({ name }) => name)
  }
  const idOf = (reply: Awaited<ReturnType<typeof save>>) => (reply.body.data as { _id: string })._id
  const hold = (who: TestPlayer, held: readonly string[]) =>
    db.query('update users set capabilities = $2 where id = $1', [who.id, held])

  test('an own view is its maker’s alone; a shared one has its maker’s name for everybody', async () => {
    expect((await save(an)).body.data).toMatchObject({ ...wish(), author: { _id: an.id, username: an.username } })
    await save(an, { name: 'Của nhóm', isShared: true })
    await save(an, { name: 'Phiên', list: 'phien' })
    await save(binh, { name: 'Xem sau' })
    expect(await namesOf(an)).toEqual(['Của nhóm', 'Rút lớn'])
    // The own ones first.
    expect(await namesOf(binh)).toEqual(['Xem sau', 'Của nhóm'])
    expect(await namesOf(an, 'phien')).toEqual(['Phiên'])
  })

  test('a name is taken once in a list, without regard to case; the same view again is no other one', async () => {
    const first = await save(an)
    expect(idOf(await save(an))).toBe(idOf(first))
    expect(await save(an, { name: 'RÚT LỚN' })).toMatchObject(refusedWith('VIEW_NAME_TAKEN'))
    expect(await save(an, { search: {} })).toMatchObject(refusedWith('VIEW_NAME_TAKEN'))
    expect((await save(binh)).status).toBe(200)
    expect((await save(an, { list: 'phien' })).status).toBe(200)
  })

  test('five at once with one name make one', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => save(an)))
    expect(new Set(replies.map(idOf)).size).toBe(1)
    expect(await namesOf(an)).toEqual(['Rút lớn'])
  })

  test('an admin keeps 50, over all lists, however many are saved at once', async () => {
    const replies: Awaited<ReturnType<typeof save>>[] = []
    // An account's calls that wait for each other are few.
    for (let from = 0; from < VIEWS_MAX + 5; from += 5)
      replies.push(
        ...(await Promise.all(
          Array.from({ length: 5 }, (_, at) =>
            save(an, { name: `Số ${from + at}`, list: at % 2 === 0 ? 'phien' : 'giao-dich' }),
          ),
        )),
      )
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(5)
    for (const one of refused) expect(one).toMatchObject(refusedWith('TOO_MANY_VIEWS'))
    expect((await save(binh)).status).toBe(200)
    const kept = replies.find(({ status }) => status === 200)!
    expect((await remove(an, idOf(kept))).status).toBe(200)
    expect((await save(an, { name: 'Thêm một' })).status).toBe(200)
  })

  test('is deleted by its maker, and a shared one by an owner; another’s own view is not there', async () => {
    const own = idOf(await save(an))
    const shared = idOf(await save(an, { name: 'Của nhóm', isShared: true }))
    expect(await remove(binh, own)).toMatchObject(refusedWith('NOT_FOUND'))
    await hold(binh, ['money', 'users'])
    expect(await remove(binh, shared)).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    await hold(binh, ['owner'])
    expect((await remove(binh, shared)).status).toBe(200)
    expect(await remove(binh, shared)).toMatchObject(refusedWith('NOT_FOUND'))
    expect((await remove(an, own)).status).toBe(200)
    expect(await remove(an, newId())).toMatchObject(refusedWith('NOT_FOUND'))
    expect(await namesOf(an)).toEqual([])
  })

  test('whoever may only read keeps views and shares none', async () => {
    await hold(an, [])
    expect((await save(an)).status).toBe(200)
    expect(await save(an, { name: 'Nhóm', isShared: true })).toMatchObject(refusedWith('CAPABILITY_MISSING'))
  })

  test('what is no view is refused, and nothing is kept', async () => {
    for (const name of ['', '  ', 'x'.repeat(41)])
      expect(await save(an, { name })).toMatchObject(refusedWith('VIEW_NAME_INVALID'))
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`p${'x'.repeat(at)}`, 1]))
    const wrong: readonly object[] = [
      { list: 'Giao Dich' },
      { list: '' },
      { name: 7 },
      { isShared: 'yes' },
      { owner: binh.id },
      { search: [] },
      { search: 'q=1' },
      { search: { q: null } },
      { search: { q: { a: 1 } } },
      { search: { q: 'x'.repeat(201) } },
      { search: { 'a b': 1 } },
      { search: many },
    ]
    for (const more of wrong) expect([more, (await save(an, more)).status]).toEqual([more, 400])
    for (const q of ['a\0b', '\ud800'])
      expect(await save(an, { search: { q } })).toMatchObject(refusedWith('TEXT_INVALID'))
    expect((await remove(an, 'x')).status).toBe(400)
    expect((await app.call('GET', '/api/v1/staff/views', { token: bareToken(an) })).status).toBe(400)
    expect(await namesOf(an)).toEqual([])
    // Names of every object are no more than names.
    expect((await save(an, { search: { constructor: 'x', toString: 1 } })).body.data).toMatchObject({
      search: { constructor: 'x', toString: 1 },
    })
  })
})
