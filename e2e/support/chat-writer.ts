import { randomUUID } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, expect } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import type { ClientRefusal } from '#contract/events.ts'
import { anAdmin, call } from './api.ts'

type Answer = { readonly ok: boolean; readonly code?: ClientRefusal<'send_message'> }

/** People who write without a browser: `writer` connects with a token and returns a function that sends. */
export function useWriters(urlOf: () => string) {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect()
  })

  async function writer(token: string) {
    const socket = io(urlOf(), { transports: ['websocket'], forceNew: true, auth: { token } })
    sockets.push(socket)
    await new Promise((resolve) => socket.once('connect', resolve as () => void))
    return async (receiverId: string, content: string, type: 'text' | 'image' | 'file' = 'text') => {
      const message = { receiverId, content, type, tempId: randomUUID() }
      for (;;) {
        const answer = (await socket.timeout(20_000).emitWithAck('send_message', message)) as Answer
        if (answer.ok) return
        // The limit of a socket's messages per second.
        expect(answer.code).toBe<Answer['code']>('TOO_MANY_REQUESTS')
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
  }
  return { writer }
}

/** The first admin of a product's server, who holds conversations, and the people who write to them. */
export function useCare(urlOf: () => string) {
  const care = { adminToken: '', adminId: '', ...useWriters(urlOf) }
  beforeAll(async () => {
    care.adminToken = await anAdmin(urlOf())
    ;({ id: care.adminId } = await call(urlOf(), endpoints.me, { token: care.adminToken }))
  })
  return care
}
