import { beforeEach, describe, expect, test } from 'vitest'
import {
  clientAdmissions,
  clientEvents,
  type ClientEventName,
  type ServerEventName,
  staffRooms,
} from '#contract/events.ts'
import { CAPABILITIES, type Capability, capabilityOf, type StaffAccess } from '#domain/identity/permissions.ts'
import { newId } from '#server/platform/process/ids.ts'
import { bareToken, type ChatClient } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { useClients } from '#testing/app/use-clients.ts'

/** What every event of a client needs of an ADMIN. Said once more here, so that a change of the table is seen. */
const SENT: Readonly<Record<ClientEventName, Capability | null>> = {
  watch_game: null,
  unwatch_game: null,
  join_room: 'care',
  leave_room: 'care',
  send_message: 'care',
  create_conversation: 'care',
  typing_start: 'care',
  typing_stop: 'care',
  view_conversation: 'care',
  mark_as_read: 'care',
}

describe.each(testEngines)('capabilities and socket events on the %s engine', (engine) => {
  const { db, app } = useApp(engine)
  const open = useClients(app)
  let player: TestPlayer
  /** One admin for each holding: none, and each capability alone. */
  let admins: ReadonlyArray<{ readonly held: Capability | null; readonly who: TestPlayer; readonly client: ChatClient }>
  beforeEach(async () => {
    player = await one()
    const made = []
    for (const held of [null, ...CAPABILITIES]) {
      const who = await one({ role: 'admin', welcomePoints: 0, capabilities: held === null ? [] : [held] })
      made.push({ held, who, client: await open(who) })
    }
    admins = made
  })

  const one = async (options?: Parameters<typeof createPlayers>[2]): Promise<TestPlayer> =>
    (await createPlayers(db, 1, options))[0]
  const adminWith = (capability: Capability | null) => {
    const found = admins.find(({ held }) => held === capability)
    if (found === undefined) throw new Error(`no admin has ${capability ?? 'nothing'}`)
    return found
  }
  const openConversation = async (holder: TestPlayer): Promise<string> => {
    const body = { participantId: holder.id }
    const reply = await app.call('POST', '/api/v1/chat/conversations', { token: bareToken(player), body })
    expect(reply.status).toBe(200)
    return (reply.body.data as { _id: string })._id
  }
  const closed = (client: ChatClient) =>
    new Promise<void>((resolve) => client.socket.once('disconnect', () => resolve()))

  test('the table has every event of clients, and a handler is reached with its capability alone', async () => {
    expect(Object.keys(clientAdmissions).toSorted()).toEqual(Object.keys(clientEvents).toSorted())
    expect(Object.keys(SENT).toSorted()).toEqual(Object.keys(clientEvents).toSorted())
    for (const [name, needed] of Object.entries(SENT))
      for (const { held, client } of admins) {
        const { code, ok } = await client.ask(name, {})
        // An empty payload is refused after the capability is judged, where it is wrong at all.
        expect([name, held, ok, code]).toEqual([
          name,
          held,
          false,
          needed === null || needed === held ? 'BAD_REQUEST' : 'CAPABILITY_MISSING',
        ])
      }
  })

  test('an event to staff reaches those who have what it needs, and nobody else', async () => {
    const rooms = Object.entries(staffRooms) as [ServerEventName, StaffAccess][]
    const toStaff = rooms.filter(([name]) =>
      /^(transaction|proposal|dispute|user)_changed$|^transaction_viewed$|^user_o(n|ff)line$/.test(name),
    )
    expect(toStaff).toHaveLength(7)
    const watcher = await open(player)
    for (const [name, access] of toStaff) {
      const payload = { requestId: 'r', disputeId: 'd', proposalId: 'p', userId: player.id, lastSeenAtMs: null }
      app.hub.emitTo(access as 'staff', name, payload)
      // The order of a socket's events is that of their sending: what comes after it has arrived last.
      app.hub.emitTo('everybody', 'account_changed', {})
      for (const { client } of admins)
        await client.until('account_changed', toStaff.findIndex(([one]) => one === name) + 1)
      const needed = capabilityOf(access)
      // Admins of the test before may leave meanwhile, which players are told as well.
      const toldOf = (client: ChatClient) =>
        client.told(name).filter((one) => !('userId' in one) || one['userId'] === player.id)
      for (const { held, client } of admins) {
        // The player's own arrival is told by the server itself to whoever may know.
        const isTold = toldOf(client).length > 0
        expect([name, held, isTold]).toEqual([name, held, needed === null || needed === held])
      }
      expect(toldOf(watcher)).toEqual([])
    }
  })

  test('a holder without care is told nothing of the conversation, on any way', async () => {
    const { who, client } = adminWith('care')
    const conversationId = await openConversation(who)
    const writer = await open(player)
    const say = (content: string) =>
      writer.ask('send_message', { conversationId, content, type: 'text', tempId: newId() })
    expect((await say('một')).ok).toBe(true)
    await client.until('receive_message', 1)

    await db.query(`update users set capabilities = '{money}' where id = $1`, [who.id])
    const blind = await open(who)
    // Nobody answers there any more, which the player is told.
    expect(await say('hai')).toMatchObject({ ok: false, code: 'HOLDER_GONE' })
    await writer.ask('typing_start', { conversationId })
    await writer.ask('mark_as_read', { conversationId })
    app.hub.emitTo('everybody', 'account_changed', {})
    await blind.until('account_changed', 1)
    for (const name of [
      'receive_message',
      'user_typing',
      'message_read',
      'conversation_changed',
      'conversation_created',
    ])
      expect([name, blind.told(name)]).toEqual([name, []])
    for (const path of [
      'conversations',
      `conversations/${conversationId}`,
      `conversations/${conversationId}/messages`,
      'unread',
      'search?text=mot',
    ]) {
      const reply = await app.call('GET', `/api/v1/chat/${path}`, { token: bareToken(who) })
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'CAPABILITY_MISSING'])
    }
    expect(JSON.stringify(await app.call('GET', '/api/v1/user/data-export', { token: bareToken(who) }))).not.toContain(
      'một',
    )
  })

  test('a grant and a withdrawal reach sockets that are open already, within a second', async () => {
    const owner = adminWith('owner')
    const reader = adminWith(null)
    const grant = (capabilities: readonly Capability[], version: string) =>
      app.call('POST', `/api/v1/user/${reader.who.id}/capabilities`, {
        token: bareToken(owner.who),
        body: { capabilities, version },
      })
    const startedMs = performance.now()
    const gone = closed(reader.client)
    expect((await grant(['care'], '1.0')).status).toBe(200)
    await gone
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(reader.client.told('account_changed').length).toBeGreaterThan(0)

    const again = await open(reader.who)
    const conversationId = await openConversation(reader.who)
    await again.until('conversation_created', 1)
    const goneAgain = closed(again)
    expect((await grant([], '2.0')).status).toBe(200)
    // Before the socket is closed the act itself is refused already.
    const tried = again.socket.connected
      ? await again
          .ask('send_message', { conversationId, content: 'x', type: 'text', tempId: newId() })
          .catch(() => null)
      : null
    if (tried !== null) expect(tried.ok).toBe(false)
    await goneAgain
    expect((await db.query('select 1 from messages')).rowCount).toBe(0)
  })
})
