import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '#contract/refusals.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { parseBareToken } from '#server/platform/http/auth.ts'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, everythingOf, refusedWith, type Reply, type TestApp, type WireData } from '#testing/app/app.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { sleepLess } from '#testing/time/flying-time.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { ensureFirstAdmin, FirstAdminError, isAdminPasswordUnused } from './first-admin.ts'
import { forgetOldSessions } from './forget-sign-ins.ts'
import { login } from './login.ts'
import { createPasswordLimits } from './password-limits.ts'

const form = { username: 'BinhAn', password: 'matkhau1', rePassword: 'matkhau1', code: 'KIMPHIEN' }
const noSettings = {
  referralCode: '',
  referralRequired: 'public',
  supportContact: '',
  teamName: '',
  welcomePoints: 0,
} as const
const dataOf = (reply: Reply) => reply.body.data as WireData
const tokenOf = (reply: Reply) => dataOf(reply)['access_token'] as string

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine)
  let app: TestApp
  let sleepAsBefore: () => void

  beforeAll(() => {
    // A refused sign-in waits a second for its answer: here a tenth of one.
    sleepAsBefore = sleepLess()
  })
  afterAll(() => sleepAsBefore())
  beforeEach(async () => {
    app = await buildTestApp(db)
  })
  afterEach(() => app.close())

  const bearerOf = (player: TestPlayer) => player.bearer.slice('Bearer '.length)
  const one = async (options?: Parameters<typeof createPlayers>[2]): Promise<TestPlayer> => {
    const [player] = await createPlayers(db, 1, options)
    if (player === undefined) throw new Error('no player was made')
    return player
  }
  const admin = () => one({ role: 'admin', welcomePoints: 0, prefix: 'ad' })
  const register = (body: object = form, ip?: string) =>
    app.call('POST', '/api/v1/auth/register', { body, ...(ip === undefined ? {} : { ip }) })
  const signIn = (username: string, password: string, ip?: string) =>
    app.call('POST', '/api/v1/auth/login', { body: { username, password }, ...(ip === undefined ? {} : { ip }) })
  const me = (token: string) => app.call('GET', '/api/v1/user/me', { token })
  const everything = () => everythingOf(db)
  const expectRefused = async (call: () => Promise<Reply>, code: RefusalCode) => {
    const before = await everything()
    expect(await call()).toMatchObject(refusedWith(code))
    expect(await everything()).toEqual(before)
  }

  describe('register', () => {
    test('opens an account with its welcome points and signs it in', async () => {
      const reply = await register()
      expect(reply.status).toBe(200)
      expect(dataOf(reply)['mustChangePassword']).toBe(false)
      const mine = await me(tokenOf(reply))
      expect(mine.body.data).toEqual({
        _id: parseBareToken(tokenOf(reply))?.userId,
        username: 'BinhAn',
        avatar: null,
        role: 'USER',
        capabilities: [],
        score: 1000,
        creditScore: 100,
        vip: null,
        isPaused: false,
        isWin: null,
        bank: [],
        version: '1.1',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        mustChangePassword: false,
        passwordResetAt: null,
      })
      const { rows } = await db.query(`select reason, amount, actor from ledger_transfers`)
      expect(rows).toEqual([{ reason: 'WELCOME', amount: 100_000n, actor: 'system' }])
    })

    test('keeps no password and no token', async () => {
      const token = tokenOf(await register())
      const kept = JSON.stringify(await everything())
      expect(kept).not.toContain(form.password)
      expect(kept).not.toContain(token)
      expect(kept).not.toContain(Buffer.from(token.slice(4), 'base64url').subarray(32).toString('hex'))
      expect(kept).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    })

    test.each([
      [{ username: 'ab' }, 'USERNAME_INVALID'],
      [{ username: 'a'.repeat(33) }, 'USERNAME_INVALID'],
      [{ username: 'bình' }, 'USERNAME_INVALID'],
      [{ username: 'an binh' }, 'USERNAME_INVALID'],
      [{ username: '' }, 'USERNAME_INVALID'],
      [{ password: '12345', rePassword: '12345' }, 'PASSWORD_INVALID'],
      [{ password: 'x'.repeat(129), rePassword: 'x'.repeat(129) }, 'PASSWORD_INVALID'],
      [{ rePassword: 'matkhau2' }, 'PASSWORD_MISMATCH'],
      [{ code: 'kimphien' }, 'REFERRAL_WRONG'],
      [{ code: '' }, 'REFERRAL_WRONG'],
      // The answer names the first wrong field of the form.
      [{ username: '', password: '', rePassword: 'x', code: '' }, 'USERNAME_INVALID'],
      [{ password: '1', rePassword: 'x', code: '' }, 'PASSWORD_INVALID'],
      [{ rePassword: 'x', code: '' }, 'PASSWORD_MISMATCH'],
      [{ username: 5 }, 'BAD_REQUEST'],
      [{ password: null }, 'BAD_REQUEST'],
      [{ rePassword: undefined }, 'BAD_REQUEST'],
      [{ password: 'x'.repeat(1025) }, 'BAD_REQUEST'],
    ] as const)('refuses %j', async (change, code) => {
      await expectRefused(() => register({ ...form, ...change }), code)
    })

    test('a name is taken in any case, also at the same moment', async () => {
      const outcomes = await Promise.all(
        ['binhan', 'BINHAN', 'BinhAn', 'bInHaN'].map((username) => register({ ...form, username })),
      )
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      await expectRefused(() => register({ ...form, username: 'BinhAN' }), 'USERNAME_TAKEN')
      expect((await db.query('select 1 from users')).rowCount).toBe(1)
      // The ledger and the audit log name nobody so.
      await expectRefused(() => register({ ...form, username: 'System' }), 'USERNAME_TAKEN')
    })

    test('an address may send ten valid forms in an hour, successful or not', async () => {
      await app.close()
      app = await buildTestApp(db, { settings: { rateLimitFactor: 1 } })
      await Promise.all(Array.from({ length: 10 }, () => register({ ...form, username: 'sameName' }, '10.1.1.1')))
      await expectRefused(() => register({ ...form, username: 'newName' }, '10.1.1.1'), 'TOO_MANY_REQUESTS')
      const refused = await register(form, '10.1.1.1')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
      // An invalid form neither counts nor is refused as too many.
      expect(await register({ ...form, code: 'x' }, '10.1.1.1')).toMatchObject(refusedWith('REFERRAL_WRONG'))
      expect((await register(form, '10.1.1.2')).status).toBe(200)
    })

    test('a secret code is told to nobody, checked by the server, and tried ten times an hour from an address', async () => {
      const config = async () => (await app.call('GET', '/api/v1/public-config')).body.data
      expect(await config()).toMatchObject({ referralCode: 'KIMPHIEN' })
      await app.close()
      app = await buildTestApp(db, { settings: { referralRequired: 'secret', rateLimitFactor: 1 } })
      expect(await config()).toMatchObject({ referralCode: null })
      expect(JSON.stringify(await config())).not.toContain('KIMPHIEN')
      for (let guess = 0; guess < 10; guess++)
        await expectRefused(() => register({ ...form, code: `MA${guess}` }, '10.1.1.1'), 'REFERRAL_WRONG')
      await expectRefused(() => register({ ...form, code: 'KIMPHIEN' }, '10.1.1.1'), 'TOO_MANY_REQUESTS')
      expect((await register(form, '10.1.1.2')).status).toBe(200)
    })

    test('RATE_LIMIT_FACTOR multiplies that limit', async () => {
      await app.close()
      app = await buildTestApp(db, { settings: { rateLimitFactor: 0.2 } })
      expect((await register(form, '10.1.1.1')).status).toBe(200)
      expect((await register(form, '10.1.1.1')).status).toBe(409)
      expect((await register(form, '10.1.1.1')).status).toBe(429)
    })

    test('gives no welcome points when they are set to zero', async () => {
      await app.close()
      app = await buildTestApp(db, { settings: { welcomePoints: 0 } })
      expect(dataOf(await me(tokenOf(await register())))).toMatchObject({ score: 0, version: '1.0' })
    })
  })

  describe('login', () => {
    test('opens a session of its own, with the name in any case', async () => {
      const first = tokenOf(await register())
      const second = tokenOf(await signIn('binhAN', form.password))
      expect(second).not.toBe(first)
      expect(dataOf(await me(second))['username']).toBe('BinhAn')
      expect((await me(first)).status).toBe(200)
    })

    test('a password is one in every composition, and is counted by its characters', async () => {
      const [typed, again] = ['mật khẩu ẫ'.normalize('NFD'), 'mật khẩu ẫ'.normalize('NFC')]
      expect(typed).not.toBe(again)
      const two = 'ẫẫ'.normalize('NFD')
      await expectRefused(() => register({ ...form, password: two, rePassword: two }), 'PASSWORD_INVALID')
      const { status, body } = await register({ ...form, password: typed, rePassword: again })
      expect([status, body.code]).toEqual([200, undefined])
      for (const password of [typed, again, typed.normalize('NFKD')])
        expect((await signIn('BinhAn', password)).status).toBe(200)
      const token = tokenOf(await signIn('BinhAn', again))
      const change = (oldPassword: string, newPassword: string) =>
        app.call('POST', '/api/v1/auth/change-password', { token, body: { oldPassword, newPassword } })
      expect(await change(typed, two)).toMatchObject(refusedWith('PASSWORD_INVALID'))
      expect((await change(typed, 'đổi mới ẫ'.normalize('NFD'))).status).toBe(200)
      expect((await signIn('BinhAn', 'đổi mới ẫ'.normalize('NFC'))).status).toBe(200)
    })

    test('a name signs in with the space that a keyboard left around it, and is limited as without it', async () => {
      await register()
      for (const name of ['BinhAn ', ' binhan', 'BINHAN\u00a0', 'BinhAn\n'])
        expect([name, (await signIn(name, form.password)).status]).toEqual([name, 200])
      for (const name of ['Binh An', 'BinhAn.']) expect((await signIn(name, form.password)).status).toBe(401)
      await expectRefused(() => register({ ...form, username: 'Another ' }), 'USERNAME_INVALID')
      for (let n = 0; n < 10; n++) await signIn(`BinhAn${' '.repeat(n)}`, 'sai-mat-khau')
      expect(await signIn('BinhAn', form.password)).toMatchObject(refusedWith('LOGIN_BLOCKED'))
    })

    test('a wrong password and an unknown name are answered alike', async () => {
      await register()
      const wrong = await signIn('BinhAn', 'matkhau2')
      const unknown = await signIn('Nobody', 'matkhau2')
      expect(wrong).toMatchObject(refusedWith('LOGIN_FAILED'))
      expect(unknown.body).toEqual(wrong.body)
      expect((await signIn('không phải tên', 'matkhau2')).body).toEqual(wrong.body)
      expect((await signIn('', '')).body).toEqual(wrong.body)
      await expectRefused(() => signIn('BinhAn', 'matkhau2'), 'LOGIN_FAILED')
    })

    test('an unknown name takes as long as a wrong password', async () => {
      await register()
      const timesMs: Record<string, number[]> = { BinhAn: [], Nobody: [] }
      // In turn, so that other load on the machine affects both; from a fresh address each time, so that none is
      // blocked.
      for (let round = 0; round < 9; round++)
        for (const username of ['BinhAn', 'Nobody']) {
          const from = performance.now()
          await signIn(username, 'wrong-password', `10.3.${round}.1`)
          timesMs[username]?.push(performance.now() - from)
        }
      const medianOf = (username: string) => timesMs[username]?.toSorted((a, b) => a - b)[4] ?? 0
      const known = medianOf('BinhAn')
      const unknown = medianOf('Nobody')
      expect(unknown).toBeGreaterThan(known / 3)
      expect(unknown).toBeLessThan(known * 3)
    })

    test('a password that staff replace during its verification opens no session', async () => {
      await register()
      const limits = createPasswordLimits(db)
      // The row is read with the old hash; the hash changes before the session is written.
      const late: Database = {
        ...db,
        async query(text, params, options) {
          if (text.includes('insert into sessions')) await db.query(`update users set password_hash = 'x'`)
          return db.query(text, params, options)
        },
      }
      const outcome = await login(
        {
          db: late,
          settings: { ...noSettings, staffSecondFactor: 'optional', publicOrigin: null },
          clock: app.clock,
          hints: { accountChanged: () => {}, balanceChanged: () => {}, noticesChanged: () => {} },
        },
        limits,
        form,
        { ip: '10.0.0.1', userAgent: null },
      )
      expect(isRefused(outcome) && outcome.code).toBe('LOGIN_FAILED')
      expect((await db.query('select 1 from sessions')).rowCount).toBe(1)
    })

    test('unknown fields and missing ones are refused', async () => {
      await expectRefused(() => app.call('POST', '/api/v1/auth/login', { body: { username: 'a' } }), 'BAD_REQUEST')
      await expectRefused(() => app.call('POST', '/api/v1/auth/login', { body: { ...form } }), 'BAD_REQUEST')
    })
  })

  describe('sessions', () => {
    test('logout ends only this session', async () => {
      const first = tokenOf(await register())
      const second = tokenOf(await signIn('BinhAn', form.password))
      expect((await app.call('POST', '/api/v1/auth/logout', { token: first })).body.data).toBeNull()
      expect(await me(first)).toMatchObject(refusedWith('UNAUTHORIZED'))
      expect((await me(second)).status).toBe(200)
      expect(await app.call('POST', '/api/v1/auth/logout', { token: first })).toMatchObject(refusedWith('UNAUTHORIZED'))
    })

    test('a token expires after 7 days of database time', async () => {
      const token = tokenOf(await register())
      const { rows } = await db.query<{ days: number }>(
        `select extract(epoch from expires_at - created_at)::float8 / 86400 as days from sessions`,
      )
      expect(rows[0]?.days).toBeCloseTo(7, 3)
      await db.query(`update sessions set expires_at = clock_timestamp() - interval '1 ms'`)
      expect(await me(token)).toMatchObject(refusedWith('UNAUTHORIZED'))
    })

    test('a session is deleted 90 days after its token expired, and not before', async () => {
      const token = tokenOf(await register())
      const old = tokenOf(await signIn('BinhAn', form.password))
      const count = async () => (await db.query(`select 1 from sessions`)).rowCount
      const runOut = (bearer: string, ago: string) =>
        db.query(`update sessions set expires_at = clock_timestamp() - $2::interval where id = $1`, [
          parseBareToken(bearer)?.sessionId ?? null,
          ago,
        ])
      await runOut(token, '89 days 23 hours')
      await runOut(old, '89 days 23 hours')
      expect([await forgetOldSessions(db), await count()]).toEqual([0, 2])
      await runOut(old, '90 days 1 hour')
      // More sessions than one statement deletes.
      await db.query(
        `insert into sessions (id, user_id, secret_hash, expires_at)
         select gen_random_uuid(), user_id, '', clock_timestamp() - interval '1 year'
           from (select user_id from sessions limit 1) one, generate_series(1, 4100)`,
      )
      expect([await forgetOldSessions(db), await count()]).toEqual([4101, 1])
      expect(await me(old)).toMatchObject(refusedWith('UNAUTHORIZED'))
    })

    test('a token with the secret, session or user of another one opens nothing', async () => {
      const token = tokenOf(await register())
      const other = tokenOf(await register({ ...form, username: 'Other' }))
      const mix = (from: number, to: number) => {
        const bytes = Buffer.from(token.slice(4), 'base64url')
        Buffer.from(other.slice(4), 'base64url').copy(bytes, from, from, to)
        return `kp1.${bytes.toString('base64url')}`
      }
      for (const forged of [mix(0, 16), mix(16, 32), mix(32, 64), mix(0, 32)])
        expect(await me(forged)).toMatchObject(refusedWith('UNAUTHORIZED'))
    })

    test('a user can’t read own-data lists of another user', async () => {
      const token = tokenOf(await register())
      expect((await app.call('GET', '/api/v1/history/user', { token })).status).toBe(200)
      expect((await app.call('GET', '/api/v1/user', { token })).body).toMatchObject({ code: 'FORBIDDEN' })
    })

    test('a user who is named in a call must be the caller, also where the id is written in capitals', async () => {
      const token = tokenOf(await register())
      const own = String(dataOf(await me(token))['_id'])
      const named = async (id: string) =>
        (await app.call('GET', `/api/v1/chat/conversations?userId=${id}`, { token })).status
      expect([await named(own), await named(own.toUpperCase()), await named(crypto.randomUUID())]).toEqual([
        200, 200, 403,
      ])
    })
  })

  describe('change-password', () => {
    const change = (token: string, body: object) => app.call('POST', '/api/v1/auth/change-password', { token, body })
    const wish = { oldPassword: form.password, newPassword: 'matkhau2' }

    test('ends every other session and keeps this one', async () => {
      const first = tokenOf(await register())
      const second = tokenOf(await signIn('BinhAn', form.password))
      expect((await change(first, { ...wish, username: 'binhan' })).status).toBe(200)
      expect((await me(first)).status).toBe(200)
      expect((await me(second)).status).toBe(401)
      expect((await signIn('BinhAn', form.password)).status).toBe(401)
      expect((await signIn('BinhAn', 'matkhau2')).status).toBe(200)
    })

    test.each([
      [{ oldPassword: 'wrong-password' }, 'PASSWORD_WRONG'],
      [{ newPassword: '12345' }, 'PASSWORD_INVALID'],
      [{ newPassword: form.password }, 'PASSWORD_SAME'],
      [{ newPassword: 'x'.repeat(129) }, 'PASSWORD_INVALID'],
      [{ username: 'Somebody' }, 'FORBIDDEN'],
      [{ newPassword: 123456 }, 'BAD_REQUEST'],
      [{ oldPassword: undefined }, 'BAD_REQUEST'],
      [{ extra: 1 }, 'BAD_REQUEST'],
    ] as const)('refuses %j', async (bad, code) => {
      const token = tokenOf(await register())
      await expectRefused(() => change(token, { ...wish, ...bad }), code)
    })

    test('a repeat with the key of a lost answer is done already, with another key it is wrong', async () => {
      const token = tokenOf(await register())
      const changeBy = (key: string, body: object = wish) =>
        app.call('POST', '/api/v1/auth/change-password', { token, body, headers: { 'idempotency-key': key } })
      const both = await Promise.all([changeBy('one'), changeBy('one')])
      expect([...both, await changeBy('one')].map(({ status }) => status)).toEqual([200, 200, 200])
      await expectRefused(() => changeBy('two'), 'PASSWORD_WRONG')
      expect((await signIn('BinhAn', 'matkhau2')).status).toBe(200)
      // Whose current password is right wants a change, whatever the key.
      expect((await changeBy('one', { ...wish, oldPassword: 'matkhau2', newPassword: 'matkhau3' })).status).toBe(200)
      expect((await signIn('BinhAn', 'matkhau3')).status).toBe(200)
      expect(JSON.stringify((await db.query(`select * from idempotency_keys`)).rows)).not.toContain('matkhau')
    })

    test('of two changes at once one succeeds', async () => {
      const first = tokenOf(await register())
      const second = tokenOf(await signIn('BinhAn', form.password))
      const outcomes = await Promise.all([
        change(first, { ...wish, newPassword: 'matkhau-a' }),
        change(second, { ...wish, newPassword: 'matkhau-b' }),
      ])
      expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
      const works = await Promise.all(['matkhau-a', 'matkhau-b'].map((password) => signIn('BinhAn', password)))
      expect(works.filter(({ status }) => status === 200)).toHaveLength(1)
    })
  })

  describe('config', () => {
    test('everybody may read the public config', async () => {
      expect((await app.call('GET', '/api/v1/public-config')).body.data).toEqual({
        referralCode: 'KIMPHIEN',
        supportContact: 'quản trị viên',
        teamName: 'Kim Phiên',
        hasPasskeys: false,
      })
    })

    test('a player reads rates, presets and the server’s time', async () => {
      const player = await one()
      const reply = await app.call('GET', '/api/v1/user/config', { token: bearerOf(player) })
      expect(reply.body.data).toEqual({
        score: 1000,
        creditScore: 100,
        vip: null,
        isPaused: false,
        isWin: null,
        bank: [],
        rates: { '30s': 5, '60s': 7, '90s': 9, '120s': 12 },
        presetStakes: [10, 20, 50, 100, 1000, 2000, 5000, 10_000],
        serverTime: expect.stringMatching(/Z$/),
      })
      expect(await app.call('GET', '/api/v1/user/config')).toMatchObject(refusedWith('UNAUTHORIZED'))
    })

    test('linked banks are part of the user', async () => {
      const player = await one()
      await db.query(
        `insert into banks (id, owner_id, account_number, account_holder, bank_name)
         values ($1, $2, '0123', 'NGUYEN VAN AN', 'Vietcombank')`,
        ['0190bbbb-0000-7000-8000-000000000001', player.id],
      )
      expect(dataOf(await me(bearerOf(player)))['bank']).toEqual([
        {
          _id: '0190bbbb-0000-7000-8000-000000000001',
          bankNumber: '0123',
          nameBank: 'NGUYEN VAN AN',
          nameOwner: 'Vietcombank',
          author: player.id,
        },
      ])
    })
  })

  describe('frozen and reset accounts', () => {
    test('a frozen player may sign in, read its own data and leave; nothing else', async () => {
      const token = tokenOf(await register())
      await db.query(`update users set is_frozen = true`)
      expect((await signIn('BinhAn', form.password)).status).toBe(200)
      expect(dataOf(await me(token))['isPaused']).toBe(true)
      for (const path of ['/user/config', '/history/user', '/user/ledger'])
        expect((await app.call('GET', `/api/v1${path}`, { token })).status).toBe(200)
      for (const path of ['/game', '/game/current?type=30s', '/game/list-all', '/user'])
        expect(await app.call('GET', `/api/v1${path}`, { token })).toMatchObject(refusedWith('ACCOUNT_PAUSED'))
      await expectRefused(
        () =>
          app.call('POST', '/api/v1/auth/change-password', {
            token,
            body: { oldPassword: form.password, newPassword: 'matkhau2' },
          }),
        'ACCOUNT_PAUSED',
      )
      expect((await app.call('POST', '/api/v1/auth/logout', { token })).status).toBe(200)
    })

    test('a password set by staff gives access only to the routes needed to replace it', async () => {
      const boss = await admin()
      const token = tokenOf(await register())
      const userId = dataOf(await me(token))['_id'] as string
      const reset = await app.call('POST', `/api/v1/user/${userId}`, {
        token: bearerOf(boss),
        body: { password: 'motlan123' },
      })
      expect(dataOf(reset)).toMatchObject({ mustChangePassword: true })
      expect(JSON.stringify(reset.body)).not.toContain('motlan123')
      expect(await me(token)).toMatchObject(refusedWith('UNAUTHORIZED'))

      const signedIn = await signIn('BinhAn', 'motlan123')
      expect(dataOf(signedIn)['mustChangePassword']).toBe(true)
      const fresh = tokenOf(signedIn)
      expect(dataOf(await me(fresh))).toMatchObject({
        mustChangePassword: true,
        passwordResetAt: expect.stringMatching(/Z$/),
      })
      for (const path of ['/user/config', '/history/user', '/user/ledger', '/game'])
        expect(await app.call('GET', `/api/v1${path}`, { token: fresh })).toMatchObject(
          refusedWith('MUST_CHANGE_PASSWORD'),
        )
      const changed = await app.call('POST', '/api/v1/auth/change-password', {
        token: fresh,
        body: { oldPassword: 'motlan123', newPassword: 'cuatoi123' },
      })
      expect(changed.status).toBe(200)
      expect((await app.call('GET', '/api/v1/user/config', { token: fresh })).status).toBe(200)
    })
  })

  describe('the first administrator', () => {
    test('is created once, with a generated password or the given one, and can’t play', async () => {
      const password = await ensureFirstAdmin(db, 'admin', null)
      expect(password).toMatch(/^[A-Za-z0-9]{20}$/)
      expect(await ensureFirstAdmin(db, 'admin', null)).toBeNull()
      const token = tokenOf(await signIn('admin', password ?? ''))
      expect(dataOf(await me(token))).toMatchObject({ role: 'ADMIN', score: 0 })
      expect((await db.query('select 1 from ledger_transfers')).rowCount).toBe(0)
    })

    test('is created once when two processes start together', async () => {
      const made = await Promise.all([ensureFirstAdmin(db, 'admin', null), ensureFirstAdmin(db, 'admin', null)])
      expect(made.filter((password) => password !== null)).toHaveLength(1)
      expect((await db.query('select 1 from users')).rowCount).toBe(1)
    })

    test('gets the given password, and nothing is printed', async () => {
      expect(await ensureFirstAdmin(db, 'boss', 'duoc-cho-san')).toBeNull()
      expect((await signIn('boss', 'duoc-cho-san')).status).toBe(200)
      expect(await isAdminPasswordUnused(db, 'boss', 'duoc-cho-san')).toBe(false)
    })

    test('keeps its password when another one, or another name, is set afterwards', async () => {
      await ensureFirstAdmin(db, 'boss', 'duoc-cho-san')
      expect(await ensureFirstAdmin(db, 'boss', 'doi-sau-do')).toBeNull()
      expect((await signIn('boss', 'doi-sau-do')).status).not.toBe(200)
      expect(await isAdminPasswordUnused(db, 'boss', 'doi-sau-do')).toBe(true)
      expect(await isAdminPasswordUnused(db, 'chief', 'duoc-cho-san')).toBe(true)
    })

    test('does not take a player’s name', async () => {
      await register({ ...form, username: 'Admin' })
      await expect(ensureFirstAdmin(db, 'admin', null)).rejects.toThrow(FirstAdminError)
    })
  })
})
