import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_PREFERENCES, type PushPreferences } from '#domain/push/push.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { ACCOUNT_CHANGES, countRows } from '#testing/play/account-changes.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { type PushService, startPushService } from '#testing/machines/push-service.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { setPreferences } from './preferences.ts'
import { queuePush } from './queue-push.ts'
import type { PushOutcome, SendPush } from './send-push.ts'
import { type QueueSender, startSendingPushes } from './send-queued.ts'
import { subscribe } from './subscribe.ts'

const sent: PushOutcome = { is: 'sent' }
const failed: PushOutcome = { is: 'failed', reason: 'status 503', wishedMs: null }

describe.each(testEngines)('the queue of pushes on %s', (engine) => {
  const db = useDatabase(engine)
  let service: PushService
  const [player] = usePeople(db, 1)
  const [admin] = usePeople(db, 1, { role: 'admin' })
  const senders: QueueSender[] = []

  beforeAll(async () => {
    service = await startPushService()
  })
  beforeEach(async () => {
    await subscribeAs(player)
    await prefer({ quiet: null })
  })
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.stop()
  })
  afterAll(() => service.stop())

  const subjectOf = (who: TestPlayer): Subject => ({
    userId: who.id,
    username: who.username,
    sessionId: who.token.sessionId,
    role: 'player',
    capabilities: [],
    isFrozen: false,
    mustChangePassword: false,
  })
  const subscribeAs = async (who: TestPlayer) =>
    expect(await subscribe(db, service.options.rule!, subjectOf(who), service.subscribe())).toBeNull()
  const prefer = async (change: Partial<PushPreferences>) =>
    expect(await setPreferences(db, subjectOf(player), { ...DEFAULT_PREFERENCES, ...change })).toBeNull()
  /** A process's sender; what it sends is answered by `send`, with the number of the attempt from 1. */
  const startSender = (send: (attempt: number) => PushOutcome | Promise<PushOutcome> = () => sent) => {
    const tags: string[] = []
    const remember: SendPush = async (_, { tag }) => send(tags.push(tag))
    const sender = startSendingPushes({ db, send: remember, log: createLog('silent') })
    senders.push(sender)
    return { ...sender, tags }
  }
  const queue = (kind: Parameters<typeof queuePush>[2]) => db.tx((tx) => queuePush(tx, player.id, kind))
  const rows = async () =>
    (
      await db.query<{ kind: string; attempts: number; in_s: number }>(
        `select kind, attempts, extract(epoch from due_at - clock_timestamp())::float8 as in_s from push_queue
          order by kind`,
      )
    ).rows
  const makeDue = () => db.query(`update push_queue set due_at = clock_timestamp()`)
  /** Quiet hours from an hour ago, of this length, in Vietnam. */
  const quietFor = (hours: number): PushPreferences['quiet'] => {
    const nowMinute = Math.floor(Date.now() / 60_000 + 7 * 60)
    return { fromMinute: (nowMinute - 60) % 1440, toMinute: (nowMinute - 60 + hours * 60) % 1440 }
  }

  test('nothing is sent before the commit, and nothing after a rollback', async () => {
    const { sendDue, tags } = startSender()
    if (engine === 'native')
      await db.tx(async (tx) => {
        await queuePush(tx, player.id, 'points-adjusted')
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        expect(tags).toEqual([])
      })
    await db
      .tx(async (tx) => {
        await queuePush(tx, player.id, 'request-decided')
        throw new Error('rolled back')
      })
      .catch(() => {})
    await sendDue()
    expect(tags).toEqual(engine === 'native' ? ['points-adjusted'] : [])
    await queue('request-decided')
    await sendDue()
    expect(tags.at(-1)).toBe('request-decided')
    expect(await rows()).toEqual([])
  })

  test('many processes send each push once', async () => {
    const others = await createPlayers(db, 40)
    for (const one of others) await subscribeAs(one)
    await db.query(
      `insert into push_preferences (user_id, request_decided, care_replied, points_adjusted, may_offer)
       select unnest($1::uuid[]), true, true, true, true`,
      [others.map(({ id }) => id)],
    )
    const processes = Array.from({ length: 4 }, () =>
      startSender(() => new Promise((done) => setTimeout(() => done(sent), 5))),
    )
    for (const { id } of others) await db.tx((tx) => queuePush(tx, id, 'points-adjusted'))
    await Promise.all(processes.map(({ sendDue }) => sendDue()))
    // What one process has taken may be under way in its own regular turn.
    await Promise.all(processes.map(({ sendDue }) => sendDue()))
    expect(processes.flatMap(({ tags }) => tags)).toHaveLength(40)
    expect(await rows()).toEqual([])
  })

  test('what happens again before it is sent is sent once; what happens while it is sent, once more', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { sendDue, tags } = startSender(async (attempt) => {
      if (attempt === 1) await held
      return sent
    })
    await db.tx(async (tx) => {
      await queuePush(tx, player.id, 'points-adjusted')
      await queuePush(tx, player.id, 'points-adjusted')
    })
    const sending = sendDue()
    await expect.poll(() => tags).toEqual(['points-adjusted'])
    await queue('points-adjusted')
    release()
    await sending
    await sendDue()
    expect(tags).toEqual(['points-adjusted', 'points-adjusted'])
    expect(await rows()).toEqual([])
  })

  test('a push that fails is tried again later and later, and given up after six attempts', async () => {
    const { sendDue, tags } = startSender(() => failed)
    await queue('points-adjusted')
    const waits: number[] = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      await makeDue()
      await sendDue()
      expect(tags).toHaveLength(attempt)
      waits.push(Math.ceil(((await rows())[0]?.in_s ?? 0) / 10) * 10)
    }
    expect(waits).toEqual([10, 40, 160, 640, 2560, 0])
    expect(await rows()).toEqual([])
  })

  test('a push that its service refuses is given up, and the browser stays; one that is gone goes', async () => {
    const outcomes: PushOutcome[] = [{ is: 'refused', reason: 'status 400' }, { is: 'gone' }]
    const { sendDue, tags } = startSender((attempt) => outcomes[attempt - 1] ?? sent)
    const browsers = async () => (await db.query('select 1 from push_subscriptions')).rowCount
    await queue('points-adjusted')
    await sendDue()
    expect([await rows(), await browsers()]).toEqual([[], 1])
    await queue('points-adjusted')
    await sendDue()
    expect([await rows(), await browsers(), tags.length]).toEqual([[], 0, 2])
  })

  test('what a process took and did not finish is sent by another one after its lease', async () => {
    await queue('points-adjusted')
    let end: (outcome: PushOutcome) => void = () => {}
    const dying = startSender(() => new Promise((resolve) => (end = resolve)))
    void dying.sendDue()
    await expect.poll(() => dying.tags).toHaveLength(1)
    // It takes nothing more, and does not come to delete what it sends.
    const stopped = dying.stop()
    const { sendDue, tags } = startSender()
    await sendDue()
    expect(tags).toEqual([])
    const [row] = await rows()
    expect(row?.in_s).toBeGreaterThan(50)
    await makeDue()
    await sendDue()
    expect([tags, await rows()]).toEqual([['points-adjusted'], []])
    end(sent)
    await stopped
  })

  test('a process that ends waits for no push service, and the push is sent after its lease', async () => {
    await queue('points-adjusted')
    const hanging: SendPush = (_target, _message, _delivery, stopping) =>
      new Promise((resolve) => {
        if (stopping.aborted) resolve(failed)
        stopping.addEventListener('abort', () => resolve(failed))
      })
    const sender = startSendingPushes({ db, send: hanging, log: createLog('silent') })
    senders.push(sender)
    void sender.sendDue()
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    await sender.stop()
    expect(sender.counters.failed).toBe(0)
    expect((await rows())[0]?.in_s).toBeGreaterThan(50)
  })

  test('in quiet hours a push waits for their end, and that is no attempt', async () => {
    const { sendDue, tags } = startSender()
    await prefer({ quiet: quietFor(3) })
    await queue('points-adjusted')
    await sendDue()
    const [row] = await rows()
    expect([tags, row?.attempts]).toEqual([[], 0])
    expect(row?.in_s).toBeGreaterThan(3_600)
    expect(row?.in_s).toBeLessThanOrEqual(7_260)
    // Without quiet hours it goes at once.
    await prefer({ quiet: null })
    await makeDue()
    await sendDue()
    expect([tags, await rows()]).toEqual([['points-adjusted'], []])
  })

  test('a change of the quiet hours is heeded within seconds by what already waits', async () => {
    const { sendDue } = startSender()
    await prefer({ quiet: quietFor(3) })
    await queue('points-adjusted')
    await sendDue()
    await prefer({ quiet: null })
    expect((await rows())[0]?.in_s).toBeLessThanOrEqual(10)
  })

  test('a kind that is switched off is not sent, also where it waits already', async () => {
    const { sendDue, tags } = startSender()
    await prefer({ quiet: quietFor(3) })
    await queue('points-adjusted')
    await queue('request-decided')
    await prefer({ quiet: null, kinds: { ...DEFAULT_PREFERENCES.kinds, 'points-adjusted': false } })
    await queue('points-adjusted')
    await makeDue()
    await sendDue()
    expect([tags, await rows()]).toEqual([['request-decided'], []])
  })

  test('a reply that was read meanwhile is not sent, an unread one is', async () => {
    const { sendDue, tags } = startSender()
    const conversationId = newId()
    await db.query(`insert into conversations (id, player_id, holder_id, last_seq) values ($1, $2, $3, 1)`, [
      conversationId,
      player.id,
      admin.id,
    ])
    await db.query(
      `insert into messages (conversation_id, seq, id, sender_id, client_id, kind, content, search_key)
       values ($1, 1, $2, $3, 'a', 'text', 'x', 'x')`,
      [conversationId, newId(), admin.id],
    )
    await queue('care-replied')
    expect((await rows())[0]?.in_s).toBeGreaterThan(8)
    await makeDue()
    await sendDue()
    expect(tags).toEqual(['care-replied'])
    await queue('care-replied')
    await db.query(`insert into conversation_members (conversation_id, user_id, read_seq) values ($1, $2, 1)`, [
      conversationId,
      player.id,
    ])
    await makeDue()
    await sendDue()
    expect([tags, await rows()]).toEqual([['care-replied'], []])
  })

  test('what was read among the notices while it waited is not sent', async () => {
    const { sendDue, tags } = startSender()
    const readThrough = (at: string) =>
      db.query(
        `insert into notice_marks (user_id, read_through) values ($1, ${at})
         on conflict (user_id) do update set read_through = excluded.read_through`,
        [player.id],
      )
    await readThrough(`clock_timestamp() - interval '1 minute'`)
    await queue('request-decided')
    await sendDue()
    expect(tags).toEqual(['request-decided'])
    await prefer({ quiet: quietFor(3) })
    await queue('points-adjusted')
    await sendDue()
    await readThrough('clock_timestamp()')
    await prefer({ quiet: null })
    await makeDue()
    await sendDue()
    expect([tags, await rows()]).toEqual([['request-decided'], []])
  })

  test.each(ACCOUNT_CHANGES)('whoever is %s since the call arrived subscribes no browser', async (_, change, code) => {
    await db.query(change, [player.id])
    const before = await countRows(db, 'push_subscriptions')
    const refused = await subscribe(db, service.options.rule!, subjectOf(player), service.subscribe())
    expect(refused).toMatchObject({ code })
    expect(await countRows(db, 'push_subscriptions')).toBe(before)
  })

  test('after a day it is no news any more', async () => {
    const { sendDue, tags } = startSender()
    await queue('points-adjusted')
    await db.query(
      `update push_queue set happened_at = clock_timestamp() - interval '1 day', due_at = clock_timestamp()`,
    )
    await sendDue()
    expect([tags, await rows()]).toEqual([[], []])
  })
})
