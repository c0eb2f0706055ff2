import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '#contract/refusals.ts'
import { verifyAuditLog } from '#server/features/audit/index.ts'
import { parseBareToken } from '#server/platform/http/auth.ts'
import { createLog } from '#server/platform/process/log.ts'
import { buildTestApp, everythingOf, refusedWith, type Reply, type TestApp, type WireData } from '#testing/app/app.ts'
import { brokenInvariants } from '#testing/play/books.ts'
import { balancesOf, createPlayers, createRound } from '#testing/play/rounds.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { trackSessionUses } from './session-uses.ts'

const password = 'matkhau1'
const RACES = 24

describe.each(testEngines)('%s', (engine) => {
  const db = useDatabase(engine)
  let app: TestApp
  beforeEach(async () => {
    app = await buildTestApp(db)
  })
  afterEach(() => app.close())

  const tokenOf = (reply: Reply) => (reply.body.data as WireData)['access_token'] as string
  const idOf = (token: string) => parseBareToken(token)?.userId ?? ''
  const sessionOf = (token: string) => parseBareToken(token)?.sessionId ?? ''
  const register = async (username: string): Promise<string> =>
    tokenOf(
      await app.call('POST', '/api/v1/auth/register', {
        body: { username, password, rePassword: password, code: 'KIMPHIEN' },
      }),
    )
  const signIn = async (username: string, userAgent?: string): Promise<string> =>
    tokenOf(
      await app.call('POST', '/api/v1/auth/login', {
        body: { username, password },
        ...(userAgent === undefined ? {} : { headers: { 'user-agent': userAgent }, ip: '203.0.113.7' }),
      }),
    )
  const statusOf = async (token: string) => (await app.call('GET', '/api/v1/user/me', { token })).status
  const sessionsOf = async (token: string) => (await app.call('GET', '/api/v1/user/sessions', { token })).rows
  const close = (token: string, secret: string = password, on = app) =>
    on.call('POST', '/api/v1/auth/close-account', { token, body: { password: secret } })
  const bet = (token: string, roundId: string, on = app) =>
    on.call('POST', '/api/v1/history', { token, body: { score: 10, value: 'UP', gameId: roundId } })
  const linkBank = (token: string) =>
    app.call('POST', '/api/v1/bank', { token, body: { bankNumber: '0123456789', nameBank: 'A', nameOwner: 'VCB' } })
  const withdraw = (token: string, on = app) =>
    on.call('POST', '/api/v1/transaction', { token, body: { type: 'WITHDRAW', money: 10 } })
  const expectRefused = async (call: () => Promise<Reply>, code: RefusalCode) => {
    const before = await everythingOf(db)
    expect(await call()).toMatchObject(refusedWith(code))
    expect(await everythingOf(db)).toEqual(before)
  }

  describe('own sessions', () => {
    test('are listed with browser, address and times: this one first, and nobody else’s', async () => {
      const first = await register('LanAnh')
      await register('QuangHuy')
      const phone = await signIn('LanAnh', 'Mozilla/5.0 (iPhone)')
      expect(await sessionsOf(phone)).toEqual([
        {
          _id: sessionOf(phone),
          userAgent: 'Mozilla/5.0 (iPhone)',
          ip: '203.0.113.7',
          isCurrent: true,
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({ _id: sessionOf(first), isCurrent: false }),
      ])
      expect(JSON.stringify(await sessionsOf(phone))).not.toContain('secret')
    })

    test('ended and expired ones are not listed', async () => {
      const first = await register('LanAnh')
      const [ended, expired] = [await signIn('LanAnh'), await signIn('LanAnh')]
      await app.call('POST', '/api/v1/auth/logout', { token: ended })
      await db.query(`update sessions set expires_at = clock_timestamp() where id = $1`, [sessionOf(expired)])
      expect((await sessionsOf(first)).map(({ _id }) => _id)).toEqual([sessionOf(first)])
    })

    test('ending one ends it alone; a second time, or somebody else’s, there is none', async () => {
      const mine = await register('LanAnh')
      const other = await signIn('LanAnh')
      const strangers = await register('QuangHuy')
      const end = (id: string) => app.call('DELETE', `/api/v1/user/sessions/${id}`, { token: mine })
      expect((await end(sessionOf(other))).body.data).toBeNull()
      expect([await statusOf(mine), await statusOf(other), await statusOf(strangers)]).toEqual([200, 401, 200])
      await expectRefused(() => end(sessionOf(other)), 'NOT_FOUND')
      await expectRefused(() => end(sessionOf(strangers)), 'NOT_FOUND')
      const { rows } = await db.query(`select end_reason from sessions where id = $1`, [sessionOf(other)])
      expect(rows).toEqual([{ end_reason: 'logout' }])
    })

    test('ending all others answers their number and keeps this one', async () => {
      const mine = await register('LanAnh')
      const others = [await signIn('LanAnh'), await signIn('LanAnh')]
      const strangers = await register('QuangHuy')
      const ended = await app.call('DELETE', '/api/v1/user/sessions', { token: mine })
      expect(ended.body.data).toEqual({ ended: 2 })
      expect(await Promise.all([mine, ...others, strangers].map(statusOf))).toEqual([200, 401, 401, 200])
    })

    test('a session that was ended meanwhile ends no other', async () => {
      const mine = await register('LanAnh')
      const thief = await signIn('LanAnh')
      const [, late] = await Promise.all([
        app.call('DELETE', `/api/v1/user/sessions/${sessionOf(thief)}`, { token: mine }),
        app.call('DELETE', '/api/v1/user/sessions', { token: thief }),
      ])
      const survivors = [await statusOf(mine), await statusOf(thief)]
      // Whichever came first ended the other: never both, never none.
      expect(survivors.toSorted()).toEqual([200, 401])
      expect(late.status).toBe(survivors[1])
    })
  })

  test('the use of a session is written once for many calls, and not for one that has ended', async () => {
    const [mine, ended] = [await register('LanAnh'), await register('QuangHuy')]
    await app.call('POST', '/api/v1/auth/logout', { token: ended })
    const uses = trackSessionUses(db, createLog('silent'))
    for (const token of [mine, mine, ended]) uses.note(sessionOf(token))
    await uses.write()
    const written = async () =>
      (
        await db.query<{ id: string; at: Date }>(
          `select id, last_used_at as at from sessions where last_used_at > '-infinity'`,
        )
      ).rows
    const first = await written()
    expect(first.map(({ id }) => id)).toEqual([sessionOf(mine)])
    uses.note(sessionOf(mine))
    await uses.write()
    expect(await written()).toEqual(first)
    await uses.stop()
  })

  test.runIf(engine === 'native')(
    'a use whose row is locked is written by the next turn (PostgreSQL only)',
    async () => {
      const mine = await register('LanAnh')
      const lastUse = async () =>
        (await db.query<{ at: Date }>(`select last_used_at as at from sessions where id = $1`, [sessionOf(mine)])).rows
      const uses = trackSessionUses(db, createLog('silent'))
      const before = await lastUse()
      const held = await holdOpen(db, (tx) =>
        tx.query('select 1 from sessions where id = $1 for update', [sessionOf(mine)]),
      )
      uses.note(sessionOf(mine))
      await uses.write()
      await held.commit()
      expect(await lastUse()).toEqual(before)
      await uses.write()
      expect(await lastUse()).not.toEqual(before)
      await uses.stop()
    },
  )

  test('calls of the API count as uses, written at the latest when the process ends', async () => {
    const mine = await register('LanAnh')
    const other = await buildTestApp(db)
    await other.call('GET', '/api/v1/user/me', { token: mine })
    await other.close()
    const { rows } = await db.query(`select 1 from sessions where id = $1 and last_used_at >= created_at`, [
      sessionOf(mine),
    ])
    expect(rows).toHaveLength(1)
  })

  describe('closing the own account', () => {
    test('ends every session; name, balance, books and history stay, and the log says who did it', async () => {
      const token = await register('LanAnh')
      const other = await signIn('LanAnh')
      const id = idOf(token)
      const before = await balancesOf(db, id)
      expect((await close(token)).body.data).toBeNull()
      expect([await statusOf(token), await statusOf(other)]).toEqual([401, 401])
      const again = await app.call('POST', '/api/v1/auth/login', { body: { username: 'LanAnh', password } })
      expect(again).toMatchObject(refusedWith('LOGIN_FAILED'))
      const taken = await app.call('POST', '/api/v1/auth/register', {
        body: { username: 'lananh', password, rePassword: password, code: 'KIMPHIEN' },
      })
      expect(taken).toMatchObject(refusedWith('USERNAME_TAKEN'))
      expect(await balancesOf(db, id)).toEqual(before)
      expect((await db.query('select ip from users where id = $1', [id])).rows).toEqual([{ ip: null }])
      const { rows } = await db.query(`select actor, act, target, before from audit_log`)
      expect(rows).toEqual([
        { actor: id, act: 'user.close', target: `user:${id}`, before: { username: 'LanAnh', role: 'player' } },
      ])
      expect((await verifyAuditLog(db)).broken).toEqual([])
      expect(await brokenInvariants(db)).toEqual([])
    })

    test('needs the password, whose failures count like those of a sign-in', async () => {
      const token = await register('LanAnh')
      for (let failures = 0; failures < 10; failures++)
        expect(await close(token, 'khong-phai')).toMatchObject(refusedWith('PASSWORD_WRONG'))
      const blocked = await close(token)
      expect(blocked).toMatchObject(refusedWith('LOGIN_BLOCKED'))
      expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(800)
      expect(await statusOf(token)).toBe(200)
      // Its owner signs in elsewhere all the same: the session's failures count against the session.
      expect(await statusOf(await signIn('LanAnh'))).toBe(200)
    })

    test('a right password is not counted, whatever else refuses', async () => {
      const token = await register('LanAnh')
      await bet(token, (await createRound(db)).id)
      for (let tries = 0; tries < 12; tries++)
        expect(await close(token)).toMatchObject(refusedWith('USER_HAS_OPEN_ITEMS'))
    })

    test('is refused with an open bet or a pending request, and nothing changes', async () => {
      const [betting, asking] = [await register('LanAnh'), await register('QuangHuy')]
      await bet(betting, (await createRound(db)).id)
      await linkBank(asking)
      expect((await withdraw(asking)).status).toBe(200)
      for (const token of [betting, asking]) await expectRefused(() => close(token), 'USER_HAS_OPEN_ITEMS')
      expect([await statusOf(betting), await statusOf(asking)]).toEqual([200, 200])
    })

    test('is refused for a frozen account and for staff', async () => {
      const frozen = await register('LanAnh')
      await db.query(`update users set is_frozen = true where id = $1`, [idOf(frozen)])
      await expectRefused(() => close(frozen), 'ACCOUNT_PAUSED')
      const admin = await register('QuangHuy')
      await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'ad' })
      await db.query(
        `update users set role = 'admin', capabilities = '{money,care,rounds,users,owner}' where id = $1`,
        [idOf(admin)],
      )
      await expectRefused(() => close(admin), 'NOT_YOURSELF')
    })

    test('against a bet or a withdrawal at the same moment: one of the two happens, never both', async () => {
      // Two processes: one of them would let an account's acts run one after the other.
      const elsewhere = await buildTestApp(db)
      const round = await createRound(db)
      const tokens: string[] = []
      for (let at = 0; at < RACES; at++) tokens.push(await register(`nguoi${at}`))
      for (const token of tokens) await linkBank(token)
      const outcomes = await Promise.all(
        tokens.map(async (token, at) => {
          const act = at % 2 === 0 ? bet(token, round.id, elsewhere) : withdraw(token, elsewhere)
          const [closed, acted] = await Promise.all([close(token), act])
          return [closed.body.code ?? closed.status, acted.status] as const
        }),
      )
      for (const [closed, acted] of outcomes)
        expect([
          [200, 401],
          ['USER_HAS_OPEN_ITEMS', 200],
        ]).toContainEqual([closed, acted])
      const { rows } = await db.query(
        `select u.id from users u where u.deleted_at is not null
            and (exists (select 1 from bets b where b.user_id = u.id and b.status = 'open')
              or exists (select 1 from cash_requests r where r.owner_id = u.id and r.status = 'pending'))`,
      )
      expect(rows).toEqual([])
      expect(await brokenInvariants(db)).toEqual([])
      await elsewhere.close()
    })
  })
})
