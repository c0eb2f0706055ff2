import { beforeEach, describe, expect, test } from 'vitest'
import { startOfDayMs } from '#domain/day.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { lookAtLuck, startLuckLooks } from './look-at-luck.ts'

describe.each(testEngines)('what staff have to look at on the %s engine', (engine) => {
  const { db, app } = useApp(engine, { settings: { fourEyesFrom: 1_000 } })
  const open = useClients(app)
  const [player] = usePeople(db, 1)
  const [admin, second] = usePeople(db, 2, { role: 'admin', prefix: 'a' })

  beforeEach(async () => {
    await db.query(`update ledger_checkpoint set checked_at = clock_timestamp(), failed_at = null`)
    await call(player, 'POST', '/bank', {
      bankNumber: '0123456789',
      nameBank: 'NGUYEN VAN A',
      nameOwner: 'Vietcombank',
    })
  })

  const call = callsBelow(app, '')
  const read = async (who = admin) => {
    const reply = await call(who, 'GET', '/attention')
    expect(reply.status).toBe(200)
    return reply.body.data as { items: WireData[]; luck: WireData; muted: string[]; serverTime: string }
  }
  const itemOf = async (kind: string): Promise<WireData | undefined> =>
    (await read()).items.find((item) => item['kind'] === kind)
  const file = async (money: number): Promise<string> => {
    const body = { type: 'DEPOSIT', money, author: player.id }
    const reply = await call(player, 'POST', '/transaction', body, { 'idempotency-key': newId() })
    return (reply.body.data as { _id: string })._id
  }

  test('is read by every admin and by nobody else', async () => {
    const [reader] = await createPlayers(db, 1, { role: 'admin', prefix: 'r', capabilities: [] })
    expect((await read(reader)).items).toEqual((await read(admin)).items)
    expect(await call(player, 'GET', '/attention')).toMatchObject(refusedWith('FORBIDDEN'))
    expect(await call(player, 'PUT', '/attention/muted', { muted: [] })).toMatchObject(refusedWith('FORBIDDEN'))
    expect(await app.call('GET', '/api/v1/attention')).toMatchObject({ status: 401 })
  })

  test('requests from their filing to their decision, the newest named', async () => {
    expect(await itemOf('request')).toBeUndefined()
    const first = await file(100)
    const later = await file(250)
    const item = (await itemOf('request')) ?? {}
    const newest = item['newest'] as readonly WireData[]
    expect(item).toMatchObject({ count: 2, why: null })
    expect(newest).toMatchObject([
      {
        _id: later,
        author: { _id: player.id, username: player.username },
        type: 'DEPOSIT',
        money: 250,
        proposedBy: null,
      },
      { _id: first, money: 100 },
    ])
    expect(item['since']).toBe(newest[1]?.['since'])
    await call(admin, 'PATCH', `/transaction/${first}`, { status: 'ACCEPT', from: 'IN_PROGRESS' })
    expect(await itemOf('request')).toMatchObject({ count: 1, newest: [{ _id: later }] })
    await call(player, 'DELETE', `/transaction/${later}`)
    expect(await itemOf('request')).toBeUndefined()
  })

  test('a proposal until another admin confirms it', async () => {
    const id = await file(2_000)
    await call(admin, 'PATCH', `/transaction/${id}`, { status: 'ACCEPT', from: 'IN_PROGRESS' })
    const item = (await itemOf('proposal')) ?? {}
    expect(item).toMatchObject({
      count: 1,
      newest: [{ author: { username: player.username }, type: 'DEPOSIT', money: 2_000, proposedBy: admin.id }],
    })
    const [{ _id: proposalId }] = item['newest'] as [{ _id: string }]
    expect((await call(second, 'POST', `/proposals/${proposalId}/confirm`)).status).toBe(200)
    expect(await itemOf('proposal')).toBeUndefined()
    expect(await itemOf('request')).toBeUndefined()
  })

  test('a conversation once it waits past its time, until it is answered or put away by its holder', async () => {
    const [client, care] = [await open(player), await open(admin)]
    const say = (from: typeof client, content: string) =>
      from.ask('send_message', { conversationId, content, type: 'text', tempId: newId() })
    const opened = await call(player, 'POST', '/chat/conversations', { participantId: admin.id })
    const conversationId = (opened.body.data as { _id: string })._id
    /** As if everything so far had been said this long ago. */
    const letPass = (minutes: number) =>
      db.query(`update conversations_waiting set since = since - $1 * interval '1 minute'`, [minutes])
    await say(client, 'Xin chào')
    await letPass(4)
    expect(await itemOf('conversation')).toBeUndefined()
    await say(client, 'Có ai không?')
    await letPass(1)
    // While customer care is closed nobody is late; the wait goes on.
    await db.query(`update care_hours set week = '[null, null, null, null, null, null, null]'`)
    expect(await itemOf('conversation')).toBeUndefined()
    await db.query(`update care_hours set week = (select jsonb_agg('{"fromMinute": 0, "toMinute": 1440}'::jsonb)
                      from generate_series(1, 7))`)
    expect(await itemOf('conversation')).toMatchObject({
      count: 1,
      newest: [{ _id: conversationId, author: { _id: player.id, username: player.username }, money: null, type: null }],
    })
    await say(care, 'Chào bạn')
    expect(await itemOf('conversation')).toBeUndefined()
    // As a merge leaves it: the player waits in what was another conversation, and the last message is an answer.
    await db.query(`insert into conversations_waiting values ($1, now() - interval '10 minutes')`, [conversationId])
    expect(await itemOf('conversation')).toMatchObject({ count: 1 })
    await say(care, 'Còn gì nữa không?')
    expect(await itemOf('conversation')).toBeUndefined()
    await say(client, 'Cảm ơn')
    await letPass(6)
    expect(await itemOf('conversation')).toMatchObject({ count: 1 })
    const set = (state: string, until: string | null) =>
      call(admin, 'PUT', `/chat/conversations/${conversationId}/state`, { state, until, seenSeq: 99 })
    await set('SNOOZED', new Date(Date.now() + 60_000).toISOString())
    expect(await itemOf('conversation')).toBeUndefined()
    await set('OPEN', null)
    expect(await itemOf('conversation')).toMatchObject({ count: 1 })
    await set('DONE', null)
    expect(await itemOf('conversation')).toBeUndefined()
    await say(client, 'Cảm ơn bạn')
    await letPass(6)
    expect((await call(admin, 'DELETE', `/chat/conversations/${conversationId}`)).status).toBe(200)
    expect(await itemOf('conversation')).toBeUndefined()
    client.close()
    care.close()
  })

  test('disputes that are open for more than three days', async () => {
    const dispute = (days: number) =>
      db.query(
        `insert into disputes (id, bet_id, owner_id, conversation_id, text, salt, opened_at)
         values ($1, $2, $3, $4, 'Sai', decode(repeat('00', 16), 'hex'), clock_timestamp() - $5 * interval '1 day')`,
        [newId(), newId(), player.id, newId(), days],
      )
    await dispute(2.9)
    expect(await itemOf('dispute')).toBeUndefined()
    await dispute(3.1)
    expect(await itemOf('dispute')).toMatchObject({ count: 1, newest: [] })
  })

  test('books that are closed, or that no check has found right lately', async () => {
    expect(await itemOf('ledger')).toBeUndefined()
    await db.query('update ledger_checkpoint set checked_at = null')
    expect(await itemOf('ledger')).toBeUndefined()
    await db.query(`update ledger_checkpoint set checked_at = clock_timestamp() - interval '6 minutes'`)
    expect(await itemOf('ledger')).toMatchObject({ why: 'UNCHECKED', count: 1 })
    await db.query(`update ledger_checkpoint set failed_at = clock_timestamp() - interval '1 minute'`)
    expect(await itemOf('ledger')).toMatchObject({ why: 'CLOSED' })
  })

  test('a feed without prices, since when it is so, and the most urgent first', async () => {
    await db.query(`update ledger_checkpoint set failed_at = clock_timestamp()`)
    await file(100)
    const { items } = await read()
    // The market of a test does not run.
    expect(items.map(({ kind }) => kind)).toEqual(['ledger', 'feed', 'request'])
    expect(items[1]).toMatchObject({ why: 'SILENT', count: 1 })
    const since = Date.parse(items[1]?.['since'] as string)
    expect(Math.abs(Date.parse((await itemOf('feed'))?.['since'] as string) - since)).toBeLessThan(1_000)
  })

  test('each admin chooses what tells them', async () => {
    expect((await read(admin)).muted).toEqual([])
    const reply = await call(admin, 'PUT', '/attention/muted', { muted: ['alarm', 'request', 'alarm'] })
    expect(reply.body.data).toEqual({ muted: ['request', 'alarm'] })
    expect((await read(admin)).muted).toEqual(['request', 'alarm'])
    expect((await read(second)).muted).toEqual([])
    expect((await call(admin, 'PUT', '/attention/muted', { muted: [] })).status).toBe(200)
    expect((await read(admin)).muted).toEqual([])
    expect(await call(admin, 'PUT', '/attention/muted', { muted: ['money'] })).toMatchObject({ status: 400 })
  })

  describe('wins beyond chance', () => {
    /** Gives a player folded days with so many wins and losses. */
    const play = async (who: TestPlayer, days: ReadonlyArray<readonly [won: number, lost: number]>) => {
      await db.query(`insert into statistics_marks values ($1, now(), 0, 0)`, [who.id])
      for (const [at, [won, lost]] of days.entries())
        await db.query(`insert into statistics_types values ($1, $2::date + $3::int, '60s', $4, $5, 7, 0, 0)`, [
          who.id,
          '2026-01-01',
          at,
          won,
          lost,
        ])
    }

    test('are found among everybody, in batches, by the sum of all days, and a flag is nothing but a flag', async () => {
      const crowd = await createPlayers(db, 450, { prefix: 'c', welcomePoints: 0 })
      const [lucky, unlucky, fair, few, gone] = crowd as [TestPlayer, TestPlayer, TestPlayer, TestPlayer, TestPlayer]
      for (const one of crowd.slice(5)) await play(one, [[11, 12]])
      await play(lucky, [
        [130, 70],
        [125, 75],
      ])
      await play(unlucky, [[20, 90]])
      await play(fair, [[225, 175]])
      await play(few, [[19, 0]])
      await play(gone, [[90, 10]])
      await db.query(`update users set deleted_at = now() where id = $1`, [gone.id])
      const look = await lookAtLuck(db)
      expect(look?.players).toBe(448)
      expect(look?.flags.map(({ player: { username }, won, decided }) => [username, won, decided])).toEqual([
        [unlucky.username, 20, 110],
        [lucky.username, 255, 400],
      ])
      expect(await lookAtLuck(db, () => true)).toBeNull()
    })

    test('are shown once the first look is over, and looked for again only after a while', async () => {
      await play(player, [[90, 10]])
      const looks = startLuckLooks(db, createLog('silent'))
      expect(looks.last()).toBeNull()
      await expect.poll(() => looks.last()?.flags.length).toBe(1)
      await db.query(`delete from statistics_types`)
      expect(looks.last()?.flags).toHaveLength(1)
      await looks.stop()
    })
  })

  test('a player’s flag stands last, with its numbers, and goes when the numbers do', async () => {
    const fresh = await openTestDatabase(engine)
    const other = await buildTestApp(fresh)
    const [flagged] = await createPlayers(fresh, 1)
    const [looker] = await createPlayers(fresh, 1, { role: 'admin', prefix: 'a' })
    await fresh.query(`insert into statistics_marks values ($1, now(), 0, 0)`, [flagged.id])
    await fresh.query(
      `insert into statistics_types values ($1, to_timestamp($2::float8 / 1000)::date, '30s', 90, 10, 0, 0, 0)`,
      [flagged.id, startOfDayMs('2026-01-01')],
    )
    const seen = async () =>
      (await other.call('GET', '/api/v1/attention', { token: bareToken(looker) })).body.data as {
        items: WireData[]
        luck: WireData
      }
    expect((await seen()).luck).toEqual({ lookedAt: null, players: 0, flags: [] })
    await expect.poll(async () => (await seen()).luck['players']).toBe(1)
    const { items, luck } = await seen()
    expect(luck['flags']).toEqual([{ userId: { _id: flagged.id, username: flagged.username }, won: 90, decided: 100 }])
    expect(items.at(-1)).toMatchObject({ kind: 'luck', count: 1, since: luck['lookedAt'] })
    await other.close()
    await fresh.close()
  })
})
