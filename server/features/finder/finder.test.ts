import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/process/ids.ts'
import { insertBet } from '#testing/play/bets.ts'
import { refusedWith, type WireData } from '#testing/app/app.ts'
import { bareToken } from '#testing/app/chat-client.ts'
import { createPlayers, createRound, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const kinds = ['users', 'rounds', 'requests', 'adjustments', 'bets', 'banks'] as const
type Kind = (typeof kinds)[number]

describe.each(testEngines)('the finder on %s', (engine) => {
  const { db, app } = useApp(engine)
  let admin: TestPlayer
  let players: TestPlayer[]
  beforeEach(async () => {
    players = await createPlayers(db, 9)
    ;[admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0 })
    await call(admin.id, 'quanly')
    await Promise.all(players.map(({ id }, at) => call(id, `nguoi${at}`)))
  })

  const call = (id: string, username: string) =>
    db.query('update users set username = $2, username_key = lower($2) where id = $1', [id, username])
  const ask = (q: string, who: TestPlayer = admin) =>
    app.call('GET', `/api/v1/staff/find?q=${encodeURIComponent(q)}`, { token: bareToken(who) })
  const find = async (q: string) => {
    const { status, body } = await ask(q)
    expect([q, status]).toEqual([q, 200])
    return body.data as Readonly<Record<Kind, readonly WireData[]>>
  }
  const names = async (q: string) => (await find(q)).users.map(({ username }) => username)
  const idsOf = async (q: string, kind: Kind) => (await find(q))[kind].map(({ _id }) => _id)
  const nothing = Object.fromEntries(kinds.map((kind) => [kind, []]))

  const link = async (owner: TestPlayer, number: string) => {
    const id = newId()
    await db.query(
      `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, $3, 'NGUYEN A', 'VCB')`,
      [id, owner.id, number],
    )
    return id
  }
  const file = async (owner: TestPlayer, id: string = newId(), amountMinor = 12_345n) => {
    await db.query(
      `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
       values ($1, $2, 'deposit', $3, $1, '1', 'A', 'VCB', clock_timestamp())`,
      [id, owner.id, amountMinor],
    )
    return id
  }
  const decide = (ids: readonly string[]) =>
    db.query(
      `update cash_requests set status = 'approved', decided_at = clock_timestamp() where id = any($1::uuid[])`,
      [ids],
    )
  const can = (capabilities: readonly string[]) =>
    db.query('update users set capabilities = $2 where id = $1', [admin.id, capabilities])
  const bet = async (owner: TestPlayer, id: string = newId()) => {
    const round = await createRound(db)
    return insertBet(db, owner.id, round.id, { id })
  }

  test('names: what begins so first and the name itself before all, then any part, accents folded', async () => {
    await Promise.all([
      call(players[0]!.id, 'lan'),
      call(players[1]!.id, 'Lanh'),
      call(players[2]!.id, 'Alan'),
      call(players[3]!.id, 'Doan2lan'),
    ])
    const found = await names('lân')
    expect(found.slice(0, 2)).toEqual(['lan', 'Lanh'])
    expect(found.slice(2).toSorted()).toEqual(['Alan', 'Doan2lan'])
    expect(await names('Đoàn 2 L')).toEqual(['Doan2lan'])
    expect(await names('QUẢN LÝ')).toEqual(['quanly'])
    expect((await find('quanly')).users).toEqual([
      {
        _id: admin.id,
        username: 'quanly',
        role: 'ADMIN',
        isPaused: false,
        isDeleted: false,
        score: 0,
        waitingRequests: 0,
        signedIn: null,
      },
    ])
    // At most six, and the rest by another letter.
    expect(await names('nguoi')).toHaveLength(5)
    await call(players[0]!.id, 'nguoi10')
    await call(players[1]!.id, 'nguoi11')
    expect(await names('nguoi')).toEqual(['nguoi10', 'nguoi11', 'nguoi4', 'nguoi5', 'nguoi6', 'nguoi7'])
  })

  test('a frozen account says so, and a deleted one is found by the beginning of its name', async () => {
    await db.query('update users set is_frozen = true where id = $1', [players[0]!.id])
    await db.query('update users set deleted_at = clock_timestamp() where id = $1', [players[1]!.id])
    expect((await find('nguoi0')).users).toMatchObject([{ isPaused: true, isDeleted: false }])
    expect((await find('nguoi1')).users).toMatchObject([{ isPaused: false, isDeleted: true }])
  })

  test('a customer comes with the balance and what waits', async () => {
    const [player] = players as [TestPlayer]
    await Promise.all([file(player), file(player).then((id) => decide([id]))])
    expect((await find('nguoi0')).users).toMatchObject([{ score: 1_000, waitingRequests: 1 }])
  })

  test('ids of requests, bets, rounds and users, whole or from six digits on; what staff hid is not found', async () => {
    const [player] = players as [TestPlayer]
    const request = await file(player, 'aaaaaaaa-1111-4111-8111-111111111111')
    const placed = await bet(player, 'aaaaaaaa-2222-4222-8222-222222222222')
    await bet(player, 'aaaaaaab-2222-4222-8222-222222222222')
    const { requests, bets } = await find('AAAAAAAA')
    expect(requests).toMatchObject([
      {
        _id: request,
        author: { _id: player.id, username: 'nguoi0' },
        type: 'DEPOSIT',
        money: 123.45,
        status: 'IN_PROGRESS',
      },
    ])
    expect(bets).toMatchObject([{ _id: placed, userId: { _id: player.id }, value: 'UP', score: 1, status: 'VOID' }])
    expect(await idsOf('aaaaaa', 'bets')).toHaveLength(2)
    expect(await idsOf(placed, 'bets')).toEqual([placed])
    expect(await idsOf(placed.replaceAll('-', ''), 'bets')).toEqual([placed])
    expect(await find('aaaaa')).toEqual(nothing)
    expect(await idsOf(player.id, 'users')).toEqual([player.id])
    const round = await createRound(db)
    expect(await idsOf(round.id, 'rounds')).toEqual([round.id])
    await db.query('update bets set hidden_at = clock_timestamp() where id = $1', [placed])
    await db.query('update cash_requests set hidden_at = clock_timestamp() where id = $1', [request])
    expect(await find('aaaaaaaa')).toEqual(nothing)
  })

  test('rounds by their number, of one type or of every', async () => {
    const round = await createRound(db)
    const { rows } = await db.query<{ type: string; index: bigint }>('select type, index from rounds where id = $1', [
      round.id,
    ])
    const { type, index } = rows[0]!
    const number = Number(index) + 1
    for (const q of [`${type} ${number}`, `#${number}`, `phiên ${number.toLocaleString('en')}`, `${number} ${type}`])
      expect([q, await idsOf(q, 'rounds')]).toEqual([q, [round.id]])
    const other = type === '30s' ? '60s' : '30s'
    expect(await idsOf(`${other} ${number}`, 'rounds')).toEqual([])
    expect(await idsOf(`#${number - 1}`, 'rounds')).toEqual([])
    expect((await find(`#${number}`)).rounds).toMatchObject([{ turnNumber: number, gameType: type }])
  })

  test('rounds by a part of the number: the whole one first, then those that begin and that end so, the newest first', async () => {
    const add = async (type: string, number: number, attempt = 0) => {
      const id = newId()
      await db.query(
        `insert into rounds (id, type, index, attempt, opens_at, locks_at, closes_at, price_source)
         select $1, $2, $3, $4, at, at, at + interval '1 minute', 'simulated'
           from (select timestamptz '2026-01-01' + $3 * interval '1 minute' as at) r`,
        [id, type, BigInt(number - 1), attempt],
      )
      return id
    }
    const whole = await add('60s', 473)
    const begins = [await add('60s', 473_999), await add('60s', 473_000), await add('60s', 4_730)]
    const ends = [await add('60s', 473_473), await add('60s', 471_473), await add('60s', 470_473)]
    const other = await add('90s', 2_473)
    for (const number of [1_000, 47_300, 500_000]) await add('30s', number)
    await add('60s', 474_000)
    // What both begins and ends so stands among both, once.
    expect(await idsOf('60s 473', 'rounds')).toEqual([whole, begins[0], ends[0], ends[1], begins[1], ends[2]])
    expect(await idsOf('60s 1473', 'rounds')).toEqual([ends[1]])
    expect(await idsOf('#471,4', 'rounds')).toEqual([ends[1]])
    expect(await idsOf('0473', 'rounds')).toEqual([ends[2]])
    expect(await idsOf('90s 473', 'rounds')).toEqual([other])
    expect((await idsOf('473', 'rounds'))[0]).toBe(whole)
    expect(await idsOf('60s 47', 'rounds')).toEqual([])
    await db.query('update rounds set hidden_at = clock_timestamp() where id = $1', [ends[1]!])
    expect(await idsOf('1473', 'rounds')).toEqual([])
  })

  test('requests and adjustments of exactly an amount, however it is written: those that wait first, then the newest', async () => {
    const [one, two] = players as [TestPlayer, TestPlayer]
    const ids: string[] = []
    for (const owner of [one, two, one, two, one, two, one, two]) ids.push(await file(owner, newId(), 125_000n))
    await decide(ids.slice(1))
    await file(one, newId(), 125_001n)
    const [waiting] = ids as [string]
    // Within a millisecond ids have no order of time.
    const decided = ids.slice(1).toSorted()
    for (const q of ['1,250', '1.250,00', '1250', '1250 điểm'])
      expect([q, await idsOf(q, 'requests')]).toEqual([q, [waiting, ...decided.toReversed().slice(0, 5)]])
    expect(await idsOf('125', 'requests')).toEqual([])
    await db.query('update cash_requests set hidden_at = clock_timestamp() where id = $1', [waiting])
    expect(await idsOf('1,250', 'requests')).toEqual(decided.toReversed().slice(0, 6))

    const adjust = (change: number) =>
      app.call('POST', `/api/v1/user/${one.id}`, { token: bareToken(admin), body: { score: change, reason: 'Bù' } })
    expect([(await adjust(1_250)).status, (await adjust(1_000)).status]).toEqual([200, 200])
    expect((await find('250')).adjustments).toMatchObject([
      { author: { _id: one.id, username: 'nguoi0' }, walletDelta: -250 },
      { author: { _id: one.id }, walletDelta: 250 },
    ])
    expect(await idsOf('1,000', 'adjustments')).toEqual([])
  })

  test('who signed in from an address, the last one first: for `users` alone, and noted', async () => {
    const [one, two, three] = players as [TestPlayer, TestPlayer, TestPlayer]
    const signIn = (who: TestPlayer, at: string) =>
      db.query('update sessions set ip = $2, created_at = $3 where user_id = $1', [who.id, '203.0.113.9', new Date(at)])
    await signIn(one, '2026-01-01T00:00:00Z')
    await signIn(two, '2026-01-02T00:00:00Z')
    await db.query(`update users set ip = '203.0.113.9' where id = any($1::uuid[])`, [[one.id, three.id]])
    expect((await find('203.0.113.9')).users).toMatchObject([
      { _id: two.id, signedIn: '2026-01-02T00:00:00.000Z' },
      { _id: one.id, signedIn: '2026-01-01T00:00:00.000Z' },
      { _id: three.id, signedIn: null },
    ])
    expect(await idsOf(' ::ffff:203.0.113.9 ', 'users')).toHaveLength(3)
    expect(await idsOf('203.0.113.90', 'users')).toEqual([])
    expect(await idsOf('203.0.113.', 'users')).toEqual([])
    const noted = async () =>
      (await db.query(`select actor, target, after from audit_log where act = 'user.search' order by seq`)).rows
    const looks = ['203.0.113.9', '203.0.113.9', '203.0.113.90'].map((text) => ({
      actor: admin.id,
      target: 'users',
      after: { text },
    }))
    expect(await noted()).toEqual(looks)
    const read = async () =>
      (await app.call('GET', '/api/v1/audit-log?act=user.search&sort=createdAt', { token: bareToken(admin) })).rows
    const addresses = async () => (await read()).map(({ after }) => after)
    expect(await addresses()).toEqual(looks.map(({ after }) => after))
    await can(['money', 'care', 'rounds', 'owner'])
    expect(await idsOf('203.0.113.9', 'users')).toEqual([])
    expect(await noted()).toEqual(looks)
    expect(await addresses()).toEqual([null, null, null])
  })

  test('bank numbers by their last digits, with whose they are', async () => {
    const [one, two] = players as [TestPlayer, TestPlayer]
    const first = await link(one, '0011223344')
    const second = await link(two, '9999993344')
    await link(two, '3344000000')
    expect((await idsOf('3344', 'banks')).toSorted()).toEqual([first, second].toSorted())
    expect(await idsOf('223344', 'banks')).toEqual([first])
    expect(await idsOf('00 1122 3344', 'banks')).toEqual([first])
    expect(await idsOf('344', 'banks')).toEqual([])
    expect((await find('0011223344')).banks).toMatchObject([
      { author: { _id: one.id, username: 'nguoi0' }, bankNumber: '0011223344', nameBank: 'NGUYEN A', nameOwner: 'VCB' },
    ])
  })

  test('an admin of any capability finds every kind; a player nothing at all', async () => {
    const [player] = players as [TestPlayer]
    const placed = await bet(player, 'aaaaaaaa-2222-4222-8222-222222222222')
    await file(player, 'aaaaaaaa-1111-4111-8111-111111111111')
    await link(player, '0011223344')
    for (const held of [[], ['care'], ['money'], ['rounds'], ['users'], ['owner']]) {
      await can(held)
      const all = [await find('aaaaaaaa'), await find('3344'), await find('nguoi0')]
      expect([held, all[0]!.bets.length, all[0]!.requests.length]).toEqual([held, 1, 1])
      expect([held, all[1]!.banks.length, all[2]!.users.length]).toEqual([held, 1, 1])
    }
    for (const q of ['nguoi', placed, '3344']) expect(await ask(q, player)).toMatchObject(refusedWith('FORBIDDEN'))
  })

  test('signs of a pattern and hostile texts match nothing by themselves', async () => {
    await link(players[0]!, '0011223344')
    for (const q of [
      '%',
      '_',
      '%%%%',
      '____',
      'nguoi_',
      '%nguoi',
      'nguoi%',
      '\\',
      "' or 1=1 --",
      '%3344',
      '33_4',
      '${1}',
    ])
      expect([q, await find(q)]).toEqual([q, nothing])
  })

  test('a text that is none, too long or broken is refused', async () => {
    const wrong = ['', 'x'.repeat(65)]
    for (const q of wrong) expect([q, (await ask(q)).status]).toEqual([q, 400])
    expect((await app.call('GET', '/api/v1/staff/find', { token: bareToken(admin) })).status).toBe(400)
    expect((await ask('x\0y')).status).toBe(422)
    for (const q of ['🙂'.repeat(30), '\u202e\u202e', 'a'.repeat(64)]) {
      const { status } = await ask(q)
      expect([q, [200, 400].includes(status)]).toEqual([q, true])
    }
    const found = await find('  ')
    expect(kinds.map((kind) => found[kind])).toEqual(kinds.map(() => []))
  })
})
