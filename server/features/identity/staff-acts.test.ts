import { beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '#contract/refusals.ts'
import type { UserProfile } from '#domain/identity/update-user.ts'
import { verifyAuditLog } from '#server/features/audit/index.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import { everythingOf, refusedWith, type Reply, type WireData } from '#testing/app/app.ts'
import {
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import { usePeople } from '#testing/play/use-people.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const dataOf = (reply: Reply) => reply.body.data as WireData

describe.each(testEngines)('%s', (engine) => {
  const { db, app } = useApp(engine)
  const [boss] = usePeople(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'boss' })
  const [player] = usePeople(db, 1)
  beforeEach(() => void (app.ledger.isOk = true))

  const one = async (options?: Parameters<typeof createPlayers>[2]): Promise<TestPlayer> => {
    const [made] = await createPlayers(db, 1, options)
    if (made === undefined) throw new Error('no player was made')
    return made
  }
  const as = (who: TestPlayer) => who.bearer.slice('Bearer '.length)
  const update = (body: unknown, target: string = player.id, who = boss, headers = {}) =>
    app.call('POST', `/api/v1/user/${target}`, { token: as(who), body, headers })
  const setRole = (body: unknown, target: string = player.id, who = boss) =>
    app.call('POST', `/api/v1/user/${target}/role`, { token: as(who), body })
  const remove = (target: string = player.id, who = boss) =>
    app.call('DELETE', `/api/v1/user/${target}`, { token: as(who) })
  const list = (query = '', who = boss) => app.call('GET', `/api/v1/user${query}`, { token: as(who) })
  const me = (who: TestPlayer) => app.call('GET', '/api/v1/user/me', { token: as(who) })
  const find = async (target: string = player.id): Promise<WireData> => {
    const found = (await list('?limit=100')).rows.find(({ _id }) => _id === target)
    if (found === undefined) throw new Error('the user is not listed')
    return found
  }
  const acts = async () =>
    (await db.query(`select actor, act, target, before, after, reason from audit_log order by seq`)).rows
  const everything = () => everythingOf(db)
  const expectRefused = async (call: () => Promise<Reply>, code: RefusalCode) => {
    const before = await everything()
    expect(await call()).toMatchObject(refusedWith(code))
    expect(await everything()).toEqual(before)
  }
  /** A bet that stays open. */
  const bet = async (stakePoints = 10, who = player) => {
    const round = await createRound(db)
    const place = createBetPlacer({ db, prices: fixedPrices(() => 1), hints: noHints }, encodeBet)
    expect(await place(wish(who, round.id, stakePoints))).toMatchObject({ ok: true })
  }
  const expectSoundBooks = async () => {
    expect((await verifyLedger(db, true)).findings).toEqual([])
    expect((await verifyAuditLog(db)).broken).toEqual([])
  }

  describe('POST /user/{id}', () => {
    test('changes the fields that differ, increments the row version, and is in the audit log with before and after', async () => {
      const before = await find()
      const reply = await update({ ...before, creditScore: 80, vip: 3, isPaused: true, isWin: false, reason: 'thử' })
      expect(reply.status).toBe(200)
      expect(reply.body.data).toEqual({
        ...before,
        creditScore: 80,
        vip: 3,
        isPaused: true,
        isWin: false,
        version: '2.1',
      })
      expect(reply.body.data).toEqual(await find())
      expect(await acts()).toEqual([
        {
          actor: boss.id,
          act: 'user.update',
          target: `user:${player.id}`,
          before: { creditScore: 100, vip: null, isFrozen: false, scriptedOutcome: null },
          after: { creditScore: 80, vip: 3, isFrozen: true, scriptedOutcome: 'lose' },
          reason: 'thử',
        },
      ])
      await expectSoundBooks()
    })

    // Every field with a value other than a new user's, in the API's names. The type reports a field that is missing
    // here.
    const others = {
      username: { username: 'tenkhac' },
      creditScore: { creditScore: 55 },
      vip: { vip: 4 },
      avatar: { avatar: 'https://example.com/a.png' },
      isFrozen: { isPaused: true },
      scriptedOutcome: { isWin: true },
    } satisfies Record<keyof UserProfile, Record<string, unknown>>

    test.each(Object.entries(others))(
      'saves %s, returns it and leaves every other field unchanged',
      async (_, sent) => {
        const before = await find()
        expect(before).not.toMatchObject(sent)
        const reply = await update({ ...sent, version: before.version })
        expect(reply.status).toBe(200)
        expect(await find()).toEqual({ ...before, ...sent, version: '2.1' })
      },
    )

    test('a whole user sent back unchanged changes nothing, including its read-only fields', async () => {
      const before = await find()
      const all = await everything()
      const whole = { ...before, role: 'ADMIN', _id: boss.id, password: '', ip: '9.9.9.9', unknown: [1], bank: 'x' }
      expect((await update(whole)).body.data).toEqual(before)
      expect(await everything()).toEqual(all)
    })

    test('a balance is an adjustment for the difference, with its actor and reason', async () => {
      const { version } = await find()
      expect(dataOf(await update({ score: 1500.25, version, reason: ' quà ' }))).toMatchObject({
        score: 1500.25,
        version: '1.2',
      })
      expect(dataOf(await update({ score: 100, reason: '  ' }))).toMatchObject({ score: 100, version: '1.3' })
      const ledger = await app.call('GET', '/api/v1/user/ledger', { token: as(player) })
      expect(ledger.rows.slice(0, 2)).toMatchObject([
        { reason: 'ADJUSTMENT', walletDelta: -1400.25, balanceAfter: 100, actor: boss.username, note: 'Điều chỉnh' },
        { reason: 'ADJUSTMENT', walletDelta: 500.25, balanceAfter: 1500.25, actor: boss.username, note: 'quà' },
      ])
      expect(await acts()).toMatchObject([
        { before: { balance: 1000 }, after: { balance: 1500.25 }, reason: 'quà' },
        { before: { balance: 1500.25 }, after: { balance: 100 }, reason: 'Điều chỉnh' },
      ])
      await expectSoundBooks()
    })

    test.each([0, 1e12])('a balance of %d is allowed', async (score) => {
      expect(dataOf(await update({ score }))).toMatchObject({ score })
      await expectSoundBooks()
    })

    test.each([
      [{ score: -0.01 }, 'AMOUNT_LIMIT'],
      [{ score: 1e12 + 0.01 }, 'AMOUNT_LIMIT'],
      [{ score: 1e300 }, 'BAD_REQUEST'],
      [{ score: 1.001 }, 'BAD_REQUEST'],
      [{ score: '10' }, 'BAD_REQUEST'],
      [{ score: null }, 'BAD_REQUEST'],
      [{ creditScore: 101 }, 'BAD_REQUEST'],
      [{ creditScore: -1 }, 'BAD_REQUEST'],
      [{ creditScore: 1.5 }, 'BAD_REQUEST'],
      [{ vip: 'gold' }, 'BAD_REQUEST'],
      [{ vip: 11 }, 'BAD_REQUEST'],
      [{ isPaused: 1 }, 'BAD_REQUEST'],
      [{ isWin: 'true' }, 'BAD_REQUEST'],
      [{ version: '1' }, 'BAD_REQUEST'],
      [{ reason: 'hai\ndòng', score: 5 }, 'BAD_REQUEST'],
      [{ username: 'có dấu' }, 'USERNAME_INVALID'],
      [{ username: '' }, 'USERNAME_INVALID'],
      [{ password: '12345' }, 'PASSWORD_INVALID'],
      [{ password: 'x'.repeat(129) }, 'PASSWORD_INVALID'],
    ] as const)('refuses %j', async (body, code) => {
      await expectRefused(() => update(body), code)
    })

    test('a username taken by somebody else, deleted or not, is refused', async () => {
      const other = await one()
      await expectRefused(() => update({ username: other.username.toUpperCase() }), 'USERNAME_TAKEN')
      await remove(other.id)
      await expectRefused(() => update({ username: other.username }), 'USERNAME_TAKEN')
      expect(dataOf(await update({ username: player.username.toUpperCase() }))['username']).toBe(
        player.username.toUpperCase(),
      )
    })

    test('nobody takes the name under which the acts of nobody are listed', async () => {
      for (const username of ['system', 'System']) {
        await expectRefused(() => update({ username }), 'USERNAME_TAKEN')
        await expectRefused(() => update({ username }, boss.id), 'USERNAME_TAKEN')
      }
    })

    test('an unknown user and a deleted user', async () => {
      await expectRefused(() => update({ vip: 1 }, '0190cccc-0000-7000-8000-000000000001'), 'NOT_FOUND')
      await remove()
      await expectRefused(() => update({ vip: 1 }), 'USER_DELETED')
    })

    test('while money acts are closed no balance is adjusted, and other edits are accepted', async () => {
      app.ledger.isOk = false
      await expectRefused(() => update({ score: 5 }), 'LEDGER_CHECK_FAILED')
      expect((await update({ vip: 1 })).status).toBe(200)
    })
  })

  describe('the version', () => {
    test('a changed profile is refused when the row has changed since, a changed balance is not', async () => {
      const copy = await find()
      await update({ vip: 1 })
      await expectRefused(() => update({ ...copy, creditScore: 90 }), 'STALE')
      await expectRefused(() => update({ ...copy }), 'STALE')
      await expectRefused(() => update({ password: 'matkhau2', version: copy['version'] }), 'STALE')
      expect(dataOf(await update({ score: 5, version: copy['version'] }))).toMatchObject({ score: 5, vip: 1 })
    })

    test('only writes of fields that staff edit increment the row version', async () => {
      const copy = await find()
      await bet(10)
      await db.query(`update users set ip = '1.2.3.4' where id = $1`, [player.id])
      expect((await find())['version']).toBe('1.2')
      expect((await update({ creditScore: 1, version: copy['version'] })).status).toBe(200)
    })

    test('versions that never existed are treated as outdated', async () => {
      await expectRefused(() => update({ score: 1000, version: '1.99' }), 'STALE')
      await expectRefused(() => update({ vip: 2, version: '9.1' }), 'STALE')
      expect((await update({ score: 0, version: '1.0' })).body.data).toEqual(await find())
    })

    test('without one a balance is applied only when it comes alone', async () => {
      const whole = { ...(await find()), version: undefined }
      await expectRefused(() => update({ ...whole, score: 5 }), 'STALE')
      await expectRefused(() => update({ score: 5, unknown: 1 }), 'STALE')
      await expectRefused(() => update({ score: 5, password: '' }), 'STALE')
      expect((await update({ ...whole, vip: 2 })).status).toBe(200)
      expect(dataOf(await update({ score: 5, reason: 'x' }))['score']).toBe(5)
    })

    test('an adjustment and a bet at once: in either order no point is lost', async () => {
      const round = await createRound(db)
      const place = createBetPlacer({ db, prices: fixedPrices(() => 1), hints: noHints }, encodeBet)
      const [adjusted, placed] = await Promise.all([update({ score: 50 }), place(wish(player, round.id, 100))])
      expect(adjusted.status).toBe(200)
      const { score } = await find()
      // The bet first: 900 left, then set to 50. The adjustment first: 50 points don't cover a stake of 100.
      expect(score).toBe(50)
      expect(placed.ok || placed.refusal === 'INSUFFICIENT_BALANCE').toBe(true)
      await expectSoundBooks()
    })
  })

  describe('the Idempotency-Key', () => {
    test('a repeat gets the first answer and changes nothing', async () => {
      const key = { 'idempotency-key': 'adjust-1' }
      const first = await update({ score: 1500 }, player.id, boss, key)
      await update({ score: 7 })
      const again = await update({ score: 1500 }, player.id, boss, key)
      expect(again.body).toEqual(first.body)
      expect((await find())['score']).toBe(7)
      expect(await acts()).toHaveLength(2)
    })

    test('other input with the same key is refused, also when only the password differs', async () => {
      const key = { 'idempotency-key': 'adjust-1' }
      await update({ score: 1500 }, player.id, boss, key)
      await expectRefused(() => update({ score: 1501 }, player.id, boss, key), 'KEY_REUSED')
      const passwordKey = { 'idempotency-key': 'password-1' }
      await update({ password: 'matkhau1' }, player.id, boss, passwordKey)
      await expectRefused(() => update({ password: 'matkhau2' }, player.id, boss, passwordKey), 'KEY_REUSED')
    })

    test('a refusal is not stored', async () => {
      const key = { 'idempotency-key': 'adjust-1' }
      app.ledger.isOk = false
      expect((await update({ score: 5 }, player.id, boss, key)).status).toBe(503)
      app.ledger.isOk = true
      expect((await update({ score: 5 }, player.id, boss, key)).status).toBe(200)
    })

    test('eight at once book once', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => update({ score: 5 }, player.id, boss, { 'idempotency-key': 'k' })),
      )
      for (const { body } of outcomes) expect(body).toEqual(outcomes[0]?.body)
      expect(await acts()).toHaveLength(1)
      await expectSoundBooks()
    })

    test('the same key for two users means two acts', async () => {
      const other = await one()
      const key = { 'idempotency-key': 'k' }
      expect((await update({ score: 5 }, player.id, boss, key)).status).toBe(200)
      expect((await update({ score: 6 }, other.id, boss, key)).status).toBe(200)
      expect((await find(other.id))['score']).toBe(6)
    })
  })

  describe('permissions', () => {
    test.each([{ score: 5 }, { isWin: true }, { isPaused: true, second: true }, { password: 'matkhau2' }])(
      'nobody does %j to themselves',
      async (body) => {
        if ('second' in body) await one({ role: 'admin' })
        await expectRefused(() => update(body, boss.id), 'NOT_YOURSELF')
      },
    )

    test('the last owner can’t be frozen, demoted or deleted', async () => {
      await expectRefused(() => update({ isPaused: true }, boss.id), 'LAST_OWNER')
      await expectRefused(() => setRole({ role: 'USER', version: '1.0' }, boss.id), 'LAST_OWNER')
      await expectRefused(() => remove(boss.id), 'LAST_OWNER')
      const frozen = await one({ role: 'admin' })
      await update({ isPaused: true }, frozen.id)
      await expectRefused(() => remove(boss.id), 'LAST_OWNER')
    })

    test('whoever writes the own id in capitals is still oneself', async () => {
      const self = boss.id.toUpperCase()
      await expectRefused(() => setRole({ role: 'USER', version: '1.0' }, self), 'LAST_OWNER')
      await expectRefused(() => remove(self), 'LAST_OWNER')
      await one({ role: 'admin' })
      await expectRefused(() => remove(self), 'NOT_YOURSELF')
      await expectRefused(() => app.call('DELETE', `/api/v1/user/${self}/factors`, { token: as(boss) }), 'NOT_YOURSELF')
    })

    test('an admin may change the own profile', async () => {
      expect(dataOf(await update({ vip: 1 }, boss.id))['vip']).toBe(1)
    })

    test('of two admins who freeze each other one succeeds', async () => {
      for (let round = 0; round < 5; round++) {
        const [a, b] = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0 })
        if (a === undefined || b === undefined) throw new Error('no admins')
        const outcomes = await Promise.all([update({ isPaused: true }, b.id, a), update({ isPaused: true }, a.id, b)])
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 403])
        await db.query(`update users set deleted_at = now() where id = any($1::uuid[])`, [[a.id, b.id]])
      }
    })

    test('players, frozen admins and ended sessions change nobody', async () => {
      const other = await one()
      const frozen = await one({ role: 'admin' })
      await update({ isPaused: true }, frozen.id)
      for (const act of [
        (who: TestPlayer) => update({ score: 5 }, other.id, who),
        (who: TestPlayer) => setRole({ role: 'ADMIN', version: '1.1' }, other.id, who),
        (who: TestPlayer) => remove(other.id, who),
        (who: TestPlayer) => list('', who),
      ]) {
        await expectRefused(() => act(player), 'FORBIDDEN')
        await expectRefused(() => act(frozen), 'ACCOUNT_PAUSED')
      }
      await update({ password: 'matkhau2' }, frozen.id)
      await expectRefused(() => remove(other.id, frozen), 'UNAUTHORIZED')
    })
  })

  describe('sessions of the changed user', () => {
    test('freezing keeps them; a new password, a new role and a delete end them', async () => {
      const reasonOf = async (who: TestPlayer) =>
        (await db.query(`select end_reason from sessions where user_id = $1`, [who.id])).rows
      await update({ isPaused: true })
      expect((await me(player)).status).toBe(200)
      await update({ password: 'matkhau2' })
      expect(await me(player)).toMatchObject(refusedWith('UNAUTHORIZED'))
      expect(await reasonOf(player)).toEqual([{ end_reason: 'password-reset' }])
      const promoted = await one()
      await setRole({ role: 'ADMIN', version: '1.1' }, promoted.id)
      expect(await reasonOf(promoted)).toEqual([{ end_reason: 'role-changed' }])
      const deleted = await one()
      await remove(deleted.id)
      expect(await reasonOf(deleted)).toEqual([{ end_reason: 'deleted' }])
    })
  })

  describe('POST /user/{id}/role', () => {
    test('makes an admin and a player again, with an act each', async () => {
      expect(dataOf(await setRole({ role: 'ADMIN', version: '1.1' }))).toMatchObject({ role: 'ADMIN', version: '2.1' })
      expect(dataOf(await setRole({ role: 'USER', version: '2.7' }))).toMatchObject({ role: 'USER', version: '3.1' })
      expect(await acts()).toMatchObject([
        { act: 'user.set-role', before: { role: 'player' }, after: { role: 'admin' } },
        { act: 'user.set-role', before: { role: 'admin' }, after: { role: 'player' } },
      ])
    })

    test('refuses an old version, an open bet, a pending request, bad words, oneself', async () => {
      await one({ role: 'admin' })
      await expectRefused(() => setRole({ role: 'ADMIN', version: '7.1' }), 'STALE')
      await expectRefused(() => setRole({ role: 'ADMIN' }), 'BAD_REQUEST')
      await expectRefused(() => setRole({ role: 'admin', version: '1.1' }), 'BAD_REQUEST')
      await expectRefused(() => setRole({ role: 'USER', version: '1.0' }, boss.id), 'NOT_YOURSELF')
      await bet()
      await expectRefused(() => setRole({ role: 'ADMIN', version: '1.2' }), 'USER_HAS_OPEN_ITEMS')
    })

    test('setting the same role again is no change', async () => {
      const before = await everything()
      expect((await setRole({ role: 'USER', version: '7.7' })).status).toBe(200)
      expect(await everything()).toEqual(before)
    })
  })

  describe('POST /user/{id}/capabilities', () => {
    const grant = (capabilities: readonly string[], version: string, target: string, who = boss) =>
      app.call('POST', `/api/v1/user/${target}/capabilities`, { token: as(who), body: { capabilities, version } })

    test('a new admin has none; an owner gives and takes, in the audit log and in the book', async () => {
      const made = dataOf(await setRole({ role: 'ADMIN', version: '1.1' }))
      expect(made['capabilities']).toEqual([])
      const granted = dataOf(await grant(['owner', 'care', 'care'], '2.1', player.id))
      expect(granted).toMatchObject({ capabilities: ['care', 'owner'], version: '3.1' })
      expect((await grant([], '3.1', player.id)).status).toBe(200)
      expect((await acts()).slice(1)).toMatchObject([
        { act: 'user.grant', before: { capabilities: [] }, after: { capabilities: ['care', 'owner'] } },
        { act: 'user.grant', before: { capabilities: ['care', 'owner'] }, after: { capabilities: [] } },
      ])
      const { rows } = await db.query<{ fields: string }>(
        `select fields from book_queue where kind = 'act' order by seq`,
      )
      const told = expect.stringMatching(/"act":"staff\.grant".*"amount":null,"c":"[^"]{44}"/)
      expect(rows.map(({ fields }) => fields)).toEqual([told, told])
      await expectSoundBooks()
    })

    test('refuses players, deleted users, old versions, other words, and whoever is no owner', async () => {
      const colleague = await one({ role: 'admin', capabilities: ['money', 'care', 'rounds', 'users'] })
      await expectRefused(() => grant(['care'], '1.1', player.id), 'NOT_AN_ADMIN')
      await expectRefused(() => grant(['care'], '7.1', colleague.id), 'STALE')
      await expectRefused(() => grant(['everything'], '1.1', colleague.id), 'BAD_REQUEST')
      await expectRefused(() => grant(['care'], '1.1', '0190dddd-0000-7000-8000-000000000009'), 'NOT_FOUND')
      const before = await everything()
      expect((await grant(['owner'], '1.1', colleague.id, colleague)).body.code).toBe('CAPABILITY_MISSING')
      expect(await everything()).toEqual(before)
      await remove(colleague.id)
      await expectRefused(() => grant(['care'], '2.1', colleague.id), 'USER_DELETED')
    })

    test('a role given again starts with none', async () => {
      await setRole({ role: 'ADMIN', version: '1.1' })
      await grant(['money'], '2.1', player.id)
      await setRole({ role: 'USER', version: '3.1' })
      expect(dataOf(await setRole({ role: 'ADMIN', version: '4.1' }))['capabilities']).toEqual([])
    })

    test('the last owner keeps it; a frozen or deleted owner does not count', async () => {
      await expectRefused(() => grant(['money'], '1.0', boss.id), 'LAST_OWNER')
      const frozen = await one({ role: 'admin', welcomePoints: 0 })
      await update({ isPaused: true }, frozen.id)
      await expectRefused(() => grant([], '1.0', boss.id), 'LAST_OWNER')
      const second = await one({ role: 'admin', welcomePoints: 0, capabilities: ['owner'] })
      expect((await grant(['money'], '1.0', boss.id)).status).toBe(200)
      expect((await grant([], '1.0', second.id, second)).body.code).toBe('LAST_OWNER')
    })

    test('of two owners who strip each other or themselves at the same time one remains', async () => {
      for (let round = 0; round < 6; round++) {
        await db.query(`update users set deleted_at = now() where role = 'admin'`)
        const [a, b] = await createPlayers(db, 2, { role: 'admin', welcomePoints: 0 })
        const outcomes = await Promise.all(
          round % 2 === 0
            ? [grant([], '1.0', b.id, a), grant([], '1.0', a.id, b)]
            : [grant([], '1.0', a.id, a), grant([], '1.0', b.id, b)],
        )
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, round % 2 === 0 ? 403 : 409])
        const { rowCount } = await db.query(
          `select 1 from users where 'owner' = any(capabilities) and role = 'admin' and deleted_at is null`,
        )
        expect(rowCount).toBe(1)
      }
    })

    test('addresses are for those who look after accounts', async () => {
      await db.query(`update users set ip = '10.0.0.9' where id = $1`, [player.id])
      const money = await one({ role: 'admin', capabilities: ['money', 'owner'] })
      expect((await list('', money)).rows.find(({ _id }) => _id === player.id)?.['ip']).toBeNull()
      expect((await find())['ip']).toBe('10.0.0.9')
    })
  })

  describe('DELETE /user/{id}', () => {
    test('ends the sessions and leaves the list; name and books are kept', async () => {
      expect((await remove()).body.data).toBeNull()
      expect((await me(player)).status).toBe(401)
      expect((await list('?limit=100')).rows.map(({ _id }) => _id)).not.toContain(player.id)
      const deleted = await list('?deleted=true')
      expect(deleted.rows).toMatchObject([{ _id: player.id, score: 1000, deletedAt: expect.any(String) }])
      await expectSoundBooks()
      await expectRefused(() => remove(), 'USER_DELETED')
    })

    test('not while a bet is open or a request waits, and never oneself', async () => {
      await one({ role: 'admin' })
      await expectRefused(() => remove(boss.id), 'NOT_YOURSELF')
      await bet()
      await expectRefused(() => remove(), 'USER_HAS_OPEN_ITEMS')
      const asking = await one()
      await db.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at)
         values ($1, $2, 'deposit', 100, $1, '1', 'A', 'B', now())`,
        ['0190dddd-0000-7000-8000-000000000001', asking.id],
      )
      await expectRefused(() => remove(asking.id), 'USER_HAS_OPEN_ITEMS')
    })
  })

  describe('GET /user', () => {
    test('finds names by any part, in any case, without accents', async () => {
      await db.query(`update users set username = 'DangHoa9', username_key = 'danghoa9' where id = $1`, [player.id])
      for (const query of ['danghoa9', 'DANG', 'gho', 'đặng', ' hoa '])
        expect((await list(`?username=${encodeURIComponent(query)}`)).rows).toMatchObject([{ username: 'DangHoa9' }])
      for (const query of ['nobody', '%', '_', 'dang hoa', '\\'])
        expect((await list(`?username=${encodeURIComponent(query)}`)).body).toMatchObject({
          data: [],
          meta: { total: 0, hasMore: false },
        })
    })

    test('pages, newest first or by name', async () => {
      await createPlayers(db, 13)
      const first = await list('?limit=6')
      expect(first.rows).toHaveLength(6)
      expect(first.body.meta).toEqual({ total: 15, page: 1, limit: 6, hasMore: true })
      const all = [...first.rows, ...(await list('?limit=6&page=2')).rows, ...(await list('?limit=6&page=3')).rows]
      expect(new Set(all.map(({ _id }) => _id)).size).toBe(15)
      expect(all.map(({ createdAt }) => createdAt)).toEqual(
        all
          .map(({ createdAt }) => createdAt)
          .toSorted()
          .toReversed(),
      )
      const names = (await list('?limit=100&sort=username')).rows.map(({ username }) => String(username))
      expect(names).toEqual(names.toSorted())
      expect((await list('?limit=100&sort=-username')).rows.map(({ username }) => username)).toEqual(names.toReversed())
      expect(await list('?sort=password')).toMatchObject(refusedWith('BAD_REQUEST'))
    })

    test('filters: admins, frozen and demonstration accounts, deleted users, one user by id', async () => {
      const [frozen, scripted, gone] = await createPlayers(db, 3)
      await db.query('update users set is_frozen = true where id = $1', [frozen.id])
      await db.query(`update users set scripted_outcome = 'win' where id = $1`, [scripted.id])
      await db.query('update users set deleted_at = clock_timestamp() where id = $1', [gone.id])
      const ids = async (query: string) => (await list(query)).rows.map(({ _id }) => _id)
      expect(await ids('?only=frozen')).toEqual([frozen.id])
      expect(await ids('?only=scripted')).toEqual([scripted.id])
      expect(await ids('?only=admins')).toEqual([boss.id])
      expect(await ids(`?only=frozen&username=${frozen.username}`)).toEqual([frozen.id])
      expect(await ids(`?only=frozen&username=${scripted.username}`)).toEqual([])
      expect(await ids('?deleted=true')).toEqual([gone.id])
      // A search by id returns that user, deleted or not.
      expect(await ids(`?userId=${gone.id}`)).toEqual([gone.id])
      expect(await ids(`?userId=${gone.id}&deleted=false`)).toEqual([])
      expect(await list('?only=rich')).toMatchObject(refusedWith('BAD_REQUEST'))
      expect(await list('?userId=1')).toMatchObject(refusedWith('BAD_REQUEST'))
    })

    test('shows staff the address, and nobody a password', async () => {
      await db.query(`update users set ip = '1.2.3.4' where id = $1`, [player.id])
      const found = await find()
      expect(found['ip']).toBe('1.2.3.4')
      expect(Object.keys(found)).not.toContain('password')
      expect(Object.keys(dataOf(await me(player)))).not.toContain('ip')
    })
  })
})
