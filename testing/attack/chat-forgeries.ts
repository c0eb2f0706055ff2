import { io } from 'socket.io-client'
import type { RefusalCode } from '#contract/refusals.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { bareToken, type ChatClient, openChatClient } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'

/** A forbidden act, and the code of the refusal that it must get. */
export interface Forgery {
  readonly name: string
  readonly code: RefusalCode | 'OK'
  /** Returns the code of the refusal, or `OK`. */
  tryIt(): Promise<string>
}

export interface ForgeryWorld {
  readonly forgeries: readonly Forgery[]
  /** A stranger's socket that is open all the time: every event of the conversation that it receives is a leak. */
  readonly eavesdropper: ChatClient
  /** Causes every event in the conversation that participants receive, so that there is something to leak. */
  talk(): Promise<void>
  close(): void
}

/** Events for participants only. */
export const PRIVATE_EVENTS = [
  'receive_message',
  'message_sent',
  'message_changed',
  'user_typing',
  'user_stop_typing',
  'message_read',
  'conversation_created',
  'conversation_changed',
  'conversation_removed',
] as const

/**
 * A conversation between a player and an admin, and forbidden acts against it by others and by the two participants.
 */
export async function makeForgeries(url: string, db: Database): Promise<ForgeryWorld> {
  const [players, admins] = [await createPlayers(db, 6), await createPlayers(db, 3, { role: 'admin', prefix: 'a' })]
  const [player, stranger, frozen, gone, ended, unchanged] = players
  const [admin, colleague, former] = admins
  const sockets = await Promise.all([player, admin, stranger, colleague].map((who) => openChatClient(url, who)))
  const [mine, theirs, eve, hers] = sockets as [ChatClient, ChatClient, ChatClient, ChatClient]
  const formers = await openChatClient(url, former)

  const call = async (who: TestPlayer | null, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        connection: 'close',
        ...(who === null ? {} : { authorization: who.bearer }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { code?: string; data: unknown }
  }
  const opened = await call(player, 'POST', '/chat/conversations', { participantId: admin.id })
  const conversationId = (opened.data as { _id: string })._id
  const othersOwn = await call(stranger, 'POST', '/chat/conversations', { participantId: admin.id })
  const elsewhereId = (othersOwn.data as { _id: string })._id
  const { message } = await mine.ask('send_message', { conversationId, content: 'bí mật', type: 'text', tempId: 'm1' })
  const messageId = (message as { _id: string })._id
  const held = await formers.ask('create_conversation', { participantId: player.id })
  const formersId = (held['conversation'] as { _id: string })._id
  const key = `${'k'.repeat(32)}.png`
  await db.query(
    `insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash)
     values ($1, $2, $3, 'image/png', 4, 4, 100, 'aaaa')`,
    [newId(), admin.id, key],
  )
  const pdf = `${'k'.repeat(32)}.pdf`
  await db.query(
    `insert into uploads (id, owner_id, storage_key, mime, bytes, name) values ($1, $2, $3, 'application/pdf', 100, 'a.pdf')`,
    [newId(), admin.id, pdf],
  )
  await db.query(`update users set is_frozen = true where id = any($1::uuid[])`, [[frozen.id, former.id]])
  await db.query(`update users set deleted_at = clock_timestamp() where id = $1`, [gone.id])
  await db.query(`update sessions set ended_at = clock_timestamp(), end_reason = 'logout' where user_id = $1`, [
    ended.id,
  ])
  await db.query(`update users set must_change_password = true where id = $1`, [unchanged.id])

  const forgeries: Forgery[] = []
  const add = (name: string, code: Forgery['code'], tryIt: () => Promise<string>) =>
    void forgeries.push({ name, code, tryIt })
  const event = (client: ChatClient, name: string, payload: unknown, code: Forgery['code']) =>
    add(`${client.player.username.slice(0, 1)}:${name} ${JSON.stringify(payload)?.slice(0, 120)}`, code, async () => {
      const answer = await client.ask(name, payload)
      return answer.ok ? 'OK' : (answer.code ?? 'no code')
    })
  const http = (who: TestPlayer | null, method: string, path: string, code: Forgery['code'], body?: unknown) =>
    add(`${method} ${path}`, code, async () => (await call(who, method, path, body)).code ?? 'OK')
  const handshake = (name: string, auth: unknown, code: Forgery['code']) =>
    add(`handshake ${name}`, code, () => shakeHands(url, auth))

  const good = { conversationId, content: 'a', type: 'text', tempId: 'g1' }
  const unknown = newId()

  // A stranger to the conversation.
  event(eve, 'join_room', { conversationId }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'join_room', { conversationId: unknown }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'join_room', { conversationId: `user:${player.id}` }, 'BAD_REQUEST')
  event(eve, 'join_room', { conversationId: [conversationId] }, 'BAD_REQUEST')
  event(eve, 'join_room', null, 'BAD_REQUEST')
  event(eve, 'typing_start', { conversationId }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'mark_as_read', { conversationId }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'mark_as_read', { conversationId, upToMessageId: messageId }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'send_message', good, 'CONVERSATION_NOT_FOUND')
  event(eve, 'send_message', { ...good, conversationId: unknown }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'send_message', { ...good, senderId: player.id }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'send_message', { ...good, receiverId: admin.id }, 'CONVERSATION_NOT_FOUND')
  event(eve, 'send_message', { ...good, conversationId: null, receiverId: player.id }, 'CHAT_NOT_ALLOWED')
  event(eve, 'send_message', { ...good, conversationId: null, receiverId: stranger.id }, 'CHAT_NOT_ALLOWED')
  event(eve, 'send_message', { ...good, conversationId: null, receiverId: unknown }, 'CHAT_NOT_ALLOWED')
  event(eve, 'send_message', { ...good, conversationId: null, receiverId: null }, 'BAD_REQUEST')
  event(eve, 'create_conversation', { participantId: player.id }, 'CHAT_NOT_ALLOWED')
  event(eve, 'create_conversation', { participantId: former.id }, 'HOLDER_GONE')
  event(eve, 'create_conversation', { participantId: unknown }, 'CHAT_NOT_ALLOWED')
  event(eve, 'create_conversation', {}, 'BAD_REQUEST')
  // Events that only the server may send.
  event(eve, 'receive_message', { ...good, senderId: admin.id }, 'BAD_REQUEST')
  event(eve, 'user_offline', { userId: admin.id }, 'BAD_REQUEST')
  event(eve, 'conversation_removed', { conversationId, throughSeq: null }, 'BAD_REQUEST')
  // Staff who are not the holder may read it over HTTP, and nothing else.
  event(hers, 'join_room', { conversationId }, 'CONVERSATION_NOT_FOUND')
  event(hers, 'send_message', good, 'HOLDER_CHANGED')
  event(hers, 'typing_start', { conversationId }, 'CONVERSATION_NOT_FOUND')
  event(hers, 'mark_as_read', { conversationId, upToMessageId: messageId }, 'CONVERSATION_NOT_FOUND')
  event(hers, 'create_conversation', { participantId: admin.id }, 'CHAT_NOT_ALLOWED')
  // Malformed or forbidden events of a participant.
  event(mine, 'send_message', { ...good, conversationId: elsewhereId }, 'CONVERSATION_NOT_FOUND')
  event(mine, 'send_message', { ...good, conversationId: formersId }, 'HOLDER_GONE')
  event(mine, 'send_message', { ...good, content: '' }, 'MESSAGE_INVALID')
  event(mine, 'send_message', { ...good, content: ' \n ' }, 'MESSAGE_INVALID')
  event(mine, 'send_message', { ...good, content: 'x'.repeat(4001) }, 'MESSAGE_INVALID')
  event(mine, 'send_message', { ...good, content: 'a\0b' }, 'TEXT_INVALID')
  event(mine, 'send_message', { ...good, content: 1 }, 'BAD_REQUEST')
  event(mine, 'send_message', { ...good, type: 'html' }, 'BAD_REQUEST')
  event(mine, 'send_message', { ...good, type: 'image', content: 'https://example.org/a.png' }, 'IMAGE_NOT_YOURS')
  event(mine, 'send_message', { ...good, type: 'image', content: '/api/v1/files/../../etc/passwd' }, 'IMAGE_NOT_YOURS')
  event(mine, 'send_message', { ...good, type: 'image', content: `/api/v1/files/${key}` }, 'IMAGE_NOT_YOURS')
  event(mine, 'send_message', { ...good, type: 'file', content: 'https://example.org/a.pdf' }, 'IMAGE_NOT_YOURS')
  event(mine, 'send_message', { ...good, type: 'file', content: `/api/v1/files/${pdf}` }, 'IMAGE_NOT_YOURS')
  event(hers, 'send_message', { ...good, type: 'file', content: `/api/v1/files/${key}` }, 'HOLDER_CHANGED')
  event(mine, 'send_message', { ...good, tempId: '' }, 'BAD_REQUEST')
  event(mine, 'send_message', { ...good, tempId: 'x'.repeat(65) }, 'BAD_REQUEST')
  event(mine, 'send_message', { ...good, tempId: `failed'; --` }, 'BAD_REQUEST')
  event(mine, 'send_message', 'text', 'BAD_REQUEST')
  event(mine, 'send_message', [], 'BAD_REQUEST')
  // HTTP calls.
  http(null, 'GET', '/chat/conversations', 'UNAUTHORIZED')
  http(ended, 'GET', '/chat/conversations', 'UNAUTHORIZED')
  http(frozen, 'POST', '/chat/conversations', 'ACCOUNT_PAUSED', { participantId: admin.id })
  http(unchanged, 'GET', '/chat/conversations', 'MUST_CHANGE_PASSWORD')
  http(stranger, 'GET', `/chat/conversations/${conversationId}`, 'CONVERSATION_NOT_FOUND')
  http(stranger, 'GET', `/chat/conversations/${conversationId}/messages`, 'CONVERSATION_NOT_FOUND')
  http(stranger, 'DELETE', `/chat/conversations/${conversationId}`, 'CONVERSATION_NOT_FOUND')
  http(colleague, 'DELETE', `/chat/conversations/${conversationId}`, 'CONVERSATION_NOT_FOUND')
  http(player, 'GET', `/chat/conversations/${conversationId}/customer`, 'FORBIDDEN')
  http(stranger, 'GET', `/chat/conversations?userId=${player.id}`, 'FORBIDDEN')
  http(stranger, 'GET', '/chat/conversations?scope=all', 'FORBIDDEN')
  http(stranger, 'GET', `/chat/users?currentUserId=${player.id}`, 'FORBIDDEN')
  http(player, 'GET', `/chat/conversations/${conversationId}/messages?userId=${admin.id}`, 'FORBIDDEN')
  http(player, 'GET', `/chat/conversations/${conversationId}/messages?beforeSeq=-1`, 'BAD_REQUEST')
  http(player, 'GET', `/chat/conversations/${conversationId}/messages?beforeSeq=999999999999`, 'BAD_REQUEST')
  http(player, 'POST', '/chat/conversations', 'FORBIDDEN', { currentUserId: admin.id, participantId: admin.id })
  const take = { from: admin.id, to: player.id }
  http(player, 'POST', `/chat/conversations/${conversationId}/holder`, 'FORBIDDEN', take)
  http(colleague, 'POST', `/chat/conversations/${conversationId}/holder`, 'HOLDER_GONE', take)
  http(colleague, 'POST', `/chat/conversations/${conversationId}/holder`, 'HOLDER_CHANGED', {
    from: colleague.id,
    to: colleague.id,
  })
  // Only its sender may change a message.
  for (const who of [stranger, admin, colleague]) {
    http(who, 'PUT', `/chat/messages/${messageId}`, 'MESSAGE_NOT_FOUND', { content: 'a' })
    http(who, 'DELETE', `/chat/messages/${messageId}`, 'MESSAGE_NOT_FOUND')
  }
  http(player, 'PUT', `/chat/messages/${unknown}`, 'MESSAGE_NOT_FOUND', { content: 'a' })
  http(player, 'PUT', `/chat/messages/${messageId}`, 'MESSAGE_INVALID', { content: ' ' })
  event(eve, 'send_message', { ...good, conversationId: elsewhereId, quotedMessageId: messageId }, 'MESSAGE_NOT_FOUND')
  // Handshakes.
  const token = bareToken(stranger)
  handshake('without a token', {}, 'BAD_REQUEST')
  handshake('with a token of nobody', { token: `${token.slice(0, -3)}abc` }, 'UNAUTHORIZED')
  handshake('as somebody else', { token, userId: player.id, username: player.username }, 'FORBIDDEN')
  handshake('under another name', { token, userId: stranger.id, username: 'admin' }, 'FORBIDDEN')
  handshake('after a logout', { token: bareToken(ended) }, 'UNAUTHORIZED')
  handshake('of a deleted account', { token: bareToken(gone) }, 'UNAUTHORIZED')
  handshake('of a frozen account', { token: bareToken(frozen) }, 'ACCOUNT_PAUSED')
  handshake('with a password that staff set', { token: bareToken(unchanged) }, 'MUST_CHANGE_PASSWORD')

  return {
    forgeries,
    eavesdropper: eve,
    async talk() {
      const before = theirs.told('user_typing').length
      await mine.ask('typing_start', { conversationId })
      await theirs.until('user_typing', before + 1)
      await theirs.ask('send_message', { ...good, tempId: 'answer' })
      await mine.until('receive_message', 1)
      await call(player, 'PUT', `/chat/messages/${messageId}`, { content: 'bí mật hơn' })
      await theirs.until('message_changed', 1)
      await mine.ask('mark_as_read', { conversationId })
      await mine.ask('typing_stop', { conversationId })
      await theirs.until('user_stop_typing', 1)
      await theirs.until('message_read', 1)
      await call(admin, 'POST', `/chat/conversations/${conversationId}/holder`, { from: admin.id, to: colleague.id })
      await hers.until('conversation_changed', 1)
    },
    close() {
      for (const socket of [...sockets, formers]) socket.close()
    },
  }
}

/** Returns the code of a refused handshake, or `OK`. */
function shakeHands(url: string, auth: unknown): Promise<string> {
  const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false, auth: auth as object })
  return new Promise((resolve) => {
    const end = (code: string) => {
      socket.disconnect()
      resolve(code)
    }
    socket.once('connect', () => end('OK'))
    socket.once('connect_error', (error: Error & { data?: { code?: string } }) => end(error.data?.code ?? 'no code'))
  })
}
