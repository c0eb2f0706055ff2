import { describe, expect, onTestFinished, test } from 'vitest'
import { CARE_DESK } from '#domain/chat/conversation.ts'
import { AWAY_AFTER_MS } from '#domain/chat/queue.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, callsBelow, refusedWith, type WireData } from '#testing/app/app.ts'
import { bareToken, type ChatClient } from '#testing/app/chat-client.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { until } from '#testing/time/until.ts'

describe.each(testEngines)('the queue of customer care on %s', (engine) => {
  const settings = { settings: { rateLimitFactor: 1000 } }
  const { db, app } = useApp(engine, settings)
  const open = useClients(app)
  const [player, other] = usePeople(db, 2)
  const [an, binh] = usePeople(db, 2, { role: 'admin', prefix: 'a' })

  const http = callsBelow(app, '/chat')
  const text = (content: string, to: { conversationId: string } | { receiverId: string }) => ({
    ...to,
    content,
    type: 'text',
    tempId: newId(),
  })
  /** Writes to whoever answers; resolves with the id of the conversation. */
  const ask = async (client: ChatClient, content = 'Chào bạn'): Promise<string> => {
    const { ok, message } = await client.ask('send_message', text(content, { receiverId: CARE_DESK.id }))
    expect(ok).toBe(true)
    return (message as { conversationId: string }).conversationId
  }
  const give = (who: TestPlayer, id: string, from: string, to: string) =>
    http(who, 'POST', `/conversations/${id}/holder`, { from, to })
  const waiting = async (who: TestPlayer) =>
    (await http(who, 'GET', '/conversations?waiting=true')).rows.map(({ _id }) => _id)
  const holderOf = async (id: string) =>
    (await db.query<{ holder: string | null }>('select holder_id as holder from conversations where id = $1', [id]))
      .rows[0]?.holder
  const acts = async () =>
    (await db.query<{ act: string; actor: string }>('select act, actor from audit_log order by seq')).rows
  const setDuty = (who: TestPlayer, onDuty: boolean, capacity = 20) => http(who, 'PUT', '/duty', { onDuty, capacity })

  describe('a conversation that nobody holds', () => {
    test('comes from asking without choosing, once for a player, and is everybody’s of staff and no other player’s', async () => {
      const [mine, ans, binhs, others] = [await open(player), await open(an), await open(binh), await open(other)]
      const id = await ask(mine)
      const again = await http(player, 'POST', '/conversations', { participantId: CARE_DESK.id })
      expect(again.body.data).toMatchObject({
        _id: id,
        participants: [{ _id: player.id }, { ...wireOf(CARE_DESK), isOnline: false }],
        isActive: true,
      })
      expect(again.body.data).not.toHaveProperty('desk')
      await Promise.all([ans, binhs].map((client) => client.until('receive_message', 1)))
      expect(ans.told('conversation_created').at(-1)).toMatchObject({
        _id: id,
        desk: { state: 'OPEN', waitingSince: expect.any(String) as string },
        lastMessage: { content: 'Chào bạn' },
        unreadCount: 0,
      })
      expect([await waiting(an), await waiting(binh)]).toEqual([[id], [id]])
      // It is one's own work to look at it: nothing of it is a look at a colleague's.
      expect((await http(an, 'GET', `/conversations/${id}/messages`)).rows).toHaveLength(1)
      expect(await ans.ask('join_room', { conversationId: id })).toMatchObject({ lastSeq: 1 })
      await ans.ask('typing_start', { conversationId: id })
      await mine.until('user_typing', 1)
      await mine.ask('typing_start', { conversationId: id })
      await binhs.until('user_typing', 1)
      expect(await acts()).toEqual([])
      for (const path of ['', '/messages'])
        expect(await http(other, 'GET', `/conversations/${id}${path}`)).toMatchObject(
          refusedWith('CONVERSATION_NOT_FOUND'),
        )
      for (const [name, payload] of [
        ['join_room', { conversationId: id }],
        ['typing_start', { conversationId: id }],
        ['mark_as_read', { conversationId: id }],
        ['send_message', text('a', { conversationId: id })],
      ] as const)
        expect([name, await others.ask(name, payload)]).toMatchObject([name, { code: 'CONVERSATION_NOT_FOUND' }])
      const missed = await http(other, 'POST', '/missed', { known: [{ conversationId: id, afterSeq: 0 }] })
      expect(missed.body.data).toMatchObject({ conversations: [], messages: [], gone: [id] })
      for (const name of ['receive_message', 'conversation_created', 'user_typing'])
        expect([name, others.told(name)]).toEqual([name, []])
    })

    test('shows its image to its player and to staff, and to no other player', async () => {
      const mine = await open(player)
      const id = await ask(mine)
      const key = `${'q'.repeat(32)}.png`
      await db.query(
        `with u as (insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash)
           values (gen_random_uuid(), $1, $2, 'image/png', 1, 1, 1, ''))
         insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key, image_width, image_height, image_thumbhash)
         values ($3, 2, gen_random_uuid(), $1, 'image', 'image', '/api/v1/files/' || $2, '', 1, 1, '')`,
        [player.id, key, id],
      )
      const read = async (who: TestPlayer) =>
        (await app.call('GET', `/api/v1/files/${key}`, { token: bareToken(who) })).body.code
      // There is no such file: who may not look is not told so.
      const [allowed, ofStaff, refused] = [await read(player), await read(an), await read(other)]
      expect([ofStaff, refused]).toEqual([allowed, 'NOT_FOUND'])
      expect(await acts()).toEqual([])
    })

    test('is who answers first: of two at once one is told who, and nothing of theirs is stored', async () => {
      const [mine, ans, binhs] = [await open(player), await open(an), await open(binh)]
      for (let round = 0; round < 6; round++) {
        const id = await ask(mine, `Câu hỏi ${round}`)
        const answers = await Promise.all(
          [ans, binhs].map((client) => client.ask('send_message', text(`Trả lời ${round}`, { conversationId: id }))),
        )
        const [winner, loser] = answers[0]?.ok === true ? [an, binh] : [binh, an]
        expect(answers.map(({ ok, code }) => code ?? ok).toSorted()).toEqual(['HOLDER_CHANGED', true])
        expect(answers.find(({ ok }) => !ok)?.['message']).toContain(winner.username)
        expect(await holderOf(id)).toBe(winner.id)
        expect([await waiting(winner), await waiting(loser)]).toEqual([[], []])
        const losers = winner === an ? binhs : ans
        await losers.until('conversation_changed', 1)
        expect(losers.told('conversation_changed').at(-1)).toMatchObject({
          participants: [{ _id: player.id }, { _id: winner.id }],
          lastMessage: null,
        })
        const missed = await http(loser, 'POST', '/missed', { known: [{ conversationId: id, afterSeq: 0 }] })
        expect(missed.body.data).toMatchObject({ conversations: [], messages: [], gone: [id] })
        // Back to the queue for the next turn.
        expect((await give(winner, id, winner.id, CARE_DESK.id)).status).toBe(200)
        for (const client of [ans, binhs]) (client.told('conversation_changed') as unknown[]).length = 0
      }
      const { rows } = await db.query<{ n: bigint }>(`select count(*) as n from messages where content like 'Trả lời%'`)
      expect(Number(rows[0]?.n)).toBe(6)
      expect(new Set((await acts()).map(({ act }) => act))).toEqual(new Set(['chat.claim', 'chat.hand-over']))
    })

    test('is claimed by who has none with its player, and put back by its holder alone', async () => {
      const [mine, ans, binhs] = [await open(player), await open(an), await open(binh)]
      const id = await ask(mine)
      expect(await give(an, id, binh.id, an.id)).toMatchObject(refusedWith('HOLDER_CHANGED'))
      expect(await give(an, id, CARE_DESK.id, binh.id)).toMatchObject(refusedWith('FORBIDDEN'))
      expect((await give(an, id, CARE_DESK.id, an.id)).status).toBe(200)
      const late = await give(binh, id, CARE_DESK.id, binh.id)
      expect(late).toMatchObject(refusedWith('HOLDER_CHANGED'))
      expect(late.body).toMatchObject({ details: { holder: an.username } })
      expect(await give(binh, id, an.id, CARE_DESK.id)).toMatchObject(refusedWith('FORBIDDEN'))
      await mine.until('conversation_changed', 1)
      await ans.ask('send_message', text('Mình nghe', { conversationId: id }))
      await mine.ask('send_message', text('Cảm ơn', { conversationId: id }))
      await ans.ask('mark_as_read', { conversationId: id })
      expect((await give(an, id, an.id, CARE_DESK.id)).body.data).toMatchObject({
        participants: [{ _id: player.id }, { _id: CARE_DESK.id }],
      })
      await Promise.all([ans, binhs].map((client) => client.until('conversation_changed', 2)))
      expect(await waiting(binh)).toEqual([id])
      // Whoever claims it next has read as far as who held it before.
      const claimed = await give(binh, id, CARE_DESK.id, binh.id)
      expect(claimed.body.data).toMatchObject({ readSeq: 3, unreadCount: 0 })
      // The player opens one with the admin of their choice, as ever; then that admin has one.
      await http(player, 'POST', '/conversations', { participantId: an.id })
      await give(binh, id, binh.id, CARE_DESK.id)
      expect(await give(an, id, CARE_DESK.id, an.id)).toMatchObject(refusedWith('HOLDER_HAS_ONE'))
      expect(await ans.ask('send_message', text('a', { conversationId: id }))).toMatchObject({ code: 'HOLDER_HAS_ONE' })
      // A message that is refused claims nothing.
      const binhs2 = await open(binh)
      const message = text('a', { conversationId: id })
      for (const [wrong, code] of [
        [{ quotedMessageId: newId() }, 'MESSAGE_NOT_FOUND'],
        [{ type: 'image', content: '/api/v1/files/AAAAAAAAAAAAAAAAAAAAAAAAAAAA.png' }, 'IMAGE_NOT_YOURS'],
      ] as const)
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person tries
        expect(await binhs2.ask('send_message', { ...message, ...wrong })).toMatchObject({ code })
      expect(await holderOf(id)).toBeNull()
    })

    test('is not made where an admin still answers, and a second one is not put beside it', async () => {
      const [mine, ans] = [await open(player), await open(an)]
      const first = await ask(mine)
      await ans.ask('send_message', text('Chào', { conversationId: first }))
      await http(an, 'PUT', `/conversations/${first}/state`, { state: 'DONE', until: null, seenSeq: 2 })
      expect(await ask(mine, 'Còn nữa')).toBe(first)
      expect(await holderOf(first)).toBe(an.id)
      await db.query('update users set is_frozen = true where id = $1', [an.id])
      const second = await ask(mine, 'Alo?')
      expect([second === first, await holderOf(second)]).toEqual([false, null])
      await db.query('update users set is_frozen = false where id = $1', [an.id])
      const [again] = await createPlayers(db, 1, { role: 'admin', prefix: 'c' })
      await give(again, first, an.id, again.id)
      expect(await give(again, first, again.id, CARE_DESK.id)).toMatchObject(refusedWith('HOLDER_HAS_ONE'))
    })
  })

  describe('duty', () => {
    /** Until every process has done what it was asked for. */
    const assigned = async (id: string, to: string) => {
      await expect.poll(() => holderOf(id)).toBe(to)
    }

    test('whoever goes on duty is given what waits, the longest first, up to their number; off duty nothing', async () => {
      const [mine, others, ans, binhs] = [await open(player), await open(other), await open(an), await open(binh)]
      expect((await http(an, 'GET', '/duty')).body.data).toEqual({ onDuty: false, capacity: 20 })
      const first = await ask(mine)
      const second = await ask(others)
      expect((await setDuty(an, true, 1)).body.data).toEqual({ onDuty: true, capacity: 1 })
      await assigned(first, an.id)
      expect(await holderOf(second)).toBeNull()
      await ans.until('conversation_changed', 1)
      await mine.until('conversation_changed', 1)
      expect(mine.told('conversation_changed')[0]).toMatchObject({ participants: [{}, { _id: an.id }] })
      await binhs.until('conversation_changed', 1)
      expect(binhs.told('conversation_changed')[0]).toMatchObject({ participants: [{}, { _id: an.id }] })
      expect(await acts()).toEqual([{ act: 'chat.assign', actor: 'system' }])
      // One less is room for the next.
      await http(an, 'PUT', `/conversations/${first}/state`, { state: 'DONE', until: null, seenSeq: 1 })
      await assigned(second, an.id)
      await setDuty(an, false, 1)
      const [third] = await createPlayers(db, 1, { prefix: 'n' })
      const thirds = await open(third)
      const left = await ask(thirds)
      await setDuty(binh, true)
      await assigned(left, binh.id)
    })

    test('what is handed over, put back or claimed from somebody is room for the next that waits', async () => {
      await setDuty(an, true, 1)
      // Each of them asks once.
      const askers = await createPlayers(db, 5, { prefix: 'h' })
      const clients = await Promise.all(askers.map((one) => open(one)))
      const ids: string[] = []
      for (const client of clients) {
        // oxlint-disable-next-line no-await-in-loop -- who asked first waits longest
        ids.push(await ask(client))
        // oxlint-disable-next-line no-await-in-loop -- the same
        await assigned(ids[0]!, an.id)
      }
      const [first, second, third, fourth] = ids as [string, string, string, string]
      expect(await holderOf(second)).toBeNull()
      expect((await give(an, first, an.id, binh.id)).status).toBe(200)
      await assigned(second, an.id)
      expect((await give(binh, second, an.id, binh.id)).status).toBe(200)
      await assigned(third, an.id)
      // One put back that was answered waits for nobody.
      const ans = await open(an)
      await ans.ask('send_message', text('Chào', { conversationId: third }))
      expect((await give(an, third, an.id, CARE_DESK.id)).status).toBe(200)
      await assigned(fourth, an.id)
      expect(await holderOf(third)).toBeNull()
    })

    test.runIf(engine === 'native')(
      'an assignment holds up no messages but those of what it gives (PostgreSQL only)',
      async () => {
        await setDuty(an, false, 1)
        const [mine, others] = [await open(player), await open(other)]
        const [first, second] = [await ask(mine), await ask(others)]
        await db.query(`update care_duty set is_on_duty = true, active_at = clock_timestamp()`)
        // The assignment cannot note to whom it gave the first one, so it stays under way.
        const noted = await holdOpen(db, (tx) => tx.query(`select 1 from care_duty for update`))
        try {
          await setDuty(binh, false)
          await until('the assignment waits', 5_000, async () => {
            const { rowCount } = await db.query(
              `select 1 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock' and query like 'update care_duty set assigned%'`,
            )
            return rowCount > 0
          })
          expect(await ask(others, 'Còn ai không?')).toBe(second)
        } finally {
          await noted.commit()
        }
        await assigned(first, an.id)
        expect(await holderOf(second)).toBeNull()
      },
    )

    test('one put back whose player waits is given at once to a colleague on duty with fewer', async () => {
      await setDuty(an, true)
      const [mine, others] = [await open(player), await open(other)]
      const first = await ask(mine)
      await assigned(first, an.id)
      const second = await ask(others)
      await assigned(second, an.id)
      await setDuty(binh, true)
      expect((await give(an, first, an.id, CARE_DESK.id)).status).toBe(200)
      await assigned(first, binh.id)
    })

    test('one put back is not given to who put it back, though nobody else is on duty', async () => {
      await setDuty(an, true)
      const [mine, others] = [await open(player), await open(other)]
      const first = await ask(mine)
      await assigned(first, an.id)
      expect((await give(an, first, an.id, CARE_DESK.id)).status).toBe(200)
      // The next assignment leaves it, too.
      await assigned(await ask(others), an.id)
      expect(await holderOf(first)).toBeNull()
      await setDuty(binh, true)
      await assigned(first, binh.id)
    })

    test('nobody is given, claims or is handed the conversation in which they were the player', async () => {
      const [first, second] = [await ask(await open(player)), await ask(await open(other))]
      await db.query(`update users set role = 'admin', capabilities = '{care}' where id = $1`, [player.id])
      await setDuty(player, true)
      await assigned(second, player.id)
      expect(await holderOf(first)).toBeNull()
      expect(await give(player, first, CARE_DESK.id, player.id)).toMatchObject(refusedWith('NOT_YOURSELF'))
      await setDuty(an, true)
      await assigned(first, an.id)
      expect(await give(an, first, an.id, player.id)).toMatchObject(refusedWith('HOLDER_GONE'))
    })

    test('away, frozen or without care is not on duty, and an act ends being away', async () => {
      const mine = await open(player)
      await setDuty(an, true)
      const away = `update care_duty set active_at = clock_timestamp() - interval '${AWAY_AFTER_MS} ms' where user_id = $1`
      await db.query(away, [an.id])
      await setDuty(binh, true)
      for (const made of [`is_frozen = true`, `capabilities = '{money}'`, `role = 'player', capabilities = '{}'`]) {
        await db.query(`update users set ${made} where id = $1`, [binh.id])
        const [one] = await createPlayers(db, 1, { prefix: `m${made.length}` })
        const id = await ask(await open(one))
        // Whoever writes once more asks once more.
        await ask(await open(one), 'Alo?')
        expect([made, await holderOf(id)]).toEqual([made, null])
      }
      const id = await ask(mine)
      expect((await http(player, 'POST', '/conversations', { participantId: CARE_DESK.id })).body.data).toMatchObject({
        participants: [{}, { isOnline: false }],
      })
      expect((await http(an, 'POST', '/duty/activity')).body.data).toEqual({ onDuty: true, capacity: 20 })
      await assigned(id, an.id)
      await setDuty(an, false)
      await db.query(away, [an.id])
      await http(an, 'POST', '/duty/activity')
      expect((await http(an, 'GET', '/duty')).body.data).toMatchObject({ onDuty: false })
    })

    test('newcomers at once at two processes are shared out evenly, nobody gets more than their number, and each is given once', async () => {
      const second = await buildTestApp(db, settings)
      await second.http.listen({ port: 0, host: '127.0.0.1' })
      onTestFinished(() => second.close())
      const [chi] = await createPlayers(db, 1, { role: 'admin', prefix: 'c' })
      const newcomers = await createPlayers(db, 20, { prefix: 'n' })
      for (const [who, capacity] of [
        [an, 20],
        [binh, 20],
        [chi, 3],
      ] as const)
        await setDuty(who, true, capacity)
      const sockets = await Promise.all(newcomers.map(async (who, n) => open(who, n % 2 === 0 ? app : second)))
      const ids = await Promise.all(sockets.map((socket) => ask(socket)))
      const counts = async () => {
        const { rows } = await db.query<{ holder: string; n: bigint }>(
          `select holder_id as holder, count(*) as n from conversations where holder_id is not null group by 1`,
        )
        return Object.fromEntries(rows.map(({ holder, n }) => [holder, Number(n)]))
      }
      await expect.poll(async () => Object.values(await counts()).reduce((sum, n) => sum + n, 0)).toBe(20)
      const { [chi.id]: chis = 0, [an.id]: ans = 0, [binh.id]: binhs = 0 } = await counts()
      expect([chis, Math.abs(ans - binhs) <= 1, ans + binhs]).toEqual([3, true, 17])
      const given = await db.query<{ target: string }>(`select target from audit_log where act = 'chat.assign'`)
      expect(given.rows.map(({ target }) => target).toSorted()).toEqual(
        ids.map((id) => `conversation:${id}`).toSorted(),
      )
    })

    test('a player learns who answers and whether anybody is there: nothing else of it', async () => {
      const mine = await open(player)
      await setDuty(an, true, 7)
      await mine.until('user_online', 1)
      await expect.poll(() => mine.told('user_online').map(({ userId }) => userId)).toContain(CARE_DESK.id)
      const id = await ask(mine)
      await assigned(id, an.id)
      await mine.until('conversation_changed', 1)
      expect(await http(player, 'GET', '/duty')).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await setDuty(player, true)).toMatchObject(refusedWith('FORBIDDEN'))
      expect(await http(player, 'POST', '/duty/activity')).toMatchObject(refusedWith('FORBIDDEN'))
      const answers = await Promise.all([
        http(player, 'GET', '/conversations'),
        http(player, 'GET', '/users'),
        http(player, 'POST', '/missed', { known: [] }),
      ])
      const told = ['conversation_created', 'conversation_changed', 'receive_message', 'user_online'].map((name) =>
        mine.told(name),
      )
      const seen = JSON.stringify([told, answers.map(({ body }) => body)])
      for (const word of ['duty', 'Duty', 'capacity', 'assigned', 'desk', 'waitingSince'])
        expect([word, seen.includes(word)]).toEqual([word, false])
    })

    test('what is no number of conversations is refused', async () => {
      for (const capacity of [0, 101, 1.5, '5']) {
        const answer = await http(an, 'PUT', '/duty', { onDuty: true, capacity })
        expect([capacity, answer.body.code]).toEqual([capacity, 'BAD_REQUEST'])
      }
    })
  })

  const wireOf = ({ id, username }: { id: string; username: string }): WireData => ({
    _id: id,
    username,
    role: 'ADMIN',
  })
})
