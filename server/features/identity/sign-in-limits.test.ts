// Gate: passwords are tried by the hundred.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { buildTestApp, refusedWith, type Reply, type TestApp, type WireData } from '#testing/app/app.ts'
import { sleepLess } from '#testing/time/flying-time.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { openTestDatabase, resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { forgetOldAttempts, forgetOldDevices } from './forget-sign-ins.ts'

const PASSWORD = 'matkhau1'
const QUARTER_S = 15 * 60
const HOUR_S = 3_600

const dataOf = (reply: Reply) => reply.body.data as WireData
const tokenOf = (reply: Reply) => dataOf(reply)['access_token'] as string
const secretOf = (reply: Reply) => dataOf(reply)['deviceSecret'] as string
const waitOf = (reply: Reply) => Number(reply.headers['retry-after'])
/** Replies for which a password was compared: all that were not refused before that. */
const checked = (replies: readonly Reply[]) => replies.filter(({ status }) => status !== 429).length
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

/**
 * Two apps on one database, like two processes: without Redis, and each with its own pool when the engine has pools.
 */
describe.each(testEngines)('%s', (engine) => {
  let db: Database
  let otherDb: Database
  let apps: readonly [TestApp, TestApp]
  let sleepAsBefore: () => void

  beforeAll(async () => {
    const opened = await openTestDatabase(engine)
    db = opened
    otherDb = opened.url === null ? opened : openNative({ url: opened.url })
    // A refusal waits a second before it answers: here a tenth of one.
    sleepAsBefore = sleepLess()
  })
  afterAll(async () => {
    sleepAsBefore()
    if (otherDb !== db) await otherDb.close()
    await db.close()
  })
  const open = async () => {
    apps = [await buildTestApp(db), await buildTestApp(otherDb)]
  }
  const close = () => Promise.all(apps.map((app) => app.close()))
  beforeEach(async () => {
    await resetDatabase(db)
    await open()
  })
  afterEach(close)

  let turn = 0
  const call = (path: string, body: object, ip: string, token?: string) =>
    (apps[turn++ % 2] as TestApp).call('POST', `/api/v1/auth/${path}`, {
      body,
      ip,
      ...(token === undefined ? {} : { token }),
    })
  const register = (username: string, more: object = {}) =>
    call('register', { username, password: PASSWORD, rePassword: PASSWORD, code: 'KIMPHIEN', ...more }, '10.0.0.1')
  const signIn = (username: string, password: string, ip: string, deviceSecret?: string) =>
    call('login', { username, password, ...(deviceSecret === undefined ? {} : { deviceSecret }) }, ip)
  const change = (token: string, oldPassword: string, newPassword: string, more: object = {}, ip = '10.0.0.1') =>
    call('change-password', { oldPassword, newPassword, ...more }, ip, token)
  const fromEverywhere = (username: string, count: number) =>
    Promise.all(times(count, (n) => signIn(username, `guess-${n}`, `10.9.${n >> 8}.${n & 255}`)))
  /** Failures of an account, or of an address: mostly copies of one attempt, since hashing for each takes long. */
  const failed = async (count: number, of: { readonly username?: string; readonly ip?: string }) => {
    const attempts = times(inject('isFull') ? count : 1, (n) =>
      signIn(of.username ?? `failed${n}`, 'guess', of.ip ?? `10.8.${n >> 8}.${n & 255}`),
    )
    await Promise.all(attempts)
    await db.query(
      `insert into password_attempts (id, account, source, is_known)
       select gen_random_uuid(), case when $2 then account else sha256(n::text::bytea) end,
              case when $3 then source else '10.8.1.' || n end, false
         from (select * from password_attempts order by at desc limit 1) newest, generate_series(1, $1) n`,
      [count - attempts.length, of.username !== undefined, of.ip !== undefined],
    )
  }
  /** Ages the stored attempts. An app that starts after this has no cached refusal. */
  const later = async (interval: string) => {
    await db.query('update password_attempts set at = at - $1::interval', [interval])
    await close()
    await open()
  }

  describe('number of passwords compared', () => {
    test('10 of an account from one address, in parallel and through two processes', async () => {
      await register('BinhAn')
      const guesses = await Promise.all(times(45, (n) => signIn(n % 2 ? 'BinhAn' : 'binhan', `guess-${n}`, '10.2.0.1')))
      expect(checked(guesses)).toBe(10)
      const blocked = await signIn('BinhAn', PASSWORD, '10.2.0.1')
      expect(blocked).toMatchObject(refusedWith('LOGIN_BLOCKED'))
      expect(blocked.body.message).toMatch(/ sau 15 phút$/)
      expect(waitOf(blocked)).toBeGreaterThan(QUARTER_S - 30)
      expect(waitOf(blocked)).toBeLessThanOrEqual(QUARTER_S)
      expect((await signIn('BinhAn', PASSWORD, '10.2.0.2')).status).toBe(200)
    })

    test('100 an hour of an account from all addresses; after them even the right password is refused', async () => {
      await register('BinhAn')
      await failed(90, { username: 'BinhAn' })
      expect(checked(await fromEverywhere('BinhAn', 40))).toBe(10)
      const blocked = await signIn('BinhAn', PASSWORD, '10.3.0.1')
      expect(blocked).toMatchObject(refusedWith('LOGIN_BLOCKED'))
      expect(waitOf(blocked)).toBeGreaterThan(HOUR_S - 60)
      expect(waitOf(blocked)).toBeLessThanOrEqual(HOUR_S)
    })

    test('100 an hour from one address over all accounts; other addresses are not affected', async () => {
      await register('BinhAn')
      const names = times(13, (n) => `name${n}`)
      const guesses: Reply[] = []
      // No more at once than may wait for their turn.
      await failed(48, { ip: '10.4.0.1' })
      await failed(42, { ip: '10.4.0.1' })
      for (let n = 0; n < 2; n++)
        guesses.push(...(await Promise.all(names.map((name) => signIn(name, `guess-${n}`, '10.4.0.1')))))
      expect(checked(guesses)).toBe(10)
      expect(await signIn('BinhAn', PASSWORD, '10.4.0.1')).toMatchObject(refusedWith('LOGIN_BLOCKED'))
      expect((await signIn('BinhAn', PASSWORD, '10.4.0.2')).status).toBe(200)
    })

    test('a network of IPv6 is one address', async () => {
      const guesses = await Promise.all(times(20, (n) => signIn('Nobody', `guess-${n}`, `2001:db8:1:2::${n + 1}`)))
      expect(checked(guesses)).toBe(10)
      expect((await signIn('Nobody', 'guess', '2001:db8:1:3::1')).status).toBe(401)
    })

    test('a right password removes its own attempt, and no other', async () => {
      await register('BinhAn')
      for (let n = 0; n < 9; n++) await signIn('BinhAn', `guess-${n}`, '10.5.0.1')
      for (let n = 0; n < 3; n++) expect((await signIn('BinhAn', PASSWORD, '10.5.0.1')).status).toBe(200)
      const rest = [await signIn('BinhAn', 'guess', '10.5.0.1'), await signIn('BinhAn', 'guess', '10.5.0.1')]
      expect(rest.map(({ status }) => status)).toEqual([401, 429])
    })

    test('a block lasts 15 minutes from the last failure, an hour’s failures until the oldest is an hour old', async () => {
      await register('BinhAn')
      for (let n = 0; n < 9; n++) await signIn('BinhAn', `guess-${n}`, '10.6.0.1')
      await later('14 minutes')
      expect((await signIn('BinhAn', 'guess', '10.6.0.1')).status).toBe(401)
      await later('14 minutes')
      expect(waitOf(await signIn('BinhAn', PASSWORD, '10.6.0.1'))).toBeLessThanOrEqual(60)
      await later('1 minute')
      expect((await signIn('BinhAn', PASSWORD, '10.6.0.1')).status).toBe(200)

      await db.query('delete from password_attempts')
      await failed(60, { username: 'BinhAn' })
      await later('40 minutes')
      await failed(35, { username: 'BinhAn' })
      expect(checked(await fromEverywhere('BinhAn', 25))).toBe(5)
      await later('21 minutes')
      await failed(55, { username: 'BinhAn' })
      expect(checked(await fromEverywhere('BinhAn', 25))).toBe(5)
    })

    test('a refusal writes no row, and attempts that no limit counts are deleted', async () => {
      const count = async () => (await db.query('select 1 from password_attempts')).rowCount
      await Promise.all(times(30, (n) => signIn('Nobody', `guess-${n}`, '10.7.0.1')))
      expect(await count()).toBe(10)
      await later('59 minutes')
      expect([await forgetOldAttempts(db), await count()]).toEqual([0, 10])
      await later('2 minutes')
      expect([await forgetOldAttempts(db), await count()]).toEqual([10, 0])
    })

    test('the typed password is not stored', async () => {
      await signIn('typedpassword1', 'typedpassword2', '10.7.0.1')
      const { rows } = await db.query('select t::text as row from password_attempts t')
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toMatch(/typedpassword|7479706564/)
    })
  })

  test('existing, deleted and unknown names are refused alike', async () => {
    await register('BinhAn')
    await register('Gone')
    await register('Frozen')
    await db.query(`update users set deleted_at = clock_timestamp() where username = 'Gone'`)
    await db.query(`update users set is_frozen = true where username = 'Frozen'`)
    const answers = await Promise.all(
      ['BinhAn', 'Gone', 'Frozen', 'Nobody'].map(async (username, n) => {
        const seen: Reply[] = []
        for (let guess = 0; guess < 12; guess++) seen.push(await signIn(username, `guess-${guess}`, `10.8.0.${n}`))
        return seen.map(({ status, body, headers }) => ({
          status,
          body,
          headers: Object.keys(headers).toSorted(),
          isLong: waitOf({ headers } as Reply) > QUARTER_S - 60,
        }))
      }),
    )
    expect(answers[0]?.map(({ status }) => status)).toEqual([...times(10, () => 401), 429, 429])
    for (const other of answers) expect(other).toEqual(answers[0])
  })

  describe('an account under attack from many addresses', () => {
    test('its owner can sign in on a known device, whose failures are counted separately', async () => {
      const secret = secretOf(await register('BinhAn'))
      const second = secretOf(await signIn('BinhAn', PASSWORD, '10.0.0.2'))
      expect(second).not.toBe(secret)
      await failed(100, { username: 'BinhAn' })
      expect((await signIn('BinhAn', PASSWORD, '10.0.0.1')).status).toBe(429)
      // From any address, including one of the attack's.
      for (const ip of ['10.0.0.1', '10.8.0.0']) expect((await signIn('BinhAn', PASSWORD, ip, secret)).status).toBe(200)

      const guesses = await Promise.all(times(25, (n) => signIn('BinhAn', `guess-${n}`, `10.10.0.${n}`, secret)))
      expect(checked(guesses)).toBe(10)
      expect((await signIn('BinhAn', PASSWORD, '10.0.0.1', secret)).status).toBe(429)
      expect((await signIn('BinhAn', PASSWORD, '10.0.0.1', second)).status).toBe(200)
    })

    test('its live sessions can change the password, and a stolen session gets ten attempts', async () => {
      const stolen = tokenOf(await register('BinhAn'))
      const own = tokenOf(await signIn('BinhAn', PASSWORD, '10.0.0.1'))
      await failed(100, { username: 'BinhAn' })
      const guesses = await Promise.all(times(20, (n) => change(stolen, `guess-${n}`, 'matkhau2', {}, `10.11.0.${n}`)))
      expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10)
      expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10)
      expect(await change(stolen, PASSWORD, 'matkhau2')).toMatchObject(refusedWith('LOGIN_BLOCKED'))
      expect((await change(own, PASSWORD, 'matkhau2')).status).toBe(200)
    })

    test('a device secret serves only its own users, and failures there are not an outsider’s', async () => {
      const mine = secretOf(await register('BinhAn'))
      await register('Another')
      await failed(100, { username: 'Another' })
      expect((await signIn('Another', PASSWORD, '10.12.0.1', mine)).status).toBe(429)
      // Ten mistakes of the owner at home block nobody else at that address.
      await Promise.all(times(10, (n) => signIn('BinhAn', `guess-${n}`, '10.12.0.1', mine)))
      expect((await signIn('BinhAn', PASSWORD, '10.12.0.1')).status).toBe(200)
    })
  })

  describe('known devices', () => {
    const devices = async () => (await db.query('select 1 from known_devices')).rowCount
    const isKnown = async (username: string, secret: string) => {
      const { rows } = await db.query<{ known: number }>(
        `select count(*)::int as known from known_devices d join users u on u.id = d.user_id
          where u.username = $1 and d.secret_hash = sha256($2::bytea)`,
        [username, Buffer.from(secret, 'base64url')],
      )
      return rows[0]?.known === 1
    }

    test('one secret serves every user of a browser, and only its hash is stored', async () => {
      const secret = secretOf(await register('BinhAn'))
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(secretOf(await register('Another', { deviceSecret: secret }))).toBe(secret)
      await register('Third')
      expect(secretOf(await signIn('Third', PASSWORD, '10.0.0.1', secret))).toBe(secret)
      for (const username of ['BinhAn', 'Another', 'Third']) expect(await isKnown(username, secret)).toBe(true)
      const { rows } = await db.query('select d::text as row from known_devices d')
      expect(JSON.stringify(rows)).not.toContain(secret)
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    })

    test('a secret that the server did not make is replaced', async () => {
      await register('BinhAn')
      for (const made of ['A'.repeat(43), '', 'short', 'x'.repeat(1024)]) {
        const given = secretOf(await signIn('BinhAn', PASSWORD, '10.0.0.1', made))
        expect(given).not.toBe(made)
        expect(await isKnown('BinhAn', given)).toBe(true)
      }
      expect((await signIn('BinhAn', PASSWORD, '10.0.0.1', 'x'.repeat(1025))).status).toBe(400)
    })

    test('a wrong password stores no device', async () => {
      await register('BinhAn')
      const before = await devices()
      await signIn('BinhAn', 'guess', '10.0.0.1')
      expect(await devices()).toBe(before)
    })

    test('the twenty most recently used devices of a user are kept', async () => {
      const first = secretOf(await register('BinhAn'))
      const second = secretOf(await signIn('BinhAn', PASSWORD, '10.0.0.1'))
      for (let n = 0; n < 19; n++) {
        await signIn('BinhAn', PASSWORD, '10.0.0.1')
        if (n === 9) await signIn('BinhAn', PASSWORD, '10.0.0.1', first)
      }
      expect(await devices()).toBe(20)
      expect([await isKnown('BinhAn', first), await isKnown('BinhAn', second)]).toEqual([true, false])
    })

    test('the owner’s new password keeps the device in use, a password set by staff keeps none', async () => {
      const registered = await register('BinhAn')
      const kept = secretOf(registered)
      const other = secretOf(await signIn('BinhAn', PASSWORD, '10.0.0.1'))
      const [boss] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'ad' })
      const { rows } = await db.query<{ id: string }>(`select id from users where username = 'BinhAn'`)
      const reset = await apps[0].call('POST', `/api/v1/user/${rows[0]?.id ?? ''}`, {
        token: boss?.bearer.slice('Bearer '.length),
        body: { password: 'motlan123' },
      })
      expect(reset.status).toBe(200)
      expect([await isKnown('BinhAn', kept), await isKnown('BinhAn', other)]).toEqual([true, true])
      const token = tokenOf(await signIn('BinhAn', 'motlan123', '10.0.0.1', kept))
      expect((await change(token, 'motlan123', 'matkhau2', { deviceSecret: kept })).status).toBe(200)
      expect([await isKnown('BinhAn', kept), await isKnown('BinhAn', other)]).toEqual([true, false])
      expect((await change(token, 'matkhau2', 'matkhau3')).status).toBe(200)
      expect(await devices()).toBe(0)
    })

    test('a device is deleted half a year after its last sign-in', async () => {
      const secret = secretOf(await register('BinhAn'))
      await db.query(`update known_devices set seen_at = clock_timestamp() - interval '179 days'`)
      expect([await forgetOldDevices(db), await isKnown('BinhAn', secret)]).toEqual([0, true])
      await db.query(`update known_devices set seen_at = clock_timestamp() - interval '181 days'`)
      expect([await forgetOldDevices(db), await isKnown('BinhAn', secret)]).toEqual([1, false])
    })
  })

  test('a flood from one address leaves other addresses and known devices their turns', async () => {
    const secret = secretOf(await register('BinhAn'))
    const flood = Promise.all(times(150, (n) => signIn(`nobody${n}`, 'guess', '10.13.0.1')))
    // No more at once than one account may have in progress at one address.
    const rightful: number[] = []
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all([
        ...times(5, () => signIn('BinhAn', PASSWORD, '10.13.0.2')),
        ...times(5, () => signIn('BinhAn', PASSWORD, '10.13.0.1', secret)),
      ])
      rightful.push(...answers.map(({ status }) => status))
    }
    expect(rightful).toEqual(times(30, () => 200))
    const answers = await flood
    expect(checked(answers)).toBeLessThanOrEqual(100)
    for (const answer of answers.filter(({ status }) => status === 429)) expect(waitOf(answer)).toBeGreaterThan(0)
  })

  test('a registration that was refused before its turn is not counted', async () => {
    await close()
    apps = [
      await buildTestApp(db, { settings: { rateLimitFactor: 1 } }),
      await buildTestApp(otherDb, { settings: { rateLimitFactor: 1 } }),
    ]
    turn = 0
    const alone = (path: string, body: object, ip: string) => apps[0].call('POST', `/api/v1/auth/${path}`, { body, ip })
    const form = (username: string) => ({ username, password: PASSWORD, rePassword: PASSWORD, code: 'KIMPHIEN' })
    // Fills the line of the address with one waiting attempt per name.
    const flood = Promise.all(
      times(120, (n) => alone('login', { username: `nobody${n}`, password: 'guess' }, '10.14.0.1')),
    )
    const outcomes = await Promise.all(times(10, (n) => alone('register', form(`player${n}`), '10.14.0.1')))
    await flood
    const opened = outcomes.filter(({ status }) => status === 200).length
    expect(opened).toBeLessThan(10)
    const rest = []
    for (let n = opened; n < 10; n++) rest.push(await alone('register', form(`late${n}`), '10.14.0.1'))
    expect(rest.map(({ status }) => status)).toEqual(times(10 - opened, () => 200))
    expect((await alone('register', form('eleventh'), '10.14.0.1')).status).toBe(429)
  })
})
