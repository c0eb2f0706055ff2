import { hashSync } from '@node-rs/argon2'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Capability, CAPABILITIES } from '#domain/identity/permissions.ts'
import type { Database } from '#server/platform/database/db.ts'
import { openNative } from '#server/platform/database/native.ts'
import { buildTestApp, refusedWith, type Reply, type TestApp, type WireData } from '#testing/app/app.ts'
import { makePasskey } from '#testing/play/passkeys.ts'
import { createFakeClock, type FakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { openTestDatabase, resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { requireFactors } from './fresh-factor.ts'
import { forgetOldSessions } from './forget-sign-ins.ts'
import { actOnAdmin } from './operator-acts.ts'

const PASSWORD = 'matkhau1'
const PASSWORD_HASH = hashSync(PASSWORD, { memoryCost: 1024, timeCost: 1 })
const STEP_MS = 30_000

const dataOf = (reply: Reply) => reply.body.data as WireData
const tokenOf = (who: TestPlayer) => who.bearer.slice('Bearer '.length)

describe.each(testEngines)('%s', (engine) => {
  let db: Database
  let otherDb: Database
  let clock: FakeClock
  let app: TestApp
  let other: TestApp
  let open: TestApp[] = []

  beforeAll(async () => {
    const opened = await openTestDatabase(engine)
    db = opened
    otherDb = opened.url === null ? opened : openNative({ url: opened.url })
  })
  afterAll(async () => {
    if (otherDb !== db) await otherDb.close()
    await db.close()
  })
  const start = async (staffSecondFactor: 'off' | 'optional' | 'required', on = db) => {
    const started = await buildTestApp(on, { clock, settings: { staffSecondFactor } })
    open.push(started)
    return started
  }
  beforeEach(async () => {
    await resetDatabase(db)
    clock = createFakeClock()
    app = await start('optional')
    other = await start('optional', otherDb)
  })
  afterEach(async () => {
    await Promise.all(open.map((one) => one.close()))
    open = []
  })

  const anAdmin = async (capabilities: readonly Capability[] = CAPABILITIES): Promise<TestPlayer> => {
    const [admin] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'ad', capabilities })
    if (admin === undefined) throw new Error('no admin was made')
    await db.query(`update users set password_hash = $2 where id = $1`, [admin.id, PASSWORD_HASH])
    return admin
  }
  let on = () => app
  beforeEach(() => {
    on = () => app
  })
  /** Whom the acts of the system are about that wait for the open book. */
  const queuedReasons = async () => {
    const { rows } = await db.query<{ fields: string }>(`select fields from book_queue where kind = 'act'`)
    expect(rows.every(({ fields }) => fields.includes('"act":"staff.grant","actor":null'))).toBe(true)
    expect(rows).toHaveLength(1)
    return (await db.query<{ ref: string }>('select ref from book_reasons')).rows.map(({ ref }) => ref)
  }
  type Method = Parameters<TestApp['call']>[0]
  const call = (method: Method, path: string, token?: string, body?: object, ip = '10.0.0.1') =>
    on().call(method, `/api/v1${path}`, { token, body, ip })
  const signIn = (who: TestPlayer, more: object = {}, ip?: string) =>
    call('POST', '/auth/login', undefined, { username: who.username, password: PASSWORD, ...more }, ip)
  const challengeOf = async (who: TestPlayer) => {
    const reply = await signIn(who)
    expect(reply.status).toBe(200)
    expect(dataOf(reply)['access_token']).toBeUndefined()
    return dataOf(reply)['challenge'] as string
  }
  const finish = (challenge: string, proof: object, at: TestApp = on(), ip = '10.0.0.1') =>
    at.call('POST', '/api/v1/auth/factor', { body: { challenge, ...proof }, ip })
  const codeAt = (secret: string, nowMs = clock.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs })
  const wrongCode = (secret: string) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, clock.now() + steps * STEP_MS))
    return Array.from({ length: 20 }, (_, n) => String(n).padStart(6, '0')).find((code) => !near.includes(code)) ?? ''
  }
  const enrol = async (who: TestPlayer, token = tokenOf(who)) => {
    const begun = await call('POST', '/user/factors/totp', token)
    expect(begun.status).toBe(200)
    const { challenge, secret } = dataOf(begun) as { challenge: string; secret: string }
    const added = await call('POST', '/user/factors/totp/confirm', token, {
      challenge,
      code: codeAt(secret),
      name: 'Điện thoại',
    })
    expect(added.status).toBe(200)
    return { secret, recoveryCodes: dataOf(added)['recoveryCodes'] as string[] }
  }
  const sessionsOf = async (who: TestPlayer) =>
    (await db.query(`select id from sessions where user_id = $1 and ended_at is null`, [who.id])).rowCount ?? 0

  describe('a player’s passkey', () => {
    const ORIGIN = 'https://kim.example'
    const aPlayer = async () => {
      const [player] = await createPlayers(db, 1, { prefix: 'pl' })
      if (player === undefined) throw new Error('no player was made')
      await db.query(`update users set password_hash = $2 where id = $1`, [player.id, PASSWORD_HASH])
      return player
    }
    beforeEach(async () => {
      app = await buildTestApp(db, { clock, settings: { staffSecondFactor: 'required', publicOrigin: ORIGIN } })
      open.push(app)
    })
    const begin = async (path: string, token?: string) =>
      dataOf(await call('POST', path, token)) as { challenge: string; options: { challenge: string } }
    const add = async (who: TestPlayer) => {
      const { challenge, options } = await begin('/user/factors/passkey', tokenOf(who))
      const passkey = makePasskey(ORIGIN, options.challenge)
      const body = { challenge, passkey: passkey.made, name: 'Điện thoại' }
      const added = await call('POST', '/user/factors/passkey/confirm', tokenOf(who), body)
      return { passkey, added }
    }
    const enter = async (passkey: ReturnType<typeof makePasskey>, isVerified = true) => {
      const { challenge, options } = await begin('/auth/passkey/challenge')
      const body = { challenge, passkey: passkey.use(options.challenge, isVerified) }
      return { body, reply: await call('POST', '/auth/passkey', undefined, body) }
    }

    test('opens the account by itself and once for each step, beside a password that goes on working alone', async () => {
      const player = await aPlayer()
      const { passkey, added } = await add(player)
      expect([added.status, added.body.data]).toEqual([200, { recoveryCodes: null }])
      const { body, reply } = await enter(passkey)
      expect(dataOf(await call('GET', '/user/me', dataOf(reply)['access_token'] as string))['_id']).toBe(player.id)
      expect(await call('POST', '/auth/passkey', undefined, body)).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
      // The first device is no news, another one is.
      const news = `select 1 from notices where user_id = $1 and kind = 'device'`
      expect((await db.query(news, [player.id])).rows).toHaveLength(0)
      expect((await enter(passkey)).reply.status).toBe(200)
      expect((await db.query(news, [player.id])).rows).toHaveLength(1)
      // Without asking who is there, the device proves only that somebody has it.
      expect((await enter(passkey, false)).reply).toMatchObject(refusedWith('PASSKEY_WRONG'))
      expect((await enter(makePasskey(ORIGIN, 'x'))).reply).toMatchObject(refusedWith('PASSKEY_WRONG'))
      expect(dataOf(await signIn(player))['access_token']).toBeDefined()
      // What staff have, a player has not.
      for (const path of ['/user/factors/totp', '/user/factors/recovery-codes'])
        expect(await call('POST', path, tokenOf(player))).toMatchObject(refusedWith('FORBIDDEN'))
    })

    test('is added and removed within 15 minutes of a sign-in or of a proof, by the password too; the bell says each', async () => {
      const player = await aPlayer()
      const token = tokenOf(player)
      const { passkey } = await add(player)
      const grow = () =>
        db.query(
          `update sessions set created_at = created_at - interval '15 minutes', factor_at = factor_at - interval '15 minutes'
            where user_id = $1`,
          [player.id],
        )
      await grow()
      const [{ _id: id } = { _id: '' }] = (
        dataOf(await call('GET', '/user/factors', token)) as { factors: { _id: string }[] }
      ).factors
      expect(await call('DELETE', `/user/factors/${id}`, token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
      expect(await call('POST', '/user/factors/passkey', token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
      const step = dataOf(await call('POST', '/user/factors/challenge', token))
      expect(step['ways']).toEqual(['passkey', 'password'])
      const prove = (proof: object) =>
        call('POST', '/user/factors/proof', token, { challenge: step['challenge'], ...proof })
      expect(await prove({ password: 'sai-mat-khau' })).toMatchObject(refusedWith('PASSWORD_WRONG'))
      expect((await prove({ password: PASSWORD })).status).toBe(200)
      expect((await add(player)).added.status).toBe(200)
      await grow()
      const { challenge } = step['passkeyOptions'] as { challenge: string }
      expect((await prove({ passkey: passkey.use(challenge) })).status).toBe(200)
      expect((await call('DELETE', `/user/factors/${id}`, token)).status).toBe(200)
      expect((await enter(passkey)).reply).toMatchObject(refusedWith('PASSKEY_WRONG'))
      const { rows } = await db.query<{ ref: string }>(
        `select split_part(ref, ':', 1) as ref from notices where user_id = $1 and kind = 'factor' order by created_at`,
        [player.id],
      )
      expect(rows.map(({ ref }) => ref)).toEqual(['added', 'added', 'removed'])
    })

    test('goes with a password that staff set, opens no admin’s account, and an admin’s password is no proof', async () => {
      const boss = await anAdmin()
      await db.query(`update sessions set factor_at = clock_timestamp() where user_id = $1`, [boss.id])
      const player = await aPlayer()
      const { passkey } = await add(player)
      expect((await call('POST', `/user/${player.id}`, tokenOf(boss), { password: 'moi-moi-1' })).status).toBe(200)
      expect((await enter(passkey)).reply).toMatchObject(refusedWith('PASSKEY_WRONG'))

      const { passkey: own } = await add(boss)
      expect((await enter(own)).reply).toMatchObject(refusedWith('PASSKEY_WRONG'))
      const { challenge } = await begin('/user/factors/challenge', tokenOf(boss))
      const proof = { challenge, password: PASSWORD }
      expect(await call('POST', '/user/factors/proof', tokenOf(boss), proof)).toMatchObject(
        refusedWith('PASSWORD_WRONG'),
      )
    })
  })

  test('an app is added by its first code, with ten recovery codes, and asked for from then on', async () => {
    const admin = await anAdmin()
    const { secret, recoveryCodes } = await enrol(admin)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    clock.advance(STEP_MS)
    const before = await sessionsOf(admin)
    const step = await signIn(admin)
    expect(dataOf(step)).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      ways: ['totp', 'recovery'],
      passkeyOptions: null,
    })
    expect(await sessionsOf(admin)).toBe(before)
    const done = await finish(dataOf(step)['challenge'] as string, { code: codeAt(secret) })
    expect(done.status).toBe(200)
    const token = dataOf(done)['access_token'] as string
    expect((await call('GET', '/user/me', token)).status).toBe(200)
    // Signing in with the factor counts as fresh.
    expect((await call('POST', '/user/factors/totp', token)).status).toBe(200)
    expect(dataOf(await call('GET', '/user/factors', token))).toMatchObject({
      factors: [{ kind: 'totp', name: 'Điện thoại' }],
      recoveryCodesLeft: 10,
      mode: 'optional',
      hasPasskeys: false,
      mustAdd: false,
    })
  })

  test('a wrong password and an unknown name look the same as without a factor', async () => {
    const admin = await anAdmin()
    await enrol(admin)
    const wrong = await call('POST', '/auth/login', undefined, { username: admin.username, password: 'sai-mat-khau' })
    const unknown = await call('POST', '/auth/login', undefined, { username: 'nobody1', password: 'sai-mat-khau' })
    expect(wrong).toMatchObject(refusedWith('LOGIN_FAILED'))
    expect(unknown.body).toEqual(wrong.body)
  })

  test('a code may be one step off, and works once: neither again nor after a later one', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    // The code that added the app was used by that.
    expect(await finish(await challengeOf(admin), { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_WRONG'))
    clock.advance(5 * STEP_MS)
    const proofs: ReadonlyArray<readonly [steps: number, status: number]> = [
      [-2, 422],
      [2, 422],
      [-1, 200],
      [-1, 422],
      [1, 200],
      [0, 422],
      [1, 422],
    ]
    for (const [steps, status] of proofs) {
      const reply = await finish(await challengeOf(admin), { code: codeAt(secret, clock.now() + steps * STEP_MS) })
      expect([steps, reply.status]).toEqual([steps, status])
    }
  })

  test('of two uses of one code at once, in two processes, one opens a session', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    for (let round = 0; round < 5; round++) {
      clock.advance(STEP_MS)
      const before = await sessionsOf(admin)
      const challenges = [await challengeOf(admin), await challengeOf(admin)]
      const code = codeAt(secret)
      const replies = await Promise.all(
        challenges.map((challenge, at) => finish(challenge, { code }, at === 0 ? app : other, `10.${round}.0.${at}`)),
      )
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
      expect(await sessionsOf(admin)).toBe(before + 1)
    }
  })

  test('of two finishes of one step at once one opens a session, also with two good proofs', async () => {
    const admin = await anAdmin()
    const { secret, recoveryCodes } = await enrol(admin)
    clock.advance(STEP_MS)
    const challenge = await challengeOf(admin)
    const before = await sessionsOf(admin)
    const replies = await Promise.all([
      finish(challenge, { code: codeAt(secret) }, app),
      finish(challenge, { recoveryCode: recoveryCodes[0] }, other, '10.0.0.2'),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await sessionsOf(admin)).toBe(before + 1)
  })

  test('a step works once, for five tries and five minutes', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    const used = await challengeOf(admin)
    expect((await finish(used, { code: codeAt(secret) })).status).toBe(200)
    clock.advance(STEP_MS)
    expect(await finish(used, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))

    const tried = await challengeOf(admin)
    for (let n = 0; n < 5; n++)
      expect(await finish(tried, { code: wrongCode(secret) })).toMatchObject(refusedWith('FACTOR_WRONG'))
    expect(await finish(tried, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))

    const late = await challengeOf(admin)
    await db.query(`update factor_challenges set expires_at = clock_timestamp() - interval '1 ms'`)
    expect(await finish(late, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect(await finish('x', { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect((await finish(await challengeOf(admin), { code: codeAt(secret) })).status).toBe(200)
  })

  test('failures are limited as those of passwords, whatever number of steps is begun', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push((await finish(await challengeOf(admin), { code: wrongCode(secret) })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429])
    const blocked = await finish(await challengeOf(admin), { code: codeAt(secret) })
    expect(blocked).toMatchObject({ status: 429, body: { code: 'LOGIN_BLOCKED' } })
    // Elsewhere the right code opens a session, as with passwords.
    expect((await finish(await challengeOf(admin), { code: codeAt(secret) }, other, '10.7.7.7')).status).toBe(200)
  })

  test('no failure of a password counts against the factor, whatever name was typed', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    for (let n = 0; n < 10; n++) await signIn(admin, { username: `factor ${admin.id}`, password: `guess-${n}` })
    expect((await finish(await challengeOf(admin), { code: codeAt(secret) })).status).toBe(200)
  })

  test('a recovery code works once, however it is typed, and new ones replace all', async () => {
    const admin = await anAdmin()
    const { recoveryCodes } = await enrol(admin)
    const [first = '', second = ''] = recoveryCodes
    const typed = first.replaceAll('-', ' ').toUpperCase()
    const done = await finish(await challengeOf(admin), { recoveryCode: typed })
    expect(done.status).toBe(200)
    expect(await finish(await challengeOf(admin), { recoveryCode: first })).toMatchObject(refusedWith('FACTOR_WRONG'))
    const token = dataOf(done)['access_token'] as string
    expect(dataOf(await call('GET', '/user/factors', token))['recoveryCodesLeft']).toBe(9)
    const renewed = await call('POST', '/user/factors/recovery-codes', token)
    expect(dataOf(renewed)['recoveryCodes']).toHaveLength(10)
    expect(await finish(await challengeOf(admin), { recoveryCode: second })).toMatchObject(refusedWith('FACTOR_WRONG'))
    const one = await anAdmin()
    expect(await call('POST', '/user/factors/recovery-codes', tokenOf(one))).toMatchObject(refusedWith('NOT_FOUND'))
  })

  test('what changes factors needs a fresh one, which a proof in the session gives for 15 minutes', async () => {
    const admin = await anAdmin()
    const token = tokenOf(admin)
    const { secret } = await enrol(admin)
    const age = (interval: string) => db.query(`update sessions set factor_at = factor_at - $1::interval`, [interval])
    await age('14 minutes 50 seconds')
    expect((await call('POST', '/user/factors/recovery-codes', token)).status).toBe(200)
    await age('10 seconds')
    const { factors } = dataOf(await call('GET', '/user/factors', token)) as { factors: Array<{ _id: string }> }
    for (const [method, path] of [
      ['POST', '/user/factors/recovery-codes'],
      ['POST', '/user/factors/totp'],
      ['POST', '/user/factors/passkey'],
      ['POST', `/user/${admin.id}/role`],
      ['DELETE', `/user/factors/${factors[0]?._id}`],
    ] as const)
      expect(await call(method, path, token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
    clock.advance(STEP_MS)
    const prove = async (proof: object) =>
      call('POST', '/user/factors/proof', token, {
        challenge: dataOf(await call('POST', '/user/factors/challenge', token))['challenge'] as string,
        ...proof,
      })
    expect(await prove({ code: wrongCode(secret) })).toMatchObject(refusedWith('FACTOR_WRONG'))
    expect((await prove({ code: codeAt(secret) })).status).toBe(200)
    expect((await call('POST', '/user/factors/recovery-codes', token)).status).toBe(200)
    // A proof begun in one session is none for another, and a sign-in's step is none for a session.
    const elsewhere = await challengeOf(admin)
    expect(
      await call('POST', '/user/factors/proof', token, { challenge: elsewhere, code: codeAt(secret) }),
    ).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect((await call('DELETE', `/user/factors/${factors[0]?._id}`, token)).status).toBe(200)
    expect(dataOf(await signIn(admin))['access_token']).toBeDefined()
  })

  test('an eleventh factor, one without an origin, and one of somebody else are refused', async () => {
    const admin = await anAdmin()
    const token = tokenOf(admin)
    await enrol(admin)
    expect(await call('POST', '/user/factors/passkey', token)).toMatchObject(refusedWith('PASSKEYS_OFF'))
    for (let n = 0; n < 9; n++) await enrol(admin)
    const begun = dataOf(await call('POST', '/user/factors/totp', token)) as { challenge: string; secret: string }
    expect(
      await call('POST', '/user/factors/totp/confirm', token, {
        challenge: begun.challenge,
        code: codeAt(begun.secret),
        name: 'x',
      }),
    ).toMatchObject(refusedWith('TOO_MANY_FACTORS'))
    const { factors } = dataOf(await call('GET', '/user/factors', token)) as { factors: Array<{ _id: string }> }
    const colleague = await anAdmin()
    expect(await call('DELETE', `/user/factors/${factors[0]?._id}`, tokenOf(colleague))).toMatchObject(
      refusedWith('NOT_FOUND'),
    )
  })

  test('where it is required, who has none may do nothing but add one', async () => {
    const admin = await anAdmin()
    await requireFactors(db, { staffSecondFactor: 'required' })
    const strict = await start('required')
    on = () => strict
    // The session that began before it was required.
    expect(await call('GET', '/user', tokenOf(admin))).toMatchObject(refusedWith('MUST_ADD_FACTOR'))
    const signedIn = await signIn(admin)
    const token = dataOf(signedIn)['access_token'] as string
    expect(dataOf(await call('GET', '/user/me', token))['mustAddFactor']).toBe(true)
    for (const path of ['/user', '/overview', '/user/sessions', '/chat/conversations', '/user/staff-factors'])
      expect(await call('GET', path, token)).toMatchObject(refusedWith('MUST_ADD_FACTOR'))
    const { secret } = await enrol(admin, token)
    expect((await call('GET', '/user', token)).status).toBe(200)
    expect(dataOf(await call('GET', '/user/me', token))['mustAddFactor']).toBeUndefined()
    const { factors } = dataOf(await call('GET', '/user/factors', token)) as { factors: Array<{ _id: string }> }
    expect(await call('DELETE', `/user/factors/${factors[0]?._id}`, token)).toMatchObject(refusedWith('LAST_FACTOR'))
    // An older session is asked for it.
    clock.advance(STEP_MS)
    const older = tokenOf(admin)
    expect(await call('GET', '/user', older)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
    const { challenge } = dataOf(await call('POST', '/user/factors/challenge', older)) as { challenge: string }
    expect((await call('POST', '/user/factors/proof', older, { challenge, code: codeAt(secret) })).status).toBe(200)
    expect((await call('GET', '/user', older)).status).toBe(200)
    // A player notices nothing.
    const [player] = await createPlayers(db, 1)
    expect((await call('GET', '/user/ledger', tokenOf(player))).status).toBe(200)
  })

  test('where it is off, nothing is asked', async () => {
    const admin = await anAdmin()
    await enrol(admin)
    const lax = await start('off')
    on = () => lax
    const token = dataOf(await signIn(admin))['access_token'] as string
    expect((await call('POST', '/user/factors/recovery-codes', token)).status).toBe(200)
  })

  test.each(['optional', 'required'] as const)(
    'where it is %s again, a session that began without the proof while it was off gives it',
    async (mode) => {
      const admin = await anAdmin()
      const proven = tokenOf(admin)
      const { secret } = await enrol(admin)
      const lax = await start('off')
      on = () => lax
      const token = dataOf(await signIn(admin))['access_token'] as string
      await requireFactors(db, { staffSecondFactor: 'off' })
      expect((await call('GET', '/user', token)).status).toBe(200)
      await requireFactors(db, { staffSecondFactor: mode })
      const strict = await start(mode)
      on = () => strict
      expect((await call('GET', '/user', proven)).status).toBe(200)
      expect(await call('GET', '/user', token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
      clock.advance(STEP_MS)
      const { challenge } = dataOf(await call('POST', '/user/factors/challenge', token)) as { challenge: string }
      expect((await call('POST', '/user/factors/proof', token, { challenge, code: codeAt(secret) })).status).toBe(200)
      expect((await call('GET', '/user', token)).status).toBe(200)
    },
  )

  test('another owner resets a lost factor: sessions and begun steps end, and it is audited', async () => {
    const [owner, lost, reader] = [await anAdmin(), await anAdmin(), await anAdmin([])]
    const { secret } = await enrol(lost)
    clock.advance(STEP_MS)
    const begun = await challengeOf(lost)
    const path = `/user/${lost.id}/factors`
    expect(await call('DELETE', path, tokenOf(reader))).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    expect(await call('DELETE', path, tokenOf(lost))).toMatchObject(refusedWith('NOT_YOURSELF'))
    expect(dataOf(await call('DELETE', path, tokenOf(owner)))).toBeNull()
    expect(await call('DELETE', path, tokenOf(owner))).toMatchObject(refusedWith('NOT_FOUND'))
    expect(await finish(begun, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect((await call('GET', '/user/me', tokenOf(lost))).status).toBe(401)
    expect(dataOf(await signIn(lost))['access_token']).toBeDefined()
    const { rows } = await db.query(`select actor, act, before from audit_log where act = 'user.reset-factors'`)
    expect(rows).toEqual([{ actor: owner.id, act: 'user.reset-factors', before: { factors: 1 } }])
  })

  test('an operator resets it on the machine, audited as the system', async () => {
    const admin = await anAdmin()
    expect(await actOnAdmin(db, 'reset-factor', 'nobody1')).toEqual({ is: 'refused', why: 'NO_ADMIN' })
    expect(await actOnAdmin(db, 'reset-factor', admin.username)).toEqual({ is: 'refused', why: 'NO_FACTOR' })
    await enrol(admin)
    expect(await actOnAdmin(otherDb, 'reset-factor', admin.username.toUpperCase())).toEqual({
      is: 'factors-reset',
      factors: 1,
    })
    expect((await call('GET', '/user/me', tokenOf(admin))).status).toBe(401)
    const { rows } = await db.query(`select actor, reason from audit_log where act = 'user.reset-factors'`)
    expect(rows).toEqual([{ actor: 'system', reason: null }])
    expect(await queuedReasons()).toEqual([`user:${admin.id}`])
  })

  test('an operator gives an admin a new password, to be changed at once; sessions end, in audit log and book', async () => {
    const [admin] = [await anAdmin(), await anAdmin(['care'])]
    const [player] = await createPlayers(db, 1)
    for (const nobody of ['nobody1', player?.username ?? ''])
      expect(await actOnAdmin(db, 'reset-password', nobody)).toEqual({ is: 'refused', why: 'NO_ADMIN' })
    const report = await actOnAdmin(otherDb, 'reset-password', admin.username.toUpperCase())
    const password = report.is === 'password-reset' ? report.password : ''
    expect(password).toMatch(/^[A-Za-z0-9]{20}$/)
    expect((await call('GET', '/user/me', tokenOf(admin))).status).toBe(401)
    expect(await signIn(admin)).toMatchObject(refusedWith('LOGIN_FAILED'))
    const token = dataOf(await signIn(admin, { password }))['access_token'] as string
    expect(await call('GET', '/user/factors', token)).toMatchObject(refusedWith('MUST_CHANGE_PASSWORD'))
    const { rows } = await db.query(`select actor, act, target, before, after from audit_log`)
    expect(rows).toEqual([
      { actor: 'system', act: 'user.update', target: `user:${admin.id}`, before: {}, after: { password: 'set' } },
    ])
    expect(JSON.stringify(rows)).not.toContain(password)
    expect(await queuedReasons()).toEqual([`user:${admin.id}`])
  })

  test('an operator gives an installation without an owner one, in the audit log and the open book', async () => {
    const [owner, admin] = [await anAdmin(), await anAdmin(['care'])]
    expect(await actOnAdmin(db, 'grant-owner', admin.username)).toEqual({ is: 'refused', why: 'HAS_OWNER' })
    // All owners gone, as only who has the database can make it.
    await db.query(`update users set capabilities = array_remove(capabilities, 'owner') where role = 'admin'`)
    expect(await actOnAdmin(db, 'grant-owner', 'nobody1')).toEqual({ is: 'refused', why: 'NO_ADMIN' })
    await db.query(`update users set is_frozen = true where id = $1`, [owner.id])
    expect(await actOnAdmin(db, 'grant-owner', owner.username)).toEqual({ is: 'refused', why: 'NO_ADMIN' })
    expect(await actOnAdmin(otherDb, 'grant-owner', admin.username.toUpperCase())).toEqual({ is: 'granted' })
    expect(dataOf(await call('GET', '/user/me', tokenOf(admin)))['capabilities']).toEqual(['care', 'owner'])
    expect(await actOnAdmin(db, 'grant-owner', admin.username)).toEqual({ is: 'refused', why: 'HAS_OWNER' })
    const { rows } = await db.query(`select actor, target, before, after from audit_log where act = 'user.grant'`)
    expect(rows).toEqual([
      {
        actor: 'system',
        target: `user:${admin.id}`,
        before: { capabilities: ['care'] },
        after: { capabilities: ['care', 'owner'] },
      },
    ])
    expect(await queuedReasons()).toEqual([`user:${admin.id}`])
  })

  test('who is demoted or deleted keeps no factor, and a begun sign-in ends', async () => {
    const [owner, admin] = [await anAdmin(), await anAdmin()]
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    const begun = await challengeOf(admin)
    const version = dataOf(await call('GET', '/user/me', tokenOf(admin)))['version']
    expect((await call('POST', `/user/${admin.id}/role`, tokenOf(owner), { role: 'USER', version })).status).toBe(200)
    expect(await finish(begun, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    const token = dataOf(await signIn(admin))['access_token'] as string
    expect(dataOf(await call('GET', '/user/factors', token))['factors']).toEqual([])
    for (const table of ['staff_factors', 'recovery_codes', 'factor_challenges'])
      expect((await db.query(`select 1 from ${table} where user_id = $1`, [admin.id])).rowCount).toBe(0)
    const told = await db.query<{ change: string }>(
      `select split_part(ref, ':', 1) as change from notices where user_id = $1 order by created_at`,
      [admin.id],
    )
    expect(told.rows.map(({ change }) => change)).toEqual(['added', 'reset'])
  })

  test('a new password ends a sign-in that waits for its factor', async () => {
    const [owner, admin] = [await anAdmin(), await anAdmin()]
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    const begun = await challengeOf(admin)
    expect((await call('POST', `/user/${admin.id}`, tokenOf(owner), { password: 'moi-moi-1' })).status).toBe(200)
    expect(await finish(begun, { code: codeAt(secret) })).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
  })

  test('an owner sees and ends the sessions of other admins, and nobody’s else', async () => {
    const [owner, admin, reader] = [await anAdmin(), await anAdmin(), await anAdmin([])]
    const [player] = await createPlayers(db, 1)
    const path = `/user/${admin.id}/sessions`
    expect(await call('GET', path, tokenOf(reader))).toMatchObject(refusedWith('CAPABILITY_MISSING'))
    expect(await call('GET', `/user/${player.id}/sessions`, tokenOf(owner))).toMatchObject(refusedWith('NOT_FOUND'))
    await signIn(admin, {}, '10.5.5.5')
    const seen = (await call('GET', path, tokenOf(owner))).body.data as WireData[]
    expect(seen.map(({ isCurrent }) => isCurrent)).toEqual([false, false])
    expect(seen.map(({ ip }) => ip)).toContain('10.5.5.5')
    const blind = await anAdmin(['owner'])
    const unseen = (await call('GET', path, tokenOf(blind))).body.data as WireData[]
    expect(unseen.map(({ ip }) => ip)).toEqual([null, null])
    const strange = seen.find(({ ip }) => ip === '10.5.5.5')?.['_id']
    const onlyThat = `${path}?session=${String(strange)}`
    expect(dataOf(await call('DELETE', onlyThat, tokenOf(owner)))).toEqual({ ended: 1 })
    expect((await call('GET', '/user/me', tokenOf(admin))).status).toBe(200)
    expect(await call('DELETE', onlyThat, tokenOf(owner))).toMatchObject(refusedWith('NOT_FOUND'))
    const own = (await call('GET', '/user/sessions', tokenOf(reader))).body.data as WireData[]
    expect(await call('DELETE', `${path}?session=${String(own[0]?.['_id'])}`, tokenOf(owner))).toMatchObject(
      refusedWith('NOT_FOUND'),
    )
    expect(await call('DELETE', `/user/${owner.id}/sessions`, tokenOf(owner))).toMatchObject(
      refusedWith('NOT_YOURSELF'),
    )
    expect(dataOf(await call('DELETE', path, tokenOf(owner)))).toEqual({ ended: 1 })
    expect((await call('GET', '/user/me', tokenOf(admin))).status).toBe(401)
    const { rows } = await db.query(`select before from audit_log where act = 'user.end-sessions' order by seq`)
    expect(rows).toEqual([{ before: { sessions: 1 } }, { before: { sessions: 1 } }])
  })

  test('an admin is told of a sign-in on a device that is new to the account, not of its first or known ones', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    clock.advance(STEP_MS)
    const unreadOf = async () =>
      dataOf(await call('GET', '/user/notifications?kind=device', tokenOf(admin)))['notifications'] as WireData[]
    const first = await finish(await challengeOf(admin), { code: codeAt(secret) })
    expect(await unreadOf()).toEqual([])
    const { deviceSecret } = dataOf(first) as { deviceSecret: string }
    clock.advance(STEP_MS)
    await finish(await challengeOf(admin), { code: codeAt(secret), deviceSecret })
    expect(await unreadOf()).toEqual([])
    clock.advance(STEP_MS)
    await finish(await challengeOf(admin), { code: codeAt(secret) }, app, '10.8.8.8')
    expect(await unreadOf()).toEqual([
      expect.objectContaining({ kind: 'device', isRead: false, device: { ip: '10.8.8.8' } }),
    ])
    // Also without a factor, and never to a player.
    const other = await anAdmin()
    await signIn(other)
    await signIn(other, {}, '10.8.8.9')
    const told = await db.query(`select user_id from notices where kind = 'device' order by created_at`)
    expect(told.rows.map(({ user_id: id }) => id)).toEqual([admin.id, other.id])
    // The session it names may be forgotten before the notice.
    await db.query(`update sessions set expires_at = clock_timestamp() - interval '91 days' where ip = '10.8.8.8'`)
    await forgetOldSessions(db)
    expect(await unreadOf()).toEqual([expect.objectContaining({ device: { ip: null } })])
  })

  test('nothing stored gives a secret or a code, and the audit log names none', async () => {
    const admin = await anAdmin()
    const { secret, recoveryCodes } = await enrol(admin)
    const challenge = await challengeOf(admin)
    const dump: string[] = []
    for (const table of ['staff_factors', 'recovery_codes', 'factor_challenges', 'audit_log', 'sessions', 'notices'])
      for (const { row } of (await db.query<{ row: string }>(`select t::text as row from ${table} t`)).rows)
        dump.push(row)
    const text = dump.join('\n')
    const hidden = [
      secret,
      Buffer.from(Secret.fromBase32(secret).bytes).toString('hex'),
      challenge,
      Buffer.from(challenge, 'base64url').toString('hex'),
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ]
    expect(text).toContain('user.add-factor')
    for (const one of hidden) expect(text).not.toContain(one)
  })

  test('a session with the password alone does not finish a step that began before the first factor', async () => {
    const admin = await anAdmin()
    const [owner, thief] = [tokenOf(admin), dataOf(await signIn(admin))['access_token'] as string]
    const begun = dataOf(await call('POST', '/user/factors/totp', thief)) as { challenge: string; secret: string }
    const { recoveryCodes } = await enrol(admin, owner)
    const late = await call('POST', '/user/factors/totp/confirm', thief, {
      challenge: begun.challenge,
      code: codeAt(begun.secret),
      name: 'x',
    })
    expect(late).toMatchObject(refusedWith('FACTOR_REQUIRED'))
    expect((await finish(await challengeOf(admin), { recoveryCode: recoveryCodes[0] })).status).toBe(200)
  })

  test('neither a used code nor the same right proof sent twice counts as a guess', async () => {
    const admin = await anAdmin()
    const { secret, recoveryCodes } = await enrol(admin)
    const [used = '', twice = ''] = recoveryCodes
    expect((await finish(await challengeOf(admin), { recoveryCode: used })).status).toBe(200)
    const guesses = async () =>
      (
        await db.query(`select 1 from password_attempts where account = sha256($1::bytea)`, [
          Buffer.from(`factor\0${admin.id}`),
        ])
      ).rowCount
    for (let n = 0; n < 12; n++) {
      // More of them than a step has tries.
      const step = await challengeOf(admin)
      for (const proof of [{ code: codeAt(secret) }, { recoveryCode: used }])
        expect(await finish(step, proof)).toMatchObject(refusedWith('FACTOR_WRONG'))
    }
    for (let n = 0; n < 12; n++) {
      clock.advance(STEP_MS)
      const step = await challengeOf(admin)
      const proof = { code: codeAt(secret) }
      const replies = await Promise.all([
        finish(step, proof, app),
        finish(step, proof, other),
        finish(step, proof, app),
      ])
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    }
    const token = tokenOf(admin)
    const { challenge } = dataOf(await call('POST', '/user/factors/challenge', token)) as { challenge: string }
    const prove = (recoveryCode: string) => call('POST', '/user/factors/proof', token, { challenge, recoveryCode })
    expect((await prove(twice)).status).toBe(200)
    expect(await prove(twice)).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect(await guesses()).toBe(0)
    // Another proof of a step that is over may be a guess.
    expect(await prove(used)).toMatchObject(refusedWith('FACTOR_STEP_OVER'))
    expect(await guesses()).toBe(1)
  })

  test('a code is read with the spaces and the full-width digits that it was pasted with', async () => {
    const admin = await anAdmin()
    const { secret } = await enrol(admin)
    const forms: Array<(code: string) => string> = [
      (code) => ` ${code.slice(0, 3)} ${code.slice(3)} \n`,
      (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      (code) => `\u2009${code.replaceAll(/\d/g, '$&\u00a0')}\u200b`,
    ]
    for (const form of forms) {
      clock.advance(STEP_MS)
      expect((await finish(await challengeOf(admin), { code: form(codeAt(secret)) })).status).toBe(200)
    }
  })

  describe('the first factor, added elsewhere', () => {
    /** A session in a browser that has never been here, or in one that has. */
    const session = async (who: TestPlayer, deviceSecret?: string) => {
      const { access_token: token, deviceSecret: device } = dataOf(await signIn(who, { deviceSecret })) as {
        access_token: string
        deviceSecret: string
      }
      return { token, device }
    }
    const undo = (token: string, oldPassword = PASSWORD, newPassword = 'hoan-toan-moi') =>
      call('POST', '/user/factors/undo', token, { oldPassword, newPassword })
    const undoableOn = async (token: string) =>
      dataOf(await call('POST', '/user/factors/challenge', token))['undoable'] as WireData | undefined
    const told = async (token: string) =>
      (dataOf(await call('GET', '/user/notifications?kind=factor', token))['notifications'] as WireData[]).map(
        ({ factor }) => factor,
      )

    test('is asked for in every other session at its next call, and told in the bell and the audit log', async () => {
      const admin = await anAdmin()
      const [first, second] = [await session(admin), await session(admin)]
      const { secret } = await enrol(admin, second.token)
      for (const [method, path] of [
        ['GET', '/user'],
        ['GET', '/user/ledger'],
        ['GET', '/user/sessions'],
        ['POST', '/user/factors/totp'],
        ['POST', '/user/factors/recovery-codes'],
        ['POST', '/auth/change-password'],
      ] as const)
        expect(await call(method, path, first.token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
      expect((await call('GET', '/user/me', first.token)).status).toBe(200)
      expect(await told(second.token)).toEqual([{ change: 'added', name: 'Điện thoại' }])
      const { rows } = await db.query(`select actor, act from audit_log where act like 'user.%factor%'`)
      expect(rows).toEqual([{ actor: admin.id, act: 'user.add-factor' }])
      clock.advance(STEP_MS)
      const { challenge } = dataOf(await call('POST', '/user/factors/challenge', first.token)) as { challenge: string }
      expect((await call('POST', '/user/factors/proof', first.token, { challenge, code: codeAt(secret) })).status).toBe(
        200,
      )
      expect((await call('GET', '/user', first.token)).status).toBe(200)
      expect(await told(first.token)).toHaveLength(1)
    })

    test('asks nobody any more once it is removed', async () => {
      const admin = await anAdmin()
      const [first, second] = [await session(admin), await session(admin)]
      await enrol(admin, first.token)
      expect(await call('GET', '/user', second.token)).toMatchObject(refusedWith('FACTOR_REQUIRED'))
      const { factors } = dataOf(await call('GET', '/user/factors', first.token)) as { factors: Array<{ _id: string }> }
      expect((await call('DELETE', `/user/factors/${factors[0]?._id}`, first.token)).status).toBe(200)
      expect((await call('GET', '/user', second.token)).status).toBe(200)
      expect(dataOf(await call('GET', '/user/me', second.token))['mustAddFactor']).toBeUndefined()
      expect(await told(second.token)).toEqual([
        { change: 'removed', name: 'Điện thoại' },
        { change: 'added', name: 'Điện thoại' },
      ])
    })

    test('is taken back on the account’s first device, with everything that followed', async () => {
      const admin = await anAdmin()
      const [owner, thief] = [await session(admin), await session(admin)]
      await enrol(admin, thief.token)
      await enrol(admin, thief.token)
      expect(await undoableOn(owner.token)).toMatchObject({ name: 'Điện thoại', ip: '10.0.0.1' })
      expect(await undo(owner.token, 'sai-mat-khau')).toMatchObject(refusedWith('PASSWORD_WRONG'))
      // A right password is not counted as a wrong one, however often the act is refused.
      for (let tries = 0; tries < 12; tries++)
        expect(await undo(thief.token)).toMatchObject(refusedWith('FACTOR_UNDO_ELSEWHERE'))
      // The thief knows the old password.
      expect(await undo(owner.token, PASSWORD, PASSWORD)).toMatchObject(refusedWith('PASSWORD_SAME'))
      const undoByKey = () =>
        on().call('POST', '/api/v1/user/factors/undo', {
          token: owner.token,
          body: { oldPassword: PASSWORD, newPassword: 'hoan-toan-moi' },
          headers: { 'idempotency-key': 'one' },
        })
      // The answer of the first may be lost.
      expect((await undoByKey()).status).toBe(200)
      expect((await undoByKey()).status).toBe(200)
      expect((await call('GET', '/user', owner.token)).status).toBe(200)
      expect((await call('GET', '/user/me', thief.token)).status).toBe(401)
      expect(await signIn(admin)).toMatchObject(refusedWith('LOGIN_FAILED'))
      expect(dataOf(await call('GET', '/user/factors', owner.token))).toMatchObject({
        factors: [],
        recoveryCodesLeft: 0,
      })
      expect((await told(owner.token))[0]).toEqual({ change: 'undone', name: 'Điện thoại' })
      const { rows } = await db.query(`select actor, before from audit_log where act = 'user.undo-factors'`)
      expect(rows).toEqual([{ actor: admin.id, before: { factors: 2, name: 'Điện thoại' } }])
      expect(await undo(owner.token, 'hoan-toan-moi', 'lai-khac-nua')).toMatchObject(
        refusedWith('FACTOR_UNDO_ELSEWHERE'),
      )
    })

    test('stays where the password alone asks: on a later device, in a later session, on the same device', async () => {
      const admin = await anAdmin()
      const home = await session(admin)
      // Whoever knows the password was here before the owner came with a new phone.
      const thief = await session(admin)
      for (let n = 0; n < 25; n++) await session(admin)
      const phone = await session(admin)
      await enrol(admin, phone.token)
      expect(await undoableOn(thief.token)).toBeUndefined()
      expect(await undo(thief.token)).toMatchObject(refusedWith('FACTOR_UNDO_ELSEWHERE'))
      expect(await undoableOn(home.token)).toBeDefined()
      // On the first device itself there is nothing to take back elsewhere.
      const own = await anAdmin()
      const [begun, again] = [await session(own), await session(own)]
      const later = await session(own, begun.device)
      await enrol(own, later.token)
      for (const { token } of [begun, again]) expect(await undoableOn(token)).toBeUndefined()
      expect(await undo(again.token)).toMatchObject(refusedWith('FACTOR_UNDO_ELSEWHERE'))
    })
  })
})
