import { describe, expect, test } from 'vitest'
import { clockTextOf, dayAfter, dayOf, startOfDayMs } from '#domain/day.ts'
import { weekdayOf } from '#domain/chat/hours.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import { useApp } from '#testing/app/use-app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'

describe.each(testEngines)('the hours of customer care on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [owner] = usePeople(db, 1, { role: 'admin', welcomePoints: 0 })
  const [player] = usePeople(db, 1, { prefix: 'p' })
  const whole = { from: '00:00', to: '24:00' }
  const always = Array.from({ length: 7 }, () => whole)
  const never = Array.from({ length: 7 }, () => null)
  const awayText = 'Hiện đã hết giờ, bạn cứ nhắn.'

  const call = callsBelow(app, '/chat')
  const set = (body: object, who = owner) => call(who, 'PUT', '/hours', { days: always, awayText, version: 1, ...body })
  const kept = async () => (await call(owner, 'GET', '/hours')).body.data
  const seen = async () => (await call(player, 'GET', '/reply-time')).body.data

  test('are always open until an owner sets them; players then read when it opens again, and nothing else', async () => {
    expect(await kept()).toMatchObject({ days: always, version: 1 })
    expect(await seen()).toEqual({ usualMs: null, byTopic: [] })
    // Open on the day after tomorrow alone, so that midnight may pass.
    const nowMs = await readNowMs(db)
    const opensMs = startOfDayMs(dayAfter(dayOf(nowMs), 2)) + 510 * 60_000
    const days = never.with(weekdayOf(opensMs), { from: '08:30', to: '17:00' } as never)
    expect((await set({ days, awayText: ` ${awayText}\n` })).body.data).toEqual({ days, awayText, version: 2 })
    expect(await seen()).toEqual({
      usualMs: null,
      byTopic: [],
      away: { text: awayText, opensAt: new Date(opensMs).toISOString() },
    })
    expect(clockTextOf(opensMs)).toContain('08:30:00')
    await set({ days: never, version: 2 })
    expect(await seen()).toEqual({ usualMs: null, byTopic: [], away: { text: awayText, opensAt: null } })
    await set({ version: 3 })
    expect(await seen()).toEqual({ usualMs: null, byTopic: [] })
  })

  test('are changed by owners alone, each change on top of the last one seen and in the audit log', async () => {
    const [other] = await createPlayers(db, 1, { role: 'admin', prefix: 'o', capabilities: ['care', 'users', 'money'] })
    expect(await set({}, other)).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    expect(await set({}, player)).toMatchObject(refusedWith('FORBIDDEN'))
    expect(await call(player, 'GET', '/hours')).toMatchObject(refusedWith('FORBIDDEN'))
    const days = [{ from: '08:00', to: '17:30' }, ...always.slice(1, 6), null]
    const answers = await Promise.all([1, 2, 3].map((n) => set({ days, awayText: `${awayText} ${n}` })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusedWith('STALE'))
    const won = (await kept()) as WireData & { awayText: string }
    expect(won).toMatchObject({ days, version: 2 })
    // The same again, as where the answer was lost, is what is kept: no conflict, and no other change.
    expect(await set({ days, awayText: won.awayText })).toMatchObject({ status: 200, body: { data: won } })
    const acts = await db.query<{ before: object; after: object }>(
      `select actor, act, target, before, after from audit_log`,
    )
    expect(acts.rows).toMatchObject([
      {
        actor: owner.id,
        act: 'chat.hours',
        target: 'chat',
        before: { monday: '00:00–24:00', saturday: '00:00–24:00', sunday: '00:00–24:00' },
        after: { monday: '08:00–17:30', saturday: '00:00–24:00', sunday: null, awayText: won.awayText },
      },
    ])
  })

  test('that are none are refused with what is wrong, and change nothing', async () => {
    const wrongDay = (day: unknown) => set({ days: [...always.slice(0, 2), day, ...always.slice(3)] })
    for (const day of [
      { from: '17:00', to: '08:00' },
      { from: '08:00', to: '08:00' },
      { from: '24:00', to: '24:00' },
    ]) {
      const refused = await wrongDay(day)
      expect(refused).toMatchObject(refusedWith('HOURS_INVALID'))
      expect(refused.body.details).toMatchObject({ fields: [{ path: 'days.2.to' }] })
    }
    for (const day of [{ from: '8:00', to: '17:00' }, { from: '08:00', to: '24:01' }, { from: '08:00' }]) {
      const refused = await wrongDay(day)
      expect([refused.status, JSON.stringify(refused.body.details)]).toEqual([
        400,
        expect.stringMatching(/"path":"days\.2\.(?:from|to)"/),
      ])
    }
    expect(await set({ days: always.slice(1) })).toMatchObject({ status: 400 })
    for (const text of [' \u200B', 'a'.repeat(301)]) {
      const refused = await set({ awayText: text })
      expect(refused).toMatchObject(refusedWith('AWAY_TEXT_INVALID'))
      expect(refused.body.details).toMatchObject({ fields: [{ path: 'awayText' }] })
    }
    expect(await set({ awayText: 'a\u0000' })).toMatchObject(refusedWith('TEXT_INVALID'))
    expect(await kept()).toMatchObject({ days: always, version: 1 })
    expect((await db.query('select 1 from audit_log')).rows).toEqual([])
  })
})
