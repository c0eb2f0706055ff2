import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { points } from '#domain/money.ts'
import { actOnAdmin } from '#server/features/identity/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { signedIn } from '#server/platform/http/auth.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, callsBelow, refusedWith, type Reply, type TestApp } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { balancesOf, createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'
import { confirmProposal } from './confirm.ts'
import { expireProposals } from './expire.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const bank = { bankNumber: '0123456789', nameBank: 'TEN KHONG THAT', nameOwner: 'Vietcombank' }

/** Hours, a little more than a day. */
const DAY_H = 24.01

interface WireProposal {
  readonly _id: string
  readonly status: string
  readonly hasSecondPerson: boolean
  readonly secondPeople: ReadonlyArray<{ readonly username: string; readonly from: string }>
}

describe.each(testEngines)('four eyes on %s', (engine) => {
  const { db, app } = useApp(engine, { settings: { fourEyesFrom: 100 } })
  /** Another process. */
  let beside: TestApp
  const [player, other] = usePeople(db, 2)
  const [an, binh, chi] = usePeople(db, 3, { role: 'admin', welcomePoints: 0 })
  beforeAll(async () => {
    beside = await buildTestApp(db, { settings: { fourEyesFrom: 100 } })
  })
  beforeEach(async () => {
    // The first start's admin is no member of this world.
    await db.query(`update users set is_frozen = true where role = 'admin' and id <> all($1::uuid[])`, [
      [an.id, binh.id, chi.id],
    ])
    for (const who of [player, other]) await call(who, 'POST', '/bank', bank)
  })
  afterAll(() => beside.close())

  const call = callsBelow(app, '')

  const file = async (type: 'DEPOSIT' | 'WITHDRAW', money: number, who = player): Promise<string> => {
    const { status, body } = await call(who, 'POST', '/transaction', { type, money }, { 'idempotency-key': newId() })
    expect(status).toBe(200)
    return (body.data as { _id: string })._id
  }
  const accept = (who: TestPlayer, id: string) =>
    call(who, 'PATCH', `/transaction/${id}`, { status: 'ACCEPT', from: 'IN_PROGRESS' })
  const reject = (who: TestPlayer, id: string) =>
    call(who, 'PATCH', `/transaction/${id}`, { status: 'REJECT', description: 'Sai nội dung', from: 'IN_PROGRESS' })
  const setBalance = (who: TestPlayer, score: number, reason = 'Thưởng', key = newId()) =>
    call(who, 'POST', `/user/${player.id}`, { score, reason }, { 'idempotency-key': key })
  const confirm = (who: TestPlayer, id: string) => call(who, 'POST', `/proposals/${id}/confirm`)
  const end = (who: TestPlayer, id: string, body: object = {}) => call(who, 'DELETE', `/proposals/${id}`, body)
  const list = async (query = '') => (await call(chi, 'GET', `/proposals${query}`)).rows as unknown as WireProposal[]
  const onlyOpen = async (): Promise<WireProposal> => {
    const open = await list('?status=OPEN')
    expect(open).toHaveLength(1)
    return open[0] as WireProposal
  }
  const walletOf = async (who = player) => (await balancesOf(db, who.id)).wallet
  const expectRefusal = (reply: Reply, code: Parameters<typeof refusedWith>[0]) =>
    expect(reply).toMatchObject(refusedWith(code))
  const acts = async () =>
    (
      await db.query<{ act: string; actor: string; target: string }>(
        `select act, actor, target from audit_log where act like 'money.%' order by seq`,
      )
    ).rows
  const queuedActs = async () =>
    (await db.query<{ fields: string }>(`select fields from book_queue where kind = 'act' order by seq`)).rows.map(
      ({ fields }) => JSON.parse(`{${fields.slice(1)}`) as Record<string, unknown>,
    )
  const booksAreRight = async () => expect((await verifyLedger(db, true)).findings).toEqual([])
  /** Lets the time of rows pass that nothing may rewrite. */
  const later = (statement: string) => tamperWith(db, statement)

  /** As if the admin had been given "money" so many hours ago. */
  const since = (who: TestPlayer, hours: number) =>
    db.query(`update users set money_since = clock_timestamp() - $2 * interval '1 hour' where id = $1`, [who.id, hours])

  test('staff’s list says of each request that waits whether its approval would be a proposal, and by whose sum', async () => {
    const told = async (who: TestPlayer) =>
      new Map(
        (await call(who, 'GET', '/transaction')).rows.map((row) => {
          const { _id, secondPerson } = row as { _id: string; secondPerson?: string | null }
          return [_id, secondPerson]
        }),
      )
    const [big, small, others] = [
      await file('DEPOSIT', 100),
      await file('DEPOSIT', 40),
      await file('DEPOSIT', 30, other),
    ]
    expect(await told(an)).toEqual(
      new Map([
        [others, null],
        [small, null],
        [big, 'PLAYER'],
      ]),
    )
    // What this admin moves counts for them alone, what the player got for whoever comes next.
    await accept(an, await file('DEPOSIT', 60))
    expect((await told(an)).get(small)).toBe('PLAYER')
    expect((await told(binh)).get(small)).toBe('PLAYER')
    expect((await told(an)).get(others)).toBeNull()
    await accept(an, await file('DEPOSIT', 20, other))
    const third = await file('DEPOSIT', 25, other)
    expect((await told(an)).get(third)).toBe('YOU')
    expect((await told(binh)).get(third)).toBeNull()
    // As told: the approval is a proposal, and the row says that instead.
    expect((await accept(an, third)).body.data).toMatchObject({
      status: 'IN_PROGRESS',
      proposal: { _id: expect.any(String) },
    })
    expect((await told(an)).get(third)).toBeUndefined()
    // Its owner is told nothing of it.
    expect((await told(other)).get(third)).toBeUndefined()
  })

  test('a deposit from the threshold on waits for another admin, who moves it', async () => {
    const small = await file('DEPOSIT', 99)
    expect((await accept(an, small)).body.data).toMatchObject({ status: 'ACCEPT', proposal: null })
    const id = await file('DEPOSIT', 1)
    const first = await accept(an, id)
    expect(first.body.data).toMatchObject({
      status: 'IN_PROGRESS',
      decidedBy: null,
      proposal: { proposedBy: { username: an.username } },
    })
    expect(await walletOf()).toBe(points(1_099))
    const open = await onlyOpen()
    expect(open).toMatchObject({
      type: 'DEPOSIT',
      money: 1,
      summed: 100,
      transactionId: id,
      balance: 1_099,
      hasSecondPerson: true,
      proposedBy: { username: an.username },
      author: { username: player.username },
    })
    // The same again is the first one; a colleague's tap is no confirmation.
    expect((await accept(an, id)).body.data).toMatchObject({ proposal: { _id: open._id } })
    expectRefusal(await accept(binh, id), 'PROPOSAL_OPEN')
    expectRefusal(await confirm(an, open._id), 'SECOND_PERSON_REQUIRED')
    expect((await confirm(binh, open._id)).body.data).toMatchObject({
      status: 'CONFIRMED',
      balance: 1_100,
      endedBy: { username: binh.username },
    })
    expect((await confirm(binh, open._id)).body.data).toMatchObject({ status: 'CONFIRMED' })
    expectRefusal(await confirm(chi, open._id), 'PROPOSAL_ENDED')
    expect(await walletOf()).toBe(points(1_100))
    const ledger = await call(player, 'GET', '/user/ledger?reason=DEPOSIT')
    expect(ledger.rows[0]).toMatchObject({
      walletDelta: 1,
      actor: binh.username,
      note: `${an.username} đề nghị, ${binh.username} xác nhận`,
    })
    expect(await acts()).toEqual([
      { act: 'money.propose', actor: an.id, target: `user:${player.id}` },
      { act: 'money.confirm', actor: binh.id, target: `user:${player.id}` },
    ])
    await booksAreRight()
  })

  test('the player sees a withdrawal that is being processed, and nothing of a proposal', async () => {
    const id = await file('WITHDRAW', 150)
    await accept(an, id)
    const own = await call(player, 'GET', '/transaction')
    expect(own.rows[0]).toMatchObject({ _id: id, status: 'IN_PROGRESS', proposal: null })
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(850), staked: 0n, reserved: points(150) })
    await confirm(binh, (await onlyOpen())._id)
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(850), staked: 0n, reserved: 0n })
    expect((await call(player, 'GET', '/transaction')).rows[0]).toMatchObject({ status: 'ACCEPT' })
    for (const path of ['/proposals', `/proposals/sum?userId=${player.id}`])
      expect((await call(player, 'GET', path)).status).toBe(403)
    await booksAreRight()
  })

  test('an adjustment is a difference with its reason: the balance may move meanwhile', async () => {
    const key = newId()
    const first = await setBalance(an, 1_200, 'Thưởng', key)
    expect(first.body.data).toMatchObject({ score: 1_000, proposal: expect.any(String) })
    // The same key is the same answer; the same wish under another key is the same proposal; another wish has to wait.
    expect((await setBalance(an, 1_200, 'Thưởng', key)).body.data).toEqual(first.body.data)
    const { _id } = await onlyOpen()
    expect((await setBalance(an, 1_200)).body.data).toMatchObject({ proposal: _id })
    expectRefusal(await setBalance(an, 1_300), 'PROPOSAL_OPEN')
    expectRefusal(await setBalance(binh, 1_200), 'PROPOSAL_OPEN')
    // Small acts go on, and count.
    expect((await setBalance(chi, 950, 'Trừ')).body.data).not.toHaveProperty('proposal')
    expect((await confirm(binh, _id)).body.data).toMatchObject({ status: 'CONFIRMED', money: 200, balance: 1_150 })
    const [row] = (await call(player, 'GET', '/user/ledger?reason=ADJUSTMENT')).rows
    expect(row).toMatchObject({
      actor: binh.username,
      note: `Thưởng (${an.username} đề nghị, ${binh.username} xác nhận)`,
      noteSalt: expect.any(String),
    })
    const told = await queuedActs()
    expect(told.map(({ act, amount }) => [act, amount])).toEqual([
      ['money.propose', 20_000],
      ['balance.adjust', -5_000],
      ['money.confirm', 20_000],
      ['balance.adjust', 20_000],
    ])
    expect(told[0]?.['actor']).not.toBe(told[2]?.['actor'])
    expect(told[2]?.['actor']).toBe(told[3]?.['actor'])
    expect(JSON.stringify(told)).not.toContain(player.id)
    await booksAreRight()
  })

  test('other changes of the account are made at once, and what no longer fits is not confirmed', async () => {
    const body = { score: 0, reason: 'Thu hồi', vip: 3, version: await versionOf() }
    const answer = await call(an, 'POST', `/user/${player.id}`, body, { 'idempotency-key': newId() })
    expect(answer.body.data).toMatchObject({ vip: 3, score: 1_000, proposal: expect.any(String) })
    const { _id } = await onlyOpen()
    await file('WITHDRAW', 1)
    expectRefusal(await confirm(binh, _id), 'AMOUNT_LIMIT')
    expect(await onlyOpen()).toMatchObject({ _id, status: 'OPEN' })
    expect(await walletOf()).toBe(points(999))
    await booksAreRight()
  })
  const versionOf = async () => {
    const { rows } = await call(an, 'GET', `/user?username=${player.username}`)
    return rows.find(({ _id }) => _id === player.id)?.['version']
  }

  test('its proposer withdraws it, another admin refuses it with a reason, and the request can be proposed again', async () => {
    const id = await file('DEPOSIT', 500)
    await accept(an, id)
    const first = await onlyOpen()
    expectRefusal(await end(binh, first._id), 'REASON_REQUIRED')
    expect((await end(binh, first._id, { reason: 'Chưa khớp' })).body.data).toMatchObject({
      status: 'REFUSED',
      endReason: 'Chưa khớp',
    })
    expectRefusal(await confirm(chi, first._id), 'PROPOSAL_ENDED')
    await accept(binh, id)
    const again = await onlyOpen()
    expect((await end(binh, again._id)).body.data).toMatchObject({ status: 'WITHDRAWN' })
    expect((await end(binh, again._id)).status).toBe(200)
    expectRefusal(await end(an, again._id, { reason: 'x' }), 'PROPOSAL_ENDED')
    expect(await walletOf()).toBe(points(1_000))
    expect((await call(player, 'GET', '/transaction')).rows[0]).toMatchObject({ status: 'IN_PROGRESS' })
    expect((await queuedActs()).map(({ act, c }) => [act, c !== null])).toEqual([
      ['money.propose', false],
      ['money.withdraw', true],
      ['money.propose', false],
      ['money.withdraw', false],
    ])
  })

  test('a request that ends another way takes its proposal with it', async () => {
    const cancelled = await file('WITHDRAW', 200)
    await accept(an, cancelled)
    const first = await onlyOpen()
    expect((await call(player, 'DELETE', `/transaction/${cancelled}`)).status).toBe(200)
    expectRefusal(await confirm(binh, first._id), 'PROPOSAL_ENDED')
    const rejected = await file('DEPOSIT', 200)
    await accept(an, rejected)
    expect((await reject(binh, rejected)).body.data).toMatchObject({ status: 'REJECT', proposal: null })
    const deleted = await file('DEPOSIT', 200)
    await accept(an, deleted)
    expect((await call(chi, 'DELETE', `/transaction/${deleted}`)).status).toBe(200)
    const ended = await list('?status=OVERTAKEN')
    expect(ended.map((one) => (one as unknown as { endedBy: { username: string } }).endedBy.username)).toEqual([
      chi.username,
      binh.username,
      player.username,
    ])
    // A player is no actor of the open book.
    expect(
      (await queuedActs()).filter(({ act }) => act === 'money.withdraw').map(({ actor }) => actor === null),
    ).toEqual([true, false, false])
    expect(await balancesOf(db, player.id)).toEqual({ wallet: points(1_000), staked: 0n, reserved: 0n })
    await booksAreRight()
  })

  test('a proposal runs out after 24 hours, for its readers at once and in the log by the next look', async () => {
    const id = await file('DEPOSIT', 300)
    await accept(an, id)
    const { _id } = await onlyOpen()
    await later(`update money_proposals set expires_at = clock_timestamp()`)
    expect((await list())[0]).toMatchObject({ _id, status: 'EXPIRED' })
    expect((await call(an, 'GET', '/transaction')).rows[0]).toMatchObject({ proposal: null })
    expectRefusal(await confirm(binh, _id), 'PROPOSAL_ENDED')
    // Proposed again before anybody ended the first one.
    expect((await accept(binh, id)).body.data).toMatchObject({ proposal: { proposedBy: { username: binh.username } } })
    await later(`update money_proposals set expires_at = clock_timestamp() where status = 'open'`)
    const hints = { proposalChanged: () => {} }
    expect(await expireProposals(db, { hints })).toBe(1)
    expect(await expireProposals(db, { hints })).toBe(0)
    expect((await acts()).map(({ act, actor }) => [act, actor])).toEqual([
      ['money.propose', an.id],
      ['money.expire', 'system'],
      ['money.propose', binh.id],
      ['money.expire', 'system'],
    ])
    expect(await walletOf()).toBe(points(1_000))
  })

  test('a proposal that ran out ends with its request, so that a clock set back does not open it again', async () => {
    const cancel = (id: string) => call(player, 'DELETE', `/transaction/${id}`)
    const remove = (id: string) => call(chi, 'DELETE', `/transaction/${id}`)
    for (const endRequest of [cancel, remove, (id: string) => reject(binh, id)]) {
      const id = await file('DEPOSIT', 300)
      await accept(an, id)
      const { _id } = await onlyOpen()
      await later(`update money_proposals set expires_at = clock_timestamp() where id = '${_id}'`)
      expect((await endRequest(id)).status).toBe(200)
      await later(`update money_proposals set expires_at = clock_timestamp() + interval '1 hour' where id = '${_id}'`)
      expectRefusal(await confirm(binh, _id), 'PROPOSAL_ENDED')
      expect((await list('?status=EXPIRED'))[0]).toMatchObject({ _id, endedBy: null })
    }
    expect(new Set((await acts()).map(({ act }) => act))).toEqual(new Set(['money.propose', 'money.expire']))
    expect(await walletOf()).toBe(points(1_000))
  })

  test('an act that no longer needs a second person ends a proposal that ran out', async () => {
    const id = await file('DEPOSIT', 300)
    await accept(an, id)
    const lenient = await buildTestApp(db, { settings: { fourEyesFrom: 1_000 } })
    try {
      await later(`update money_proposals set expires_at = clock_timestamp()`)
      const { body } = await lenient.call('PATCH', `/api/v1/transaction/${id}`, {
        token: bareToken(binh),
        body: { status: 'ACCEPT', from: 'IN_PROGRESS' },
      })
      expect(body.data).toMatchObject({ status: 'ACCEPT' })
      expect(await expireProposals(db, { hints: { proposalChanged: () => {} } })).toBe(0)
    } finally {
      await lenient.close()
    }
    expect((await acts()).map(({ act }) => act)).toEqual(['money.propose', 'money.expire'])
    expect(await walletOf()).toBe(points(1_300))
    await booksAreRight()
  })

  test('a proposal that cannot be ended holds up no other', async () => {
    const [bad, good] = [await file('DEPOSIT', 300), await file('DEPOSIT', 300, other)]
    for (const id of [bad, good]) await accept(an, id)
    await later(
      `update money_proposals set expires_at = clock_timestamp() - interval '1 minute' where request_id = '${bad}'`,
    )
    await later(`update money_proposals set expires_at = clock_timestamp() where request_id = '${good}'`)
    await db.query(`create trigger bad before update on money_proposals for each row
      when (old.request_id = '${bad}') execute function refuse_change()`)
    const expiring = expireProposals(db, { hints: { proposalChanged: () => {} } })
    await expect(expiring.finally(() => db.query('drop trigger bad on money_proposals'))).rejects.toThrow('1 of 2')
    const { rows } = await db.query(`select request_id, status from money_proposals order by expires_at`)
    expect(rows.map(({ request_id: id, status }) => [id, status])).toEqual([
      [bad, 'open'],
      [good, 'expired'],
    ])
  })

  test('what is older than a day does not count, and what was confirmed does', async () => {
    const confirmed = await file('DEPOSIT', 100)
    await accept(an, confirmed)
    await confirm(binh, (await onlyOpen())._id)
    await setBalance(an, 1_099, 'Trừ 1')
    expect(await list('?status=OPEN')).toHaveLength(1)
    await end(an, (await onlyOpen())._id)
    const sum = async () => (await call(chi, 'GET', `/proposals/sum?userId=${player.id}`)).body.data
    expect(await sum()).toEqual({ moved: 100, movedByYou: 0, from: 100 })
    await later(`update cash_requests set decided_at = decided_at - interval '24 hours'`)
    expect(await sum()).toEqual({ moved: 0, movedByYou: 0, from: 100 })
    expect((await setBalance(an, 1_099, 'Trừ 1')).body.data).not.toHaveProperty('proposal')
    expect(await sum()).toEqual({ moved: 1, movedByYou: 0, from: 100 })
    expectRefusal(await call(chi, 'GET', `/proposals/sum?userId=${newId()}`), 'NOT_FOUND')
  })

  test('without another admin it waits and says so; a proposer who is gone confirms nothing', async () => {
    await db.query(`update users set is_frozen = true where id = any($1::uuid[])`, [[binh.id, chi.id]])
    await accept(an, await file('DEPOSIT', 300))
    const listed = (await call(an, 'GET', '/proposals')).rows[0] as unknown as WireProposal
    expect(listed).toMatchObject({ status: 'OPEN', hasSecondPerson: false })
    await db.query(`update users set is_frozen = false where id = any($1::uuid[])`, [[binh.id, chi.id]])
    expect((await onlyOpen()).hasSecondPerson).toBe(false)
    await since(binh, DAY_H)
    expect((await onlyOpen()).hasSecondPerson).toBe(true)
    await db.query(`update users set is_frozen = true where id = $1`, [an.id])
    expectRefusal(await confirm(binh, listed._id), 'PROPOSER_GONE')
    // Nor one whose password staff set, as where somebody else had used the account.
    await db.query(`update users set is_frozen = false, must_change_password = true where id = $1`, [an.id])
    expectRefusal(await confirm(binh, listed._id), 'PROPOSER_GONE')
    // Its owner has changed that one, but not made what somebody else had proposed.
    await db.query(
      `update users set must_change_password = false, password_reset_at = clock_timestamp() where id = $1`,
      [an.id],
    )
    expectRefusal(await confirm(binh, listed._id), 'PROPOSER_GONE')
    expect((await end(binh, listed._id, { reason: 'Người đề nghị đã nghỉ' })).status).toBe(200)
    await booksAreRight()
  })

  test('who may not move money confirms and ends nothing, and is no second person', async () => {
    await accept(an, await file('DEPOSIT', 300))
    const { _id } = await onlyOpen()
    await db.query(`update users set capabilities = '{care,rounds,users,owner}' where id = any($1::uuid[])`, [
      [binh.id, chi.id],
    ])
    expect((await onlyOpen()).hasSecondPerson).toBe(false)
    expectRefusal(await confirm(binh, _id), 'CAPABILITY_MISSING')
    expectRefusal(await end(binh, _id, { reason: 'x' }), 'CAPABILITY_MISSING')
    await db.query(`update users set capabilities = '{money}' where id = $1`, [binh.id])
    await since(binh, DAY_H)
    await db.query(`update users set capabilities = '{owner}' where id = $1`, [an.id])
    expectRefusal(await confirm(binh, _id), 'PROPOSER_GONE')
  })

  test('while the books are in doubt nothing is confirmed', async () => {
    await accept(an, await file('DEPOSIT', 300))
    const { _id } = await onlyOpen()
    app.ledger.isOk = false
    expectRefusal(await confirm(binh, _id), 'LEDGER_CHECK_FAILED')
    app.ledger.isOk = true
    expectRefusal(await confirm(binh, newId()), 'NOT_FOUND')
    expectRefusal(await end(binh, newId(), { reason: 'x' }), 'NOT_FOUND')
  })

  test('two who confirm at once move it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await walletOf()
      await accept(an, await file('DEPOSIT', 300))
      const { _id } = await onlyOpen()
      const answers = await Promise.all([confirm(binh, _id), confirm(chi, _id)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(await walletOf()).toBe(before + points(300))
    }
    await booksAreRight()
  })

  test('a confirmation and the owner’s cancellation at once: one of them wins, and the books are right', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await file('WITHDRAW', 120)
      const { wallet, reserved } = await balancesOf(db, player.id)
      await accept(an, id)
      const { _id } = await onlyOpen()
      const [confirmed, cancelled] = await Promise.all([
        confirm(binh, _id),
        call(player, 'DELETE', `/transaction/${id}`),
      ])
      expect([confirmed.status, cancelled.status].toSorted()).toEqual([200, 409])
      expect(await balancesOf(db, player.id)).toEqual({
        wallet: confirmed.status === 200 ? wallet : wallet + points(120),
        staked: 0n,
        reserved: reserved - points(120),
      })
    }
    await booksAreRight()
  })

  test('no admins at once pass the sum by splitting, whatever they move', async () => {
    const deposits: string[] = []
    for (let nth = 0; nth < 6; nth += 1) deposits.push(await file('DEPOSIT', 30))
    const withdrawal = await file('WITHDRAW', 30)
    const admins = [an, binh, chi]
    await Promise.all([
      ...deposits.map((id, nth) => accept(admins[nth % 3] as TestPlayer, id)),
      accept(an, withdrawal),
      setBalance(binh, 1_020, 'Thưởng'),
    ])
    const { moved } = (await call(chi, 'GET', `/proposals/sum?userId=${player.id}`)).body.data as { moved: number }
    expect(moved).toBeLessThan(100)
    expect(moved).toBeGreaterThanOrEqual(60)
    const open = await list('?status=OPEN')
    expect(open.length).toBeGreaterThanOrEqual(5)
    await booksAreRight()
  })

  describe('of one admin', () => {
    const someone = async () => (await createPlayers(db, 1))[0]
    const give = async (who: TestPlayer, amount: number) => {
      const { id } = await someone()
      const { body } = await call(who, 'POST', `/user/${id}`, { score: 1_000 + amount }, { 'idempotency-key': newId() })
      return (body.data as { proposal?: string }).proposal ?? null
    }
    const movedBy = async (who: TestPlayer) =>
      (await call(who, 'GET', `/proposals/sum?userId=${other.id}`)).body.data as { moved: number; movedByYou: number }

    test('what is moved over many accounts is summed', async () => {
      expect([await give(an, 30), await give(an, -30), await give(an, 39)]).toEqual([null, null, null])
      expect(await movedBy(an)).toEqual({ moved: 0, movedByYou: 99, from: 100 })
      expect(await give(an, 1)).not.toBeNull()
      expect(await onlyOpen()).toMatchObject({ summed: 1, summedByProposer: 100 })
      // A deposit of somebody else is one act more; a colleague has a sum of their own.
      const id = await file('DEPOSIT', 50, other)
      expect((await accept(an, id)).body.data).toMatchObject({ status: 'IN_PROGRESS', proposal: expect.any(Object) })
      expect(await give(binh, 99)).toBeNull()
      expect(await movedBy(binh)).toMatchObject({ movedByYou: 99 })
      const { rows } = await db.query(`select after from audit_log where act = 'money.propose' order by seq`)
      expect(rows[0]?.['after']).toMatchObject({ summedMinor: '100', adminSummedMinor: '10000' })
      await later(`update ledger_transfers set created_at = created_at - interval '24 hours'`)
      expect(await movedBy(an)).toMatchObject({ movedByYou: 0 })
      expect(await give(an, 99)).toBeNull()
      await booksAreRight()
    })

    test('at once over many accounts it is not passed by', async () => {
      const owners = [player, other, await someone(), await someone()]
      for (const who of owners.slice(2)) await call(who, 'POST', '/bank', bank)
      const ids: string[] = []
      for (const who of owners) ids.push(await file('DEPOSIT', 40, who))
      const accepted = { status: 'ACCEPT', from: 'IN_PROGRESS' }
      await Promise.all(
        ids.map((id, nth) =>
          (nth % 2 === 0 ? app : beside).call('PATCH', `/api/v1/transaction/${id}`, {
            token: bareToken(an),
            body: accepted,
          }),
        ),
      )
      expect((await movedBy(an)).movedByYou).toBe(80)
      expect(await list('?status=OPEN')).toHaveLength(2)
      await booksAreRight()
    })
  })

  describe('the second person', () => {
    const versionOfAdmin = async (who: TestPlayer) =>
      (await call(an, 'GET', `/user?userId=${who.id}`)).rows[0]?.['version']
    const grant = async (by: TestPlayer, to: TestPlayer, capabilities: readonly string[]) => {
      const { status } = await call(by, 'POST', `/user/${to.id}/capabilities`, {
        capabilities,
        version: await versionOfAdmin(to),
      })
      expect(status).toBe(200)
    }
    /** A new account that an owner has just promoted. */
    const promoted = async (by: TestPlayer): Promise<TestPlayer> => {
      const [who] = await createPlayers(db, 1, { prefix: 'm' })
      const made = await call(by, 'POST', `/user/${who.id}/role`, { role: 'ADMIN', version: await versionOfAdmin(who) })
      expect(made.status).toBe(200)
      await signedInAgain(who.id)
      return who
    }
    /** After an act that ended the sessions. */
    const signedInAgain = (id: string) =>
      db.query(`update sessions set ended_at = null, end_reason = null where user_id = $1`, [id])
    const addFactor = ({ id }: TestPlayer) =>
      db.query(
        `insert into staff_factors (id, user_id, kind, name, sealed_secret) values ($1, $2, 'totp', 'x', decode('00', 'hex'))`,
        [newId(), id],
      )
    const resetFactors = async (by: TestPlayer, who: TestPlayer) => {
      await addFactor(who)
      expect((await call(by, 'DELETE', `/user/${who.id}/factors`)).status).toBe(200)
      await signedInAgain(who.id)
    }
    const propose = async (by: TestPlayer) => {
      await accept(by, await file('DEPOSIT', 300))
      return (await onlyOpen())._id
    }
    const refusedToo = async (who: TestPlayer, id: string) => {
      const before = await walletOf()
      expectRefusal(await confirm(who, id), 'CONFIRMER_TOO_NEW')
      expect([await walletOf(), (await onlyOpen())._id]).toEqual([before, id])
    }

    test('is not made by the proposer', async () => {
      const made = await promoted(an)
      await grant(an, made, ['money'])
      const id = await propose(an)
      expect((await onlyOpen()).secondPeople.map(({ username }) => username)).not.toContain(made.username)
      await refusedToo(made, id)
      expect((await confirm(binh, id)).body.data).toMatchObject({ status: 'CONFIRMED' })
      await booksAreRight()
    })

    test('did not make the proposer, nor the owner who made the proposer', async () => {
      const made = await promoted(an)
      await grant(an, made, ['money'])
      const first = await propose(made)
      await refusedToo(an, first)
      expect((await end(made, first)).status).toBe(200)
      const between = await promoted(chi)
      await grant(chi, between, ['owner'])
      const later = await promoted(between)
      await grant(between, later, ['money'])
      const second = await propose(later)
      await refusedToo(chi, second)
      expect((await confirm(binh, second)).status).toBe(200)
      // A day later who gave it may confirm.
      const third = await propose(later)
      await refusedToo(chi, third)
      await later24()
      expect((await confirm(chi, third)).status).toBe(200)
    })

    test('did not make the proposer, also where the clock was set back since', async () => {
      const made = await promoted(an)
      await grant(an, made, ['money'])
      await later(`update audit_log set at = at + interval '1 hour' where act = 'user.grant'`)
      await refusedToo(an, await propose(made))
    })

    const setPassword = async (by: TestPlayer, { id }: TestPlayer, written = id) => {
      expect((await call(by, 'POST', `/user/${written}`, { password: 'matkhau-moi-1' })).status).toBe(200)
      // Whoever knows it changes it at the first sign-in.
      await db.query(`update users set must_change_password = false where id = $1`, [id])
      await signedInAgain(id)
    }

    test('did not let themselves into the proposer’s account, however they wrote its id', async () => {
      await setPassword(an, chi, chi.id.toUpperCase())
      await refusedToo(an, await propose(chi))
    })

    test('did not let themselves into the proposer’s account, nor into that of the owner who made the proposer', async () => {
      await setPassword(an, chi)
      const first = await propose(chi)
      await refusedToo(an, first)
      expect((await end(chi, first)).status).toBe(200)
      // As that owner, the admin lets themselves into a third account.
      const made = await promoted(binh)
      await grant(chi, made, ['money'])
      const second = await propose(made)
      await refusedToo(an, second)
      expect((await confirm(binh, second)).status).toBe(200)
      // Without a second factor the password is enough.
      await resetFactors(binh, made)
      await refusedToo(binh, await propose(made))
    })

    /** As if all that the log has of granting had been a day earlier. */
    const later24 = () => later(`update audit_log set at = at - interval '24 hours 1 minute' where act = 'user.grant'`)

    test('may have given the proposer the right anew after the proposal', async () => {
      const id = await propose(an)
      await grant(chi, an, ['users', 'owner'])
      await grant(chi, an, ['money', 'users', 'owner'])
      const people = (await onlyOpen()).secondPeople
      expect(people.map(({ username }) => username).toSorted()).toEqual([binh.username, chi.username].toSorted())
      expect((await confirm(chi, id)).body.data).toMatchObject({ status: 'CONFIRMED' })
    })

    test.each<[string, (who: TestPlayer) => Promise<unknown>]>([
      [
        'was frozen and is not any more',
        async ({ id }) => {
          for (const isPaused of [true, false]) await call(an, 'POST', `/user/${id}`, { isPaused })
        },
      ],
      [
        'lost the right and has it again',
        async (who) => {
          await grant(an, who, ['care'])
          await grant(an, who, ['care', 'money'])
        },
      ],
      [
        'has a password that a colleague set, and changed it',
        async ({ id }) => {
          for (const reset of [true, false])
            await db.query(`update users set must_change_password = $2 where id = $1`, [id, reset])
        },
      ],
      ['has no second factor any more, since the proposer removed it', (who) => resetFactors(an, who)],
      [
        'has no second factor any more, since an operator removed it',
        async (who) => {
          await addFactor(who)
          expect(await actOnAdmin(db, 'reset-factor', who.username)).toEqual({ is: 'factors-reset', factors: 1 })
          await signedInAgain(who.id)
        },
      ],
    ])('starts anew who %s', async (_, interrupt) => {
      await interrupt(binh)
      const id = await propose(an)
      await refusedToo(binh, id)
      expect((await confirm(chi, id)).status).toBe(200)
    })

    test('is nobody yet in a young installation: it waits, says from when, and then is confirmed', async () => {
      for (const [who, hours] of [
        [an, 3],
        [binh, 2],
        [chi, 1],
      ] as const)
        await since(who, hours)
      const id = await propose(an)
      const open = await onlyOpen()
      expect(open).toMatchObject({ hasSecondPerson: false })
      expect(open.secondPeople.map(({ username }) => username)).toEqual([binh.username, chi.username])
      const hoursUntil = (iso: string | undefined) => Math.round((Date.parse(iso ?? '') - Date.now()) / 3_600_000)
      expect(open.secondPeople.map(({ from }) => hoursUntil(from))).toEqual([22, 23])
      const { rows } = await db.query(`select after from audit_log where act = 'money.propose'`)
      expect(rows[0]?.['after']).toMatchObject({ confirmableFrom: open.secondPeople[0]?.from })
      await refusedToo(binh, id)
      // Who comes later is none of them.
      const made = await promoted(an)
      await grant(an, made, ['money'])
      await later(`update money_proposals set proposed_at = proposed_at - interval '22 hours 1 minute',
        expires_at = expires_at - interval '22 hours 1 minute'`)
      await later(`update users set money_since = money_since - interval '22 hours 1 minute' where role = 'admin'`)
      await refusedToo(chi, id)
      await refusedToo(made, id)
      expect((await onlyOpen()).hasSecondPerson).toBe(true)
      expect((await confirm(binh, id)).status).toBe(200)
    })

    test('is said on the proposal, in the audit log and in the open book', async () => {
      await since(binh, 48)
      const id = await propose(an)
      const people = (await onlyOpen()).secondPeople
      expect(people.map(({ username }) => username).toSorted()).toEqual([binh.username, chi.username].toSorted())
      const confirmed = (await confirm(binh, id)).body.data as { confirmerSince: string; secondPeople: unknown }
      expect(Math.round((Date.now() - Date.parse(confirmed.confirmerSince)) / 3_600_000)).toBe(48)
      expect(confirmed.secondPeople).toEqual([])
      const { rows } = await db.query(`select after from audit_log where act = 'money.confirm'`)
      expect(rows[0]?.['after']).toMatchObject({ proposer: an.id, moneySince: confirmed.confirmerSince })
      const told = (await queuedActs()).find(({ act }) => act === 'money.confirm')
      const reason = await db.query<{ commitment: Uint8Array }>(`select commitment from book_reasons where ref = $1`, [
        `proposal:${id}:confirm`,
      ])
      expect(told?.['c']).toBe(Buffer.from(reason.rows[0]?.commitment ?? []).toString('base64'))
    })

    test('who sends it twice at once is answered twice as the first time', async () => {
      for (let round = 0; round < 4; round += 1) {
        // The second one would no longer fit the balance.
        const { body } = await setBalance(an, Number((await walletOf()) / 100n) - 600, `Thu hồi ${round}`)
        const id = (body.data as { proposal: string }).proposal
        const replies = await Promise.all(
          [app, beside].map((one) => one.call('POST', `/api/v1/proposals/${id}/confirm`, { token: bareToken(binh) })),
        )
        expect(replies.map(({ status }) => status)).toEqual([200, 200])
        for (const { body: answer } of replies)
          expect(answer.data).toMatchObject({ status: 'CONFIRMED', endedBy: { username: binh.username } })
        await accept(binh, await file('DEPOSIT', 600))
        await confirm(chi, (await onlyOpen())._id)
      }
      app.ledger.isOk = false
      const [last] = await list('?status=CONFIRMED')
      expect((await confirm(chi, last?._id ?? '')).status).toBe(200)
      app.ledger.isOk = true
      await booksAreRight()
    })

    test('and a change of their rights at once: the points move before it or not at all', async () => {
      for (let round = 0; round < 5; round += 1) {
        const before = await walletOf()
        const id = await propose(an)
        const version = await versionOfAdmin(binh)
        const [confirmed, granted] = await Promise.all([
          confirm(binh, id),
          beside.call('POST', `/api/v1/user/${binh.id}/capabilities`, {
            token: bareToken(an),
            body: { capabilities: ['care'], version },
          }),
        ])
        expect(granted.status).toBe(200)
        const isDone = confirmed.status === 200
        expect([isDone, confirmed.body.code]).toEqual([isDone, isDone ? undefined : 'CAPABILITY_MISSING'])
        expect(await walletOf()).toBe(isDone ? before + points(300) : before)
        const { rows } = await db.query<{ act: string }>(
          `select act from audit_log where act in ('money.confirm', 'user.grant') order by seq desc limit 2`,
        )
        if (isDone) expect(rows.map(({ act }) => act)).toEqual(['user.grant', 'money.confirm'])
        else await confirm(chi, id)
        await db.query(`update users set capabilities = '{money,care}' where id = $1`, [binh.id])
        await since(binh, DAY_H)
      }
      await booksAreRight()
    })

    test.each<[string, (who: TestPlayer) => Promise<unknown>, Parameters<typeof refusedWith>[0]]>([
      ['frozen', ({ id }) => call(an, 'POST', `/user/${id}`, { isPaused: true }), 'ACCOUNT_PAUSED'],
      ['without the right', (who) => grant(an, who, ['care']), 'CAPABILITY_MISSING'],
      [
        'no admin',
        async (who) => call(an, 'POST', `/user/${who.id}/role`, { role: 'USER', version: await versionOfAdmin(who) }),
        'UNAUTHORIZED',
      ],
      [
        'with a password that staff set',
        ({ id }) => call(an, 'POST', `/user/${id}`, { password: 'moi-moi-1' }),
        'UNAUTHORIZED',
      ],
      ['signed out', (who) => call(who, 'POST', '/auth/logout'), 'UNAUTHORIZED'],
      ['deleted', ({ id }) => call(an, 'DELETE', `/user/${id}`), 'UNAUTHORIZED'],
      [
        'to change the password',
        ({ id }) => db.query(`update users set must_change_password = true where id = $1`, [id]),
        'MUST_CHANGE_PASSWORD',
      ],
      ['to prove a factor that was added elsewhere', (who) => addFactor(who), 'FACTOR_REQUIRED'],
    ])('who is %s since the call arrived confirms nothing', async (_, happen, code) => {
      const id = await propose(an)
      const subject = (await signedIn(db, binh.token))?.subject ?? null
      if (subject === null) throw new Error('the session is dead')
      await happen(binh)
      const before = await walletOf()
      const nothing = () => Promise.reject(new Error('The act was executed'))
      const deps = {
        db,
        ledger: app.ledger,
        fourEyes: { fromMinor: points(100), hints: { proposalChanged: () => {} } },
        executors: { deposit: nothing, withdrawal: nothing, adjustment: nothing, correction: nothing },
      }
      expect(await confirmProposal(deps, { ...subject, needsFreshFactor: true }, id)).toMatchObject({ code })
      expect([await walletOf(), (await onlyOpen())._id]).toEqual([before, id])
    })
  })
})
