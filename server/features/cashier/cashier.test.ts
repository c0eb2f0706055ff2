import { describe, expect, test } from 'vitest'
import { sayingUntil } from '#contract/refusal-time.ts'
import { refusals } from '#contract/refusals.ts'
import { TOTAL_COUNTED_TO } from '#contract/limits.ts'
import { points } from '#domain/money.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { callsBelow, refusedWith } from '#testing/app/app.ts'
import { balancesOf, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

describe.each(testEngines)('requests on %s', (engine) => {
  const { db, app } = useApp(engine)
  const [player, other] = usePeople(db, 2)
  const [admin, second] = usePeople(db, 2, { role: 'admin', welcomePoints: 0 })

  const as = (who: TestPlayer) => who.bearer.slice('Bearer '.length)
  const call = callsBelow(app, '')
  const bank = { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' }
  const link = (who: TestPlayer, bankNumber = bank.bankNumber) => call(who, 'POST', '/bank', { ...bank, bankNumber })
  const file = async (who: TestPlayer, body: object, headers = {}) => {
    const { status, body: answer } = await call(who, 'POST', '/transaction', body, headers)
    const { _id, ...rest } = (answer.data ?? {}) as { _id?: string }
    return { status, code: answer.code, message: answer.message, id: _id ?? '', data: rest as Record<string, unknown> }
  }

  test('a deposit credits on ACCEPT, once, and the answer to the second admin names the first', async () => {
    await link(player)
    const filed = await file(player, { type: 'DEPOSIT', money: 250.5, description: 'nap lan 1', author: player.id })
    expect([filed.status, filed.data['status'], filed.data['description'], filed.data['money']]).toEqual([
      200,
      'IN_PROGRESS',
      'nap lan 1',
      250.5,
    ])
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    const answers = await Promise.all(
      [admin, second].map((who) =>
        call(who, 'PATCH', `/transaction/${filed.id}`, { status: 'ACCEPT', from: 'IN_PROGRESS' }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const loser = answers.find(({ status }) => status === 409)
    const winner = answers[0]?.status === 200 ? admin : second
    expect([loser?.body.code, loser?.body.details]).toEqual([
      'ALREADY_DECIDED',
      expect.objectContaining({ decidedBy: winner.username, status: 'ACCEPT' }),
    ])
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000) + 25_050n)
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('staff sort by time or amount, and ask again for exactly the rows on screen', async () => {
    await link(player)
    const filed: string[] = []
    for (const money of [20, 5, 70]) filed.push((await file(player, { type: 'DEPOSIT', money })).id)
    const ids = async (query: string, who = admin) =>
      ((await call(who, 'GET', `/transaction${query}`)).body.data as Array<{ _id: string }>).map(({ _id }) => _id)
    const [first, second, third] = filed as [string, string, string]
    expect(await ids('')).toEqual([third, second, first])
    expect(await ids('?sort=createdAt')).toEqual([first, second, third])
    expect(await ids('?sort=-money')).toEqual([third, first, second])
    expect(await ids('?sort=money&limit=1&page=2')).toEqual([first])
    expect((await call(admin, 'GET', '/transaction?sort=pass')).body.code).toBe('BAD_REQUEST')
    expect(await ids(`?ids=${first},${third}`)).toEqual([third, first])
    expect(await ids(`?ids=${first}&status=ACCEPT`)).toEqual([])
    expect((await call(admin, 'GET', '/transaction?ids=1,2')).body.code).toBe('BAD_REQUEST')
    // Naming ids does not open other users' requests.
    expect(await ids(`?ids=${first}`, other)).toEqual([])
    expect(await ids(`?username=${player.username.toUpperCase().slice(0, 5)}&limit=100`)).toEqual(
      expect.arrayContaining(filed),
    )
  })

  test('a withdrawal is reserved on filing, taken on ACCEPT and given back on REJECT', async () => {
    await link(player)
    const first = await file(player, { type: 'WITHDRAW', money: 400, pass: 'rut' })
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(600), staked: 0n, reserved: points(400) })
    expect((await file(player, { type: 'WITHDRAW', money: 601 })).message).toBe('Số dư không đủ')
    await call(admin, 'PATCH', `/transaction/${first.id}`, { status: 'ACCEPT' })
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(600), staked: 0n, reserved: 0n })
    const next = await file(player, { type: 'WITHDRAW', money: 600 })
    const empty = await call(admin, 'PATCH', `/transaction/${next.id}`, { status: 'REJECT', description: '  ' })
    expect([empty.status, empty.body.code]).toEqual([422, 'REASON_REQUIRED'])
    const rejected = await call(admin, 'PATCH', `/transaction/${next.id}`, {
      status: 'REJECT',
      description: 'Sai nội dung',
    })
    expect(rejected.body.data).toMatchObject({
      status: 'REJECT',
      description: 'Sai nội dung',
      rejectionReason: 'Sai nội dung',
    })
    expect((await balancesOf(db, player.id)).wallet).toBe(points(600))
    // The reason of a rejection can be edited. A decided request that was seen as pending can't be decided again.
    const edited = await call(second, 'PATCH', `/transaction/${next.id}`, {
      status: 'REJECT',
      description: 'Sai ngân hàng',
      from: 'REJECT',
    })
    expect(edited.body.data).toMatchObject({ description: 'Sai ngân hàng' })
    const late = await call(second, 'PATCH', `/transaction/${next.id}`, {
      status: 'REJECT',
      description: 'x',
      from: 'IN_PROGRESS',
    })
    expect([late.status, late.body.code]).toEqual([409, 'ALREADY_DECIDED'])
    expect((await verifyLedger(db, true)).findings).toEqual([])
  })

  test('staff who delete what a colleague has just approved are refused, and nothing is hidden', async () => {
    await link(player)
    const { id } = await file(player, { type: 'DEPOSIT', money: 10 })
    expect((await call(second, 'PATCH', `/transaction/${id}`, { status: 'ACCEPT' })).status).toBe(200)
    const late = await call(admin, 'DELETE', `/transaction/${id}?from=IN_PROGRESS`)
    expect(late).toMatchObject(refusedWith('ALREADY_DECIDED'))
    expect(late.body).toMatchObject({ details: { decidedBy: second.username, status: 'ACCEPT' } })
    const isHidden = async () =>
      (await db.query(`select 1 from cash_requests where hidden_at is not null`)).rowCount === 1
    expect(await isHidden()).toBe(false)
    for (const from of ['ACCEPT', 'ACCEPT'])
      expect((await call(admin, 'DELETE', `/transaction/${id}?from=${from}`)).status).toBe(200)
    expect(await isHidden()).toBe(true)
    expect((await db.query(`select 1 from audit_log where act = 'request.delete'`)).rowCount).toBe(1)
  })

  test('the owner cancels while pending; staff who delete a pending one return its money and hide it', async () => {
    await link(player)
    const mine = await file(player, { type: 'WITHDRAW', money: 100 })
    expect((await call(other, 'DELETE', `/transaction/${mine.id}`)).status).toBe(404)
    expect((await call(player, 'DELETE', `/transaction/${mine.id}`)).status).toBe(200)
    expect((await call(player, 'DELETE', `/transaction/${mine.id}`)).body.code).toBe('ALREADY_DECIDED')
    const theirs = await file(player, { type: 'WITHDRAW', money: 100 })
    expect((await call(admin, 'DELETE', `/transaction/${theirs.id}`)).status).toBe(200)
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
    const own = await call(player, 'GET', '/transaction')
    expect((own.body.data as Array<{ description: string }>).map(({ description }) => description)).toEqual([
      'Yêu cầu đã bị quản trị viên xoá',
      'Bạn đã huỷ yêu cầu',
    ])
    expect((await call(admin, 'GET', '/transaction')).body.meta?.total).toBe(1)
  })

  test.each([
    [{ type: 'DEPOSIT' }, 400, 'BAD_REQUEST'],
    [{ type: 'DEPOSIT', money: '10' }, 400, 'BAD_REQUEST'],
    [{ type: 'DEPOSIT', money: 10, extra: 1 }, 400, 'BAD_REQUEST'],
    [{ type: 'LOAN', money: 10 }, 400, 'BAD_REQUEST'],
    [{ type: 'DEPOSIT', money: 0 }, 422, 'AMOUNT_REQUIRED'],
    [{ type: 'DEPOSIT', money: -5 }, 422, 'AMOUNT_REQUIRED'],
    [{ type: 'DEPOSIT', money: 1.005 }, 422, 'AMOUNT_REQUIRED'],
    [{ type: 'DEPOSIT', money: 0.5 }, 422, 'AMOUNT_LIMIT'],
    [{ type: 'DEPOSIT', money: 1_000_000_001 }, 422, 'AMOUNT_LIMIT'],
    [{ type: 'WITHDRAW', money: 1000.01 }, 422, 'INSUFFICIENT_FUNDS'],
    [{ type: 'DEPOSIT', money: 10, bank: newId() }, 404, 'BANK_NOT_FOUND'],
    [{ type: 'DEPOSIT', money: 10, author: newId() }, 403, 'FORBIDDEN'],
  ])('%j is refused and changes nothing', async (body, status, code) => {
    await link(player)
    const answer = await file(player, body)
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await db.query(`select 1 from cash_requests`)).rowCount).toBe(0)
    expect((await balancesOf(db, player.id)).wallet).toBe(points(1000))
  })

  test('nobody files without a bank, staff never file, and a repeated key files once', async () => {
    expect((await file(player, { type: 'DEPOSIT', money: 10 })).code).toBe('NO_BANK')
    expect((await file(admin, { type: 'DEPOSIT', money: 10 })).code).toBe('STAFF_CANNOT_PLAY')
    await link(player)
    const key = { 'idempotency-key': 'one' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => file(player, { type: 'WITHDRAW', money: 10 }, key)),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect((await file(player, { type: 'WITHDRAW', money: 11 }, key)).code).toBe('KEY_REUSED')
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(990), staked: 0n, reserved: points(10) })
  })

  test('a balance is spent only once by a bet and a withdrawal at the same time', async () => {
    await link(player)
    const round = await createRound(db)
    for (let turn = 0; turn < 10; turn++) {
      const [bet, request] = await Promise.all([
        call(player, 'POST', '/history', { gameId: round.id, score: 1000, value: 'UP' }),
        file(player, { type: 'WITHDRAW', money: 1000 }),
      ])
      expect([bet.status, request.status].filter((status) => status === 200)).toHaveLength(1)
      const { wallet, staked, reserved } = await balancesOf(db, player.id)
      expect([wallet, staked + reserved]).toEqual([0n, points(1000)])
      if (bet.status === 200) return
      await call(player, 'DELETE', `/transaction/${request.id}`)
    }
  })

  const pendingOf = async (who: TestPlayer) =>
    (await db.query(`select 1 from cash_requests where owner_id = $1 and status = 'pending'`, [who.id])).rowCount

  test('20 requests can be pending, however many are sent at once; the next one is refused with that reason', async () => {
    await link(player)
    // While the account is locked the first request lasts, however fast the machine is.
    const locked = await holdOpen(db, (tx) => tx.query('select 1 from users where id = $1 for update', [player.id]))
    const sending = Promise.all(
      Array.from({ length: 60 }, () => call(player, 'POST', '/transaction', { type: 'DEPOSIT', money: 10 })),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await locked.commit()
    const answers = await sending
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(200) + count(422) + count(429)]).toEqual([20, 60])
    // One request runs and 20 wait. Any further one is refused at once, with the time to retry.
    const sentAway = answers.filter(({ status }) => status === 429)
    expect(sentAway.length).toBeGreaterThan(0)
    for (const { body, headers } of sentAway) {
      expect(body).toEqual({ ...refusedWith('TOO_MANY_REQUESTS').body, message: expect.stringMatching(/ sau 1 giây$/) })
      expect(headers['retry-after']).toBe('1')
    }
    expect(await pendingOf(player)).toBe(20)
    const next = await call(player, 'POST', '/transaction', { type: 'WITHDRAW', money: 10 })
    expect(next).toMatchObject(refusedWith('TOO_MANY_REQUESTS_PENDING'))
    await link(other)
    expect((await file(other, { type: 'DEPOSIT', money: 10 })).status).toBe(200)
    const [first] = (await call(player, 'GET', '/transaction')).rows
    expect((await call(player, 'DELETE', `/transaction/${String(first?.['_id'])}`)).status).toBe(200)
    expect((await file(player, { type: 'WITHDRAW', money: 10 })).status).toBe(200)
  })

  test('60 can be filed in an hour, cancelled ones included, repeats of a key not; the refusal names the time to retry', async () => {
    await link(player)
    const kept = await file(player, { type: 'DEPOSIT', money: 10 }, { 'idempotency-key': 'kept' })
    for (let n = 1; n < 60; n++) {
      const filed = await file(player, { type: 'DEPOSIT', money: 10 })
      expect([filed.status, (await call(player, 'DELETE', `/transaction/${filed.id}`)).status]).toEqual([200, 200])
    }
    const before = await balancesOf(db, player.id)
    const refused = await call(player, 'POST', '/transaction', { type: 'WITHDRAW', money: 10 })
    expect(refused).toMatchObject(refusedWith('TOO_MANY_FILINGS'))
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600)
    expect(await balancesOf(db, player.id)).toEqual(before)
    const again = await file(player, { type: 'DEPOSIT', money: 10 }, { 'idempotency-key': 'kept' })
    expect([again.status, again.id]).toEqual([200, kept.id])
    await db.query(`update cash_requests set created_at = clock_timestamp() - interval '59 minutes 50 s'`)
    const soon = await call(player, 'POST', '/transaction', { type: 'DEPOSIT', money: 10 })
    expect(Number(soon.headers['retry-after'])).toBeLessThanOrEqual(10)
    await db.query(`update cash_requests set created_at = created_at - interval '10 s'`)
    expect((await file(player, { type: 'DEPOSIT', money: 10 })).status).toBe(200)
  })

  test('pending deposits count against the balance limit, for filings and for balances that staff set', async () => {
    await link(player)
    const most = 1_000_000_000_000
    const set = (score: number) => call(admin, 'POST', `/user/${player.id}`, { score })
    expect((await set(most - 100)).status).toBe(200)
    const deposit = (money: number) => file(player, { type: 'DEPOSIT', money })
    const first = await deposit(60)
    expect([first.status, (await deposit(41)).code, (await deposit(40)).status]).toEqual([200, 'AMOUNT_LIMIT', 200])
    expect((await deposit(1)).code).toBe('AMOUNT_LIMIT')
    // Money reserved for a withdrawal returns when it is rejected.
    const held = await file(player, { type: 'WITHDRAW', money: 500 })
    expect((await deposit(1)).code).toBe('AMOUNT_LIMIT')
    expect((await set(most - 599)).body.code).toBe('AMOUNT_LIMIT')
    expect((await set(most - 601)).status).toBe(200)
    expect((await deposit(1)).status).toBe(200)
    // A decision is never refused for the limit: the balance may have grown meanwhile.
    await db.query(`update ledger_accounts set balance = balance + 100 where owner_id = $1 and kind = 'wallet'`, [
      player.id,
    ])
    expect((await call(admin, 'PATCH', `/transaction/${first.id}`, { status: 'ACCEPT' })).status).toBe(200)
    expect((await call(admin, 'PATCH', `/transaction/${held.id}`, { status: 'REJECT', description: 'x' })).status).toBe(
      200,
    )
  })

  test('three banks stay three under a race, players edit none, staff edit any', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => link(player, `012345678${n}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    const linked = answers.find(({ status }) => status === 200)
    const _id = String((linked?.body.data as { _id: unknown } | undefined)?._id)
    const refused = await call(player, 'PATCH', `/bank/${_id}`, { ...bank, nameBank: 'KHAC' })
    expect([refused.status, refused.body.code]).toEqual([403, 'BANK_EDIT_FORBIDDEN'])
    expect(refused.body.message).toBe('Không có quyền chỉnh sửa. Vui lòng liên hệ')
    expect((await call(admin, 'PATCH', `/bank/${_id}`, { ...bank, nameBank: 'KHAC' })).status).toBe(200)
    expect((await call(other, 'GET', `/bank?userId=${player.id}`)).status).toBe(403)
    const listed = await call(admin, 'GET', `/bank?userId=${player.id}`)
    expect(
      (listed.body.data as Array<{ nameBank: string }>).filter(({ nameBank }) => nameBank === 'KHAC'),
    ).toHaveLength(1)
    // Two who correct different fields undo nothing of each other.
    await call(admin, 'PATCH', `/bank/${_id}`, { bankNumber: '999888777' })
    const both = await call(admin, 'PATCH', `/bank/${_id}`, { nameBank: 'MOT' })
    expect(both.body.data).toMatchObject({ bankNumber: '999888777', nameBank: 'MOT', nameOwner: bank.nameOwner })
    expect((await call(admin, 'PATCH', `/bank/${_id}`, { bankNumber: '12ab' })).status).toBe(422)
    const bad = await call(other, 'POST', '/bank', { ...bank, bankNumber: '12ab' })
    expect([bad.status, bad.body.code]).toEqual([422, 'BANK_INVALID'])
  })

  test('totals of a filter are exact to 10,000 requests, and then say that there are more', async () => {
    /** Inserts pending deposits of one point, a second apart, as if they had been filed. */
    const insert = (who: TestPlayer, count: number) =>
      db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
         select gen_random_uuid(), $1, 'deposit', 100, gen_random_uuid(), '0123456789', 'TEN', 'NGAN HANG',
                clock_timestamp() - make_interval(secs => n)
           from generate_series(1, $2::int) n`,
        [who.id, count],
      )
    const totals = async (filter: string) => {
      const list = await call(admin, 'GET', `/transaction?limit=10&${filter}`)
      const sums = await call(admin, 'GET', `/transaction/totals?${filter}`)
      expect([list.status, sums.status]).toEqual([200, 200])
      return { meta: list.body.meta, sums: sums.body.data }
    }
    const sumOf = (requests: number, isCapped: boolean) => ({
      groups: [{ type: 'DEPOSIT', status: 'IN_PROGRESS', requests, money: requests }],
      isCapped,
    })
    await insert(other, 3)
    await insert(player, TOTAL_COUNTED_TO)
    // Neither count is that of everybody's requests.
    const ofPlayer = `userId=${player.id}`
    const exact = await totals(ofPlayer)
    expect(exact.meta).toEqual({ total: 10_000, page: 1, limit: 10, hasMore: true })
    expect(exact.sums).toEqual(sumOf(10_000, false))
    await insert(player, 1)
    const capped = await totals(ofPlayer)
    expect(capped.meta).toEqual({ total: 10_000, totalCapped: true, page: 1, limit: 10, hasMore: true })
    expect(capped.sums).toEqual(sumOf(10_000, true))
    expect((await totals(`userId=${other.id}`)).sums).toEqual(sumOf(3, false))
  })

  test('own limits are enforced inside the bet: lowered at once, raised after a day, a time-out stays', async () => {
    const put = (body: object) =>
      app.call('PUT', '/api/v1/user/limits', {
        token: as(player),
        body: { dailyStake: null, dailyLoss: null, reminderMinutes: null, timeoutUntil: null, ...body },
      })
    const round = await createRound(db, { type: '120s' })
    const bet = (score: number) => call(player, 'POST', '/history', { gameId: round.id, score, value: 'UP' })
    expect((await put({ dailyStake: 50, dailyLoss: 5 })).status).toBe(200)
    expect((await bet(51)).body.code).toBe('STAKE_LIMIT')
    expect((await bet(42)).body.code).toBe('LOSS_LIMIT')
    const raised = await put({ dailyStake: 500, dailyLoss: 5 })
    expect(raised.body.data).toMatchObject({ dailyStake: 50, pending: { dailyStake: 500 } })
    expect((await put({ dailyStake: 50, dailyLoss: 4 })).body.data).toMatchObject({ dailyLoss: 4, pending: null })
    const inTwoHours = new Date(Date.now() + 2 * 3_600_000).toISOString()
    expect((await put({ dailyStake: 50, dailyLoss: 4, timeoutUntil: inTwoHours })).status).toBe(200)
    // Both say until when.
    for (const [code, answer] of [
      ['TIMEOUT_CANNOT_SHRINK', await put({ dailyStake: 50, dailyLoss: 4 })],
      ['TIMED_OUT', await bet(10)],
    ] as const)
      expect(answer.body).toMatchObject({ code, message: sayingUntil(refusals[code].message, Date.parse(inTwoHours)) })
    expect((await balancesOf(db, player.id)).staked).toBe(0n)
  })

  test('200 parallel bets never pass a daily stake limit', async () => {
    await app.call('PUT', '/api/v1/user/limits', {
      token: as(player),
      body: { dailyStake: 10, dailyLoss: null, reminderMinutes: null, timeoutUntil: null },
    })
    const round = await createRound(db)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call(player, 'POST', '/history', { gameId: round.id, score: 10, value: 'UP' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
