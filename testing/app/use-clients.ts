import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll } from 'vitest'
import type { TestPlayer } from '#testing/play/rounds.ts'
import type { TestApp } from './app.ts'
import { type ChatClient, openChatClient } from './chat-client.ts'

/**
 * Makes an app listen for the tests of a describe block; returns a function that opens a socket there, which is closed
 * after the test. Sockets can also be opened at another app that listens.
 */
export function useClients(
  app: Pick<TestApp, 'http'>,
): (who: TestPlayer, at?: Pick<TestApp, 'http'>) => Promise<ChatClient> {
  const clients: ChatClient[] = []
  beforeAll(async () => void (await app.http.listen({ port: 0, host: '127.0.0.1' })))
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  return async (who, at = app) => {
    const { port } = at.http.server.address() as AddressInfo
    const client = await openChatClient(`http://127.0.0.1:${port}`, who)
    clients.push(client)
    return client
  }
}
