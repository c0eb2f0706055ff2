import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { type ChatClient, openChatClient } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { type OwnRedis, startOwnCluster, startOwnRedis, startOwnSentinels } from '#testing/machines/redis.ts'
import { openTestDatabase } from '#testing/database/test-database.ts'
import { readInstallationId } from '#server/platform/process/installation.ts'
import { connectRedis } from './redis.ts'

/** Events of another process arrive within this time, or never. */
const SOON_MS = 2_000

describe.runIf(process.env['TEST_REDIS_URL'])('processes that share a Redis server (Redis only)', () => {
  let own: OwnRedis
  const closing: Array<() => unknown> = []

  beforeEach(async () => {
    own = await startOwnRedis()
    closing.push(() => own.stop())
  })
  afterEach(async () => {
    own.thaw()
    for (const close of closing.splice(0).toReversed()) await close()
  })

  async function openDatabase(): Promise<Database> {
    const db = await openTestDatabase('embedded')
    closing.push(() => db.close())
    return db
  }

  /** Starts a process as main.ts does. */
  async function startProcess(
    db: Database,
    redisUrl = own.url,
    onceConnected: () => void = () => {},
  ): Promise<TestApp & { readonly url: string }> {
    const redis = await connectRedis(redisUrl, await readInstallationId(db), createLog('silent'))
    closing.push(() => redis.disconnect())
    onceConnected()
    const app = await buildTestApp(db, { redis, settings: { rateLimitFactor: 1 } })
    closing.push(() => app.close())
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    return { ...app, url: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}` }
  }

  async function join(process: { readonly url: string }, player: TestPlayer): Promise<ChatClient> {
    const client = await openChatClient(process.url, player)
    closing.push(() => client.close())
    return client
  }

  async function createPair(db: Database): Promise<{ player: TestPlayer; boss: TestPlayer }> {
    const [player] = await createPlayers(db, 1)
    const [boss] = await createPlayers(db, 1, { role: 'admin' })
    if (player === undefined || boss === undefined) throw new Error('no players were made')
    return { player, boss }
  }

  test('events pass between the processes of an installation, and to no other one', async () => {
    const [db, otherDb] = [await openDatabase(), await openDatabase()]
    const [one, two, other] = [await startProcess(db), await startProcess(db), await startProcess(otherDb)]
    const [{ boss }, { boss: otherBoss }] = [await createPair(db), await createPair(otherDb)]
    const [here, there, elsewhere] = [await join(one, boss), await join(two, boss), await join(other, otherBoss)]
    // The adapter subscribes while the processes start.
    await expect
      .poll(
        () => {
          one.hub.emitTo('staff', 'transaction_changed', { requestId: 'r' })
          return there.told('transaction_changed').length
        },
        { timeout: SOON_MS },
      )
      .toBeGreaterThan(0)
    expect(here.told('transaction_changed').length).toBeGreaterThan(0)
    other.hub.emitTo('staff', 'transaction_changed', { requestId: 'other' })
    await elsewhere.until('transaction_changed', 1)
    expect(elsewhere.told('transaction_changed')).toEqual([{ requestId: 'other' }])
    expect(there.told('transaction_changed')).not.toContainEqual({ requestId: 'other' })
  })

  test('a process is sent what its own sockets want and nothing else, and a socket in two rooms is told once', async () => {
    const db = await openDatabase()
    const [one, two, three] = [await startProcess(db), await startProcess(db), await startProcess(db)]
    const { player, boss } = await createPair(db)
    const [there, staff] = [await join(two, player), await join(three, boss)]
    await expect
      .poll(
        () => {
          one.hub.emitTo(`user:${player.id}`, 'account_changed', {})
          return there.told('account_changed').length
        },
        { timeout: SOON_MS },
      )
      .toBeGreaterThan(0)
    // Who has come is told to everybody, a moment later.
    await new Promise((resolve) => setTimeout(resolve, SOON_MS))
    const before = [one, two, three].map(({ hub }) => hub.relayed())
    const toldBefore = staff.told('transaction_changed').length
    for (let n = 0; n < 20; n++) one.hub.emitTo(`user:${player.id}`, 'account_changed', {})
    one.hub.emitTo(['staff', `user:${boss.id}`], 'transaction_changed', { requestId: 'r' })
    await expect.poll(() => two.hub.relayed() - (before[1] ?? 0), { timeout: SOON_MS }).toBe(20)
    // One message for each of the two rooms, and one event for the socket that is in both.
    await expect.poll(() => three.hub.relayed() - (before[2] ?? 0), { timeout: SOON_MS }).toBe(2)
    expect(one.hub.relayed()).toBe(before[0])
    // The socket has it a moment after its process.
    await staff.until('transaction_changed', toldBefore + 1)
    expect(staff.told('transaction_changed')).toHaveLength(toldBefore + 1)

    // Whoever has left is not subscribed to any more.
    there.close()
    await expect.poll(() => two.hub.count(), { timeout: SOON_MS }).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, SOON_MS))
    const left = two.hub.relayed()
    for (let n = 0; n < 20; n++) one.hub.emitTo(`user:${player.id}`, 'account_changed', {})
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(two.hub.relayed()).toBe(left)
  })

  test('clients of a process that started while Redis hung reconnect after Redis answers', async () => {
    const db = await openDatabase()
    const { player } = await createPair(db)
    const late = await startProcess(db, own.url, () => own.freeze())
    const client = await join(late, player)
    const closed = new Promise((resolve) => client.socket.once('disconnect', resolve))
    own.thaw()
    expect(await closed).toBe('transport close')
  })

  test('while Redis hangs a message is answered; clients that may have missed it reconnect; stopping takes no time', async () => {
    const db = await openDatabase()
    const [one, two] = [await startProcess(db), await startProcess(db)]
    const { player, boss } = await createPair(db)
    const [sender, listener] = [await join(one, player), await join(two, boss)]
    const send = (content: string, client = sender) =>
      client.ask('send_message', { receiverId: boss.id, content, type: 'text', tempId: randomUUID() })
    expect(await send('before')).toMatchObject({ ok: true })
    await listener.until('receive_message', 1)

    own.freeze()
    const startedMs = performance.now()
    expect(await send('meanwhile')).toMatchObject({ ok: true })
    expect(performance.now() - startedMs).toBeLessThan(1_800)
    // The sender's own process still notifies its own sockets.
    await sender.until('message_sent', 2)
    // Longer than the connections between the processes wait for an answer.
    await new Promise((resolve) => setTimeout(resolve, 8_000))
    expect(listener.told('receive_message')).toHaveLength(1)
    const closed = [sender, listener].map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
    own.thaw()
    // Our client reconnects in the same way after it lost its connection.
    expect(await Promise.all(closed)).toEqual(['transport close', 'transport close'])
    const [back, later] = [await join(one, player), await join(two, boss)]
    expect(await send('after', back)).toMatchObject({ ok: true })
    await later.until('receive_message', 1)

    own.freeze()
    const endingMs = performance.now()
    await two.close()
    expect(performance.now() - endingMs).toBeLessThan(3_000)
  })

  test('after a master of a cluster was away, clients that may have missed what was for them reconnect', async () => {
    const cluster = await startOwnCluster()
    closing.push(() => cluster.stop())
    const db = await openDatabase()
    // Enough that some of their rooms are at the master that goes.
    const players = await createPlayers(db, 12)
    const one = await startProcess(db, cluster.url)
    let closings = 0
    for (const player of players) (await join(one, player)).socket.on('disconnect', () => void (closings += 1))
    // Before its connections stand, nothing counts as missed.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    await cluster.killOne(0)
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    expect(closings).toBe(0)
    await cluster.reviveOne(0)
    await expect.poll(() => closings, { timeout: 20_000 }).toBe(12)
  })

  test('after the Sentinels chose another master, messages reach the clients of both processes again, none lost', async () => {
    const sentinels = await startOwnSentinels()
    closing.push(() => sentinels.stop())
    const db = await openDatabase()
    const [one, two] = [await startProcess(db, sentinels.url), await startProcess(db, sentinels.url)]
    const { player, boss } = await createPair(db)
    const [sender, listener] = [await join(one, player), await join(two, boss)]
    const send = async (content: string, client: ChatClient) => {
      const sent = { receiverId: boss.id, content, type: 'text', tempId: randomUUID() } as const
      expect(await client.ask('send_message', sent)).toMatchObject({ ok: true })
    }
    await send('before', sender)
    await listener.until('receive_message', 1)

    const closed = new Promise((resolve) => listener.socket.once('disconnect', resolve))
    const lostMs = performance.now()
    await sentinels.takeMasterAway('SIGKILL')
    // Nothing waits for Redis, and the row is what counts.
    await send('meanwhile', sender)
    expect(performance.now() - lostMs).toBeLessThan(2_000)
    await closed
    const [back, later] = [await join(one, player), await join(two, boss)]
    let sent = 0
    await expect
      .poll(
        async () => {
          await send(`after ${(sent += 1)}`, back)
          return later.told('receive_message').length
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBeGreaterThan(0)
    const { rows } = await db.query<{ content: string }>('select content from messages order by seq')
    expect(rows.map(({ content }) => content)).toEqual([
      'before',
      'meanwhile',
      ...Array.from({ length: sent }, (_, n) => `after ${n + 1}`),
    ])
    // Sentinels whose votes are split try again after ten seconds.
  }, 180_000)
})
