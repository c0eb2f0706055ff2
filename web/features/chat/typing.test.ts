import { expect, test } from 'vitest'
import { openPage, settle, staff } from '#web/testing/fake-chat.ts'

test('who goes on typing says so again before the server ends it', async () => {
  const { session, server, clock } = await openPage()
  for (let key = 0; key < 12; key++) {
    session.noteTyping('c1')
    await clock.advance(2_500)
  }
  expect([server.sent('typing_start').length, server.sent('typing_stop').length]).toEqual([3, 0])
})

test('typing is emitted once, and ends after 3 s without a key', async () => {
  const { session, server, clock } = await openPage()
  session.noteTyping('c1')
  await clock.advance(2_900)
  session.noteTyping('c1')
  await clock.advance(2_900)
  expect([server.sent('typing_start').length, server.sent('typing_stop').length]).toEqual([1, 0])
  await clock.advance(100)
  expect(server.sent('typing_stop')).toEqual([{ conversationId: 'c1' }])
  session.noteTyping('c1')
  await settle()
  expect(server.sent('typing_start').length).toBe(2)
})

test('sending, another thread and an emptied field end typing at once, and only once', async () => {
  const { session, server, clock } = await openPage()
  session.openThread('c1')
  for (const end of [() => session.sendText('c1', 'a'), () => session.closeThread(), () => session.stopTyping()]) {
    const before = server.sent('typing_stop').length
    session.noteTyping('c1')
    end()
    await clock.advance(5_000)
    expect(server.sent('typing_stop').length).toBe(before + 1)
  }
})

test('nothing is emitted for a draft or while disconnected, and after a reconnect typing starts anew', async () => {
  const { session, server, clock } = await openPage()
  server.withoutConversation()
  session.openWith({ ...staff, id: 'other' })
  session.noteTyping('new_other')
  expect(server.sent('typing_start')).toEqual([])
  session.noteTyping('c1')
  server.disconnect()
  session.noteTyping('c1')
  await clock.advance(5_000)
  server.connect()
  session.noteTyping('c1')
  await settle()
  expect([server.sent('typing_start').length, server.sent('typing_stop').length]).toEqual([2, 0])
})

test('the other side’s typing is shown until it ends or a message arrives', async () => {
  const { server, thread } = await openPage()
  const typist = { conversationId: 'c1', userId: 'staff', username: 'staff' }
  server.emit('user_typing', typist)
  expect(thread().typing).toEqual({ staff: 'staff' })
  server.emit('user_stop_typing', typist)
  expect(thread().typing).toEqual({})
  server.emit('user_typing', typist)
  server.emit('receive_message', server.write('a'))
  expect(thread().typing).toEqual({})
})

test('the other side’s typing whose end is lost is over after 16 s, and goes on as long as it is said again', async () => {
  const { server, thread, clock } = await openPage()
  const typist = { conversationId: 'c1', userId: 'staff', username: 'staff' }
  server.emit('user_typing', typist)
  await clock.advance(10_000)
  server.emit('user_typing', typist)
  await clock.advance(15_900)
  expect(thread().typing).toEqual({ staff: 'staff' })
  server.disconnect()
  await clock.advance(100)
  server.connect()
  await settle()
  expect(thread().typing).toEqual({})
})
