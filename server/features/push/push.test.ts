import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { pushMessages } from '#contract/push.ts'
import type { PushKind } from '#domain/push/push.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, callsBelow, refusedWith, type TestApp } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { useClients } from '#testing/app/use-clients.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { type PushService, startPushService, type TestBrowser } from '#testing/machines/push-service.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { later, useDatabase } from '#testing/database/use-database.ts'
import { issueToken, parseBareToken } from '#server/platform/http/auth.ts'
import { dropExpiredSubscriptions } from './drop-subscriptions.ts'
import { queuePush } from './queue-push.ts'
import { readPushKeys } from './keys.ts'
import type { PushTarget } from './send-push.ts'

const always = { kinds: { requestDecided: true, careReplied: true, pointsAdjusted: true }, mayOffer: true }
const anyTime = { ...always, quietHours: null }
const wire = ({ endpoint, p256dh, authSecret }: PushTarget) => ({ endpoint, p256dh, auth: authSecret })

describe.each(testEngines)('pushes on %s', (engine) => {
  const db = useDatabase(engine)
  let opened: TestApp
  const app = later(() => opened)
  let service: PushService
  let callsBefore = 0
  const [player, other] = usePeople(db, 2)
  const [admin] = usePeople(db, 1, { role: 'admin', welcomePoints: 0 })

  beforeAll(async () => {
    service = await startPushService()
    const keys = await readPushKeys(db, { vapidPrivateKey: null, vapidSubject: null, supportContact: '' })
    opened = await buildTestApp(db, { push: { keys, ...service.options } })
  })
  const openSocket = useClients(app)
  beforeEach(async () => {
    service.taken.length = 0
    service.answerWith(null)
    callsBefore = service.calls()
  })
  afterAll(async () => {
    await app.close()
    await service.stop()
  })

  const call = callsBelow(app, '')
  /** Subscribes this session's browser, without quiet hours, since a test may run at night. */
  const subscribe = async (who = player, browser = service.subscribe()): Promise<TestBrowser> => {
    await call(who, 'PUT', '/push', anyTime)
    const reply = await call(who, 'PUT', '/push/subscription', wire(browser))
    expect([reply.status, reply.body.data]).toEqual([200, expect.objectContaining({ endpoint: browser.endpoint })])
    return browser
  }
  const queue = (kind: PushKind, userId = player.id) => db.tx((tx) => queuePush(tx, userId, kind))
  const queued = async (): Promise<string[]> =>
    (await db.query<{ kind: string }>('select kind from push_queue order by kind')).rows.map(({ kind }) => kind)
  const subscribed = async (who = player) =>
    ((await call(who, 'GET', '/push')).body.data as { endpoint: string | null }).endpoint !== null
  /** A reply is sent 10 s later. */
  const makeDue = () => db.query(`update push_queue set due_at = clock_timestamp() - interval '1 s'`)
  /** Another sign-in of the same user. */
  const signInAgain = async (who: TestPlayer): Promise<TestPlayer> => {
    const sessionId = newId()
    const { token, secretHash } = issueToken(who.id, sessionId)
    await db.query(
      `insert into sessions (id, user_id, secret_hash, expires_at) values ($1, $2, $3, clock_timestamp() + interval '1 day')`,
      [sessionId, who.id, secretHash],
    )
    const parsed = parseBareToken(token)
    if (parsed === null) throw new Error('The test made a token that nobody can read.')
    return { ...who, bearer: `Bearer ${token}`, token: parsed }
  }
  const arrived = (count: number) =>
    vi.waitFor(() => expect(service.taken.length).toBeGreaterThanOrEqual(count), { timeout: 8_000, interval: 50 })
  const texts = () => service.taken.map(({ text }) => JSON.parse(text) as { body: string; path: string })

  describe('end to end', () => {
    const linkBank = (who: TestPlayer) =>
      call(who, 'POST', '/bank', { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' })
    const file = async (money: number) => {
      const reply = await call(player, 'POST', '/transaction', { type: 'DEPOSIT', money })
      return (reply.body.data as { _id: string })._id
    }

    test('a decided request, a reply and an adjustment arrive, each as its fixed sentence', async () => {
      await linkBank(player)
      const browser = await subscribe()
      const stranger = await subscribe(other)
      const reason = 'Sai nội dung 98765'
      expect(
        (await call(admin, 'PATCH', `/transaction/${await file(98_765)}`, { status: 'REJECT', description: reason }))
          .status,
      ).toBe(200)
      expect((await call(admin, 'POST', `/user/${player.id}`, { score: 43_210, reason: 'Tặng 43210' })).status).toBe(
        200,
      )
      await arrived(2)
      const socket = await openSocket(admin)
      const opened = await call(player, 'POST', '/chat/conversations', { participantId: admin.id })
      const conversationId = (opened.body.data as { _id: string })._id
      await socket.ask('send_message', { conversationId, content: 'Mật khẩu là 123456', type: 'text', tempId: 't1' })
      expect(await queued()).toEqual(['care-replied'])
      await makeDue()
      await arrived(3)
      expect(texts().toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
        pushMessages['points-adjusted'],
        pushMessages['care-replied'],
        pushMessages['request-decided'],
      ])
      expect(new Set(service.taken.map(({ endpoint }) => endpoint))).toEqual(new Set([browser.endpoint]))
      expect(stranger.endpoint).not.toBe(browser.endpoint)
      for (const { text, headers } of service.taken)
        for (const secret of [
          '98765',
          '98.765',
          '43210',
          '43.210',
          '123456',
          player.username,
          admin.username,
          player.id,
          reason,
        ])
          expect(
            `${text} ${JSON.stringify({ ...headers, authorization: '' })}`.replace(/"host":"[^"]*"/, ''),
          ).not.toContain(secret)
      await vi.waitFor(async () => expect(await queued()).toEqual([]))
    })

    test('a request that its owner cancels is no news, and nothing is written for whoever has no pushes', async () => {
      await linkBank(player)
      const cancelled = await file(10)
      await subscribe()
      await call(player, 'DELETE', `/transaction/${cancelled}`)
      expect(await queued()).toEqual([])
      await call(admin, 'POST', `/user/${other.id}`, { score: 5 })
      expect(await queued()).toEqual([])
      // Staff who delete a pending request decide it.
      const deleted = await file(11)
      await call(admin, 'DELETE', `/transaction/${deleted}`)
      await arrived(1)
      expect(texts()).toEqual([pushMessages['request-decided']])
    })

    test('what the player writes to care is no reply', async () => {
      await subscribe()
      const socket = await openSocket(player)
      await socket.ask('send_message', { receiverId: admin.id, content: 'Xin chào', type: 'text', tempId: 't1' })
      expect(await queued()).toEqual([])
    })
  })

  describe('subscribing', () => {
    test('is off by default, with all kinds and a quiet night once it is on', async () => {
      const { data } = (await call(player, 'GET', '/push')).body
      expect(data).toEqual({
        ...always,
        quietHours: { from: '22:00', to: '07:00' },
        endpoint: null,
        publicKey: expect.stringMatching(/^[\w-]{87}$/),
      })
    })

    test.each(['http://push.kimphien.test/x', 'https://10.0.0.1/x', 'https://localhost/x', 'x'])(
      'is refused for %s',
      async (endpoint) => {
        const reply = await call(player, 'PUT', '/push/subscription', { ...wire(service.subscribe()), endpoint })
        expect(reply).toMatchObject(refusedWith('PUSH_ENDPOINT_INVALID'))
        expect(await subscribed()).toBe(false)
      },
    )

    test('is refused for keys that nothing can be encrypted with', async () => {
      const good = wire(service.subscribe())
      for (const bad of [{ auth: 'kurz' }, { p256dh: Buffer.alloc(65, 4).toString('base64url') }, { p256dh: '' }])
        expect(await call(player, 'PUT', '/push/subscription', { ...good, ...bad })).toMatchObject(
          refusedWith('PUSH_ENDPOINT_INVALID'),
        )
    })

    test('a session has one browser, and a browser one session', async () => {
      const first = await subscribe()
      await subscribe(player, service.subscribe())
      expect((await db.query('select 1 from push_subscriptions')).rowCount).toBe(1)
      // The next user of that browser: the one before gets no pushes there any more.
      const later = await subscribe(other, first)
      await subscribe(player, later)
      expect([await subscribed(other), await subscribed(player)]).toEqual([false, true])
    })

    test('two sessions that claim one browser together end with one of them', async () => {
      const browser = service.subscribe()
      const replies = await Promise.all(
        [player, other].map((who) => call(who, 'PUT', '/push/subscription', wire(browser))),
      )
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
      expect((await db.query('select 1 from push_subscriptions')).rowCount).toBe(1)
    })

    test('a user has ten browsers, the newest', async () => {
      const sessions = []
      for (let count = 0; count < 12; count++) sessions.push(await signInAgain(player))
      for (const session of sessions) await subscribe(session)
      const states = await Promise.all(sessions.map((session) => subscribed(session)))
      expect(states).toEqual([false, false, ...Array<boolean>(10).fill(true)])
    })

    test('a browser renews its subscription with the old one’s secret alone', async () => {
      const old = await subscribe()
      const fresh = service.subscribe()
      const renew = (fields: object) =>
        app.call('POST', '/api/v1/push/renewal', { body: { ...wire(fresh), ...fields } })
      const isStillOld = async () =>
        (await db.query('select 1 from push_subscriptions where endpoint = $1', [old.endpoint])).rowCount === 1
      for (const wrong of [
        { oldEndpoint: old.endpoint, oldAuth: fresh.authSecret },
        { oldEndpoint: fresh.endpoint, oldAuth: old.authSecret },
      ]) {
        const reply = await renew(wrong)
        expect([reply.status, reply.body.data, await isStillOld()]).toEqual([200, null, true])
      }
      const own = { oldEndpoint: old.endpoint, oldAuth: old.authSecret }
      expect(await renew({ ...own, endpoint: 'https://127.0.0.2/x' })).toMatchObject(
        refusedWith('PUSH_ENDPOINT_INVALID'),
      )
      expect((await renew(own)).status).toBe(200)
      await queue('points-adjusted')
      await arrived(1)
      expect(service.taken.map(({ endpoint }) => endpoint)).toEqual([fresh.endpoint])
    })

    test('ends when the user says so', async () => {
      await subscribe()
      const reply = await call(player, 'DELETE', '/push/subscription')
      expect(reply.body.data).toMatchObject({ endpoint: null })
      await queue('points-adjusted')
      expect(await queued()).toEqual([])
    })
  })

  describe('go with the session', () => {
    const endpoints = async () =>
      (await db.query<{ session_id: string }>('select session_id from push_subscriptions')).rows.map(
        (row) => row.session_id,
      )

    test('that signs out', async () => {
      await subscribe()
      const elsewhere = await signInAgain(player)
      await subscribe(elsewhere)
      expect((await call(player, 'POST', '/auth/logout')).status).toBe(200)
      expect(await endpoints()).toEqual([elsewhere.token.sessionId])
    })

    test('of a user whom staff freeze, give a password or another role, or delete', async () => {
      const acts: Array<readonly ['POST' | 'DELETE', string, object?]> = [
        ['POST', '', { isPaused: true }],
        ['POST', '', { password: 'matkhaumoi' }],
        ['POST', '/role', { role: 'ADMIN', version: '1.1' }],
        ['DELETE', ''],
      ]
      for (const [method, path, body] of acts) {
        const [someone] = await createPlayers(db, 1)
        await subscribe(someone)
        await queue('points-adjusted', someone.id)
        expect((await call(admin, method, `/user/${someone.id}${path}`, body)).status).toBe(200)
        expect(await endpoints()).toEqual([])
      }
    })

    test('that expired, once a minute', async () => {
      await subscribe()
      await subscribe(other)
      await db.query(`update sessions set expires_at = clock_timestamp() where id = $1`, [player.token.sessionId])
      expect(await dropExpiredSubscriptions(db)).toBe(1)
      expect(await endpoints()).toEqual([other.token.sessionId])
    })

    test('also where it ended otherwise, or its user is frozen: a queued push is not sent', async () => {
      for (const end of [
        `update sessions set ended_at = clock_timestamp() where user_id = $1`,
        `update sessions set expires_at = clock_timestamp() where user_id = $1`,
        `update users set is_frozen = true where id = $1`,
        `update users set deleted_at = clock_timestamp() where id = $1`,
      ]) {
        const [someone] = await createPlayers(db, 1)
        await subscribe(someone)
        await db.query(end, [someone.id])
        await queue('points-adjusted', someone.id)
        expect(await queued()).toContain('points-adjusted')
      }
      await vi.waitFor(async () => expect(await queued()).toEqual([]), { timeout: 5_000 })
      expect(service.calls()).toBe(callsBefore)
    })
  })
})
