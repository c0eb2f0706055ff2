import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, refusedWith, type TestApp } from '#testing/app/app.ts'
import { bareToken, type ChatClient, openChatClient } from '#testing/app/chat-client.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'

describe.each(testEngines)('who has a request open on %s', (engine) => {
  let db: SettableDatabase
  let app: TestApp
  let url: string
  let player: TestPlayer
  let lan: TestPlayer
  let minh: TestPlayer
  let request: string
  let another: string
  const clients: ChatClient[] = []
  beforeAll(async () => {
    db = await openSettableDatabase(engine)
    app = await buildTestApp(db)
    url = await app.http.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(async () => {
    await db.setAhead(0)
    await resetDatabase(db)
    ;[player] = await createPlayers(db, 1)
    ;[lan, minh] = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0 })
    ;[request, another] = [await file(), await file()]
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  afterAll(async () => {
    await app.close()
    await db.close()
  })

  const file = async () => {
    const id = newId()
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
       values ($1, $2, 'deposit', 100, $1, '0123', 'A', 'VCB', clock_timestamp())`,
      [id, player.id],
    )
    return id
  }
  const call = (who: TestPlayer, method: 'GET' | 'PUT' | 'DELETE', path = '', body?: unknown) =>
    app.call(method, `/api/v1/transaction/views${path}`, {
      token: bareToken(who),
      ...(body === undefined ? {} : { body }),
    })
  const look = (who: TestPlayer, page: string, transactionId: string) => call(who, 'PUT', `/${page}`, { transactionId })
  const leave = (who: TestPlayer, page: string) => call(who, 'DELETE', `/${page}`)
  /** Which requests others have open, as this admin is told. */
  const seenBy = async (who: TestPlayer) =>
    ((await call(who, 'GET')).body.data as { transactionId: string; admin: { _id: string; username: string } }[]).map(
      ({ transactionId, admin }) => [transactionId, admin.username],
    )

  test('the others are told with the name, oneself is not, and a second admin is told of the first', async () => {
    expect((await look(lan, newId(), request)).status).toBe(200)
    expect(await seenBy(minh)).toEqual([[request, lan.username]])
    expect(await seenBy(lan)).toEqual([])
    await look(minh, newId(), request)
    expect(await seenBy(lan)).toEqual([[request, minh.username]])
  })

  test('a page has one request open: the next takes the place of the one before', async () => {
    const page = newId()
    await look(lan, page, request)
    await look(lan, page, another)
    expect(await seenBy(minh)).toEqual([[another, lan.username]])
  })

  test('two pages of one admin are one name, which stays until both have left', async () => {
    const [one, two] = [newId(), newId()]
    await look(lan, one, request)
    await look(lan, two, request)
    expect(await seenBy(minh)).toEqual([[request, lan.username]])
    await leave(lan, one)
    expect(await seenBy(minh)).toEqual([[request, lan.username]])
    await leave(lan, two)
    expect(await seenBy(minh)).toEqual([])
    expect((await leave(lan, two)).status).toBe(200)
  })

  test('it is over after two minutes, unless it is renewed, and nothing of it is kept', async () => {
    const page = newId()
    await look(lan, page, request)
    await db.setAhead(119_000)
    expect(await seenBy(minh)).toHaveLength(1)
    await look(lan, page, request)
    await db.setAhead(238_000)
    expect(await seenBy(minh)).toHaveLength(1)
    await db.setAhead(240_000)
    expect(await seenBy(minh)).toEqual([])
    await look(minh, newId(), another)
    expect((await db.query(`select request_id from request_views`)).rows).toEqual([{ request_id: another }])
  })

  test('nobody moves or ends what another admin has open', async () => {
    const page = newId()
    await look(lan, page, request)
    expect(await look(minh, page, another)).toMatchObject(refusedWith('NOT_FOUND'))
    await leave(minh, page)
    expect(await seenBy(minh)).toEqual([[request, lan.username]])
  })

  test('an unknown request, an id that is none, and a player are refused', async () => {
    expect(await look(lan, newId(), newId())).toMatchObject(refusedWith('NOT_FOUND'))
    expect((await look(lan, 'x', request)).status).toBe(400)
    expect((await look(lan, newId(), 'x')).status).toBe(400)
    for (const reply of [await call(player, 'GET'), await look(player, newId(), request), await leave(player, newId())])
      expect(reply.status).toBe(403)
    expect(await seenBy(minh)).toEqual([])
  })

  test('it blocks nothing: another admin decides, and the owner cancels, what somebody has open', async () => {
    await look(lan, newId(), request)
    await look(lan, newId(), another)
    const decided = await app.call('PATCH', `/api/v1/transaction/${request}`, {
      token: bareToken(minh),
      body: { status: 'ACCEPT', from: 'IN_PROGRESS' },
    })
    expect(decided).toMatchObject({ status: 200, body: { data: { decidedBy: { username: minh.username } } } })
    const cancelled = await app.call('DELETE', `/api/v1/transaction/${another}`, { token: bareToken(player) })
    expect(cancelled.status).toBe(200)
  })

  test('staff are hinted when it begins, moves and ends, not at a renewal; its owner never is', async () => {
    const [staff, owner] = await Promise.all([openChatClient(url, minh), openChatClient(url, player)])
    clients.push(staff, owner)
    const page = newId()
    await look(lan, page, request)
    await look(lan, page, request)
    await look(lan, page, another)
    await leave(lan, page)
    await staff.until('transaction_viewed', 3)
    // The order of a socket's events is that of their sending: what comes after them has arrived last.
    app.hub.emitTo('everybody', 'account_changed', {})
    await Promise.all([staff.until('account_changed', 1), owner.until('account_changed', 1)])
    expect(staff.told('transaction_viewed')).toEqual([
      { requestId: request },
      { requestId: another },
      { requestId: another },
    ])
    expect(owner.told('transaction_viewed')).toEqual([])
  })
})
