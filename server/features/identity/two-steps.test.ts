import { hashSync } from '@node-rs/argon2'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RefusalCode } from '#contract/refusals.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import { signedIn as whoIs } from '#server/platform/http/auth.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { buildTestApp, type TestApp, type WireData } from '#testing/app/app.ts'
import { makePasskey } from '#testing/play/passkeys.ts'
import { createFakeClock, type FakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { changePassword } from './change-password.ts'
import { closeAccount } from './end-account.ts'
import { grantCapabilities, setRole } from './staff-rights.ts'
import { login } from './login.ts'
import { addOwnFactor, proveOwnFactor, removeOwnFactor, renewOwnRecoveryCodes } from './own-factors.ts'
import { createPasswordLimits, type PasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'
import { endStaffSessions, resetFactors } from './reset-factors.ts'

/*
 * Rules §4.1: whatever is true of an account when an act of two steps begins is judged again when it ends. Every act is
 * begun, one thing changes, and its end is refused with nothing changed. An act of one call has two steps as well: it is
 * admitted when it arrives, and done under its locks.
 */

const PASSWORD = 'matkhau1'
const PASSWORD_HASH = hashSync(PASSWORD, { memoryCost: 1024, timeCost: 1 })
const ORIGIN = 'https://kim.example'
const IP = '10.0.0.1'
const FROM = { ip: IP, userAgent: null }

/** The code of what an end answered; null where it was done. */
type End = () => Promise<RefusalCode | null>

interface Act {
  readonly by: 'admin' | 'player'
  /** Needs `owner`. */
  readonly asOwner?: true
  /** The account has a second factor before it begins, proven in the session. */
  readonly hasFactor?: true
  /** Its end compares a password first: the change comes after that, by `between`. */
  readonly comparesPassword?: true
  readonly begin: (who: Account, between: () => Promise<void>) => Promise<End>
  /** What differs from `REFUSALS`; `done` where the change is no condition of this act. */
  readonly but?: Partial<Record<Change, RefusalCode | 'done'>>
}

interface Account extends TestPlayer {
  /** Another session of the account, opened by its password and on the same footing. */
  readonly elsewhere: string
  readonly subject: Subject
  /** Unused recovery codes. */
  readonly codes: readonly string[]
}

type Change =
  | 'frozen'
  | 'role lost'
  | 'capability lost'
  | 'password changed'
  | 'password set by staff'
  | 'session ended'
  | 'must change'
  | 'deleted'
  | 'factor added'
  | 'proof too old'

const REFUSALS: Readonly<Record<Change, RefusalCode>> = {
  frozen: 'ACCOUNT_PAUSED',
  'role lost': 'UNAUTHORIZED',
  'capability lost': 'CAPABILITY_MISSING',
  'password changed': 'UNAUTHORIZED',
  'password set by staff': 'UNAUTHORIZED',
  'session ended': 'UNAUTHORIZED',
  'must change': 'MUST_CHANGE_PASSWORD',
  deleted: 'UNAUTHORIZED',
  'factor added': 'FACTOR_REQUIRED',
  'proof too old': 'FACTOR_REQUIRED',
}
const CHANGES = Object.keys(REFUSALS) as Change[]

/** A sign-in has no session yet: what ends sessions ends its step, and a frozen account may sign in to read why. */
const SIGN_IN = {
  frozen: 'done',
  'role lost': 'FACTOR_STEP_OVER',
  'capability lost': 'done',
  'password changed': 'FACTOR_STEP_OVER',
  'password set by staff': 'FACTOR_STEP_OVER',
  'session ended': 'done',
  'must change': 'done',
  deleted: 'FACTOR_STEP_OVER',
  'proof too old': 'done',
} as const

describe.each(testEngines)('acts of two steps on %s', (engine) => {
  const db = useDatabase(engine, { areReset: false })
  let clock: FakeClock
  let app: TestApp
  let deps: IdentityDeps
  let limits: PasswordLimits
  let boss: TestPlayer

  beforeAll(async () => {
    clock = createFakeClock()
    app = await buildTestApp(db, { clock, settings: { publicOrigin: ORIGIN } })
    const silent = () => {}
    deps = {
      db,
      clock,
      settings: { staffSecondFactor: 'optional', publicOrigin: ORIGIN, teamName: 'Kim Phiên' },
      hints: { accountChanged: silent, balanceChanged: silent, noticesChanged: silent },
    } as unknown as IdentityDeps
    limits = createPasswordLimits(db)
    ;[boss] = await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'bo' })
  })
  afterAll(() => app.close())

  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, token: string, body?: object) =>
    app.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }), ip: IP })
  const data = async (...asked: Parameters<typeof call>): Promise<WireData> => {
    const { status, body } = await call(...asked)
    expect([asked[1], status, body.code]).toEqual([asked[1], 200, undefined])
    return body.data as WireData
  }
  const bare = ({ bearer }: TestPlayer) => bearer.slice('Bearer '.length)
  const codeOf = (secret: unknown) =>
    new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({ timestamp: clock.now() })
  const enrol = async (token: string) => {
    const { challenge, secret } = await data('POST', '/user/factors/totp', token)
    const added = { challenge, code: codeOf(secret), name: 'Điện thoại' }
    const { recoveryCodes } = await data('POST', '/user/factors/totp/confirm', token, added)
    return { secret, recoveryCodes: recoveryCodes as string[] }
  }
  const answered = async (end: Promise<unknown>): Promise<RefusalCode | null> => {
    const answer = await end
    return isRefused(answer) ? answer.code : null
  }
  /** The limits of passwords, with a change between the comparison of a password and what follows. */
  const limitsWith = (between: () => Promise<void>): PasswordLimits => ({
    ...limits,
    async guard(attempt, read, check) {
      const attempted = await limits.guard(attempt, read, check)
      await between()
      return attempted
    },
  })
  const versionOf = async (userId: string) =>
    (await call('GET', `/user?userId=${userId}`, bare(boss))).rows[0]?.['version']
  const aColleague = async () => (await createPlayers(db, 1, { role: 'admin', welcomePoints: 0, prefix: 'co' }))[0]

  const make = async ({ by, hasFactor }: Act): Promise<Account> => {
    const [who] = await createPlayers(db, 1, by === 'admin' ? { role: 'admin', welcomePoints: 0, prefix: 'ad' } : {})
    if (who === undefined) throw new Error('nobody was made')
    await db.query(`update users set password_hash = $2 where id = $1`, [who.id, PASSWORD_HASH])
    const signedIn = await app.call('POST', '/api/v1/auth/login', {
      body: { username: who.username, password: PASSWORD },
      ip: IP,
    })
    const elsewhere = (signedIn.body.data as WireData)['access_token'] as string
    const [forElsewhere, ...codes] = hasFactor === true ? (await enrol(bare(who))).recoveryCodes : []
    if (forElsewhere !== undefined) {
      const { challenge } = await data('POST', '/user/factors/challenge', elsewhere)
      await data('POST', '/user/factors/proof', elsewhere, { challenge, recoveryCode: forElsewhere })
    }
    const subject = (await whoIs(db, who.token))?.subject ?? null
    if (subject === null) throw new Error('the session is dead')
    return { ...who, elsewhere, codes, subject: { ...subject, needsFreshFactor: true } }
  }

  const change: Readonly<Record<Change, (who: Account) => Promise<unknown>>> = {
    frozen: ({ id }) => data('POST', `/user/${id}`, bare(boss), { isPaused: true }),
    'role lost': async ({ id }) =>
      data('POST', `/user/${id}/role`, bare(boss), { role: 'USER', version: await versionOf(id) }),
    'capability lost': async ({ id }) =>
      data('POST', `/user/${id}/capabilities`, bare(boss), { capabilities: [], version: await versionOf(id) }),
    'password changed': ({ elsewhere }) =>
      data('POST', '/auth/change-password', elsewhere, { oldPassword: PASSWORD, newPassword: 'moi-moi-1' }),
    'password set by staff': ({ id }) => data('POST', `/user/${id}`, bare(boss), { password: 'moi-moi-1' }),
    'session ended': ({ token, elsewhere }) => data('DELETE', `/user/sessions/${token.sessionId}`, elsewhere),
    'must change': ({ id }) => db.query(`update users set must_change_password = true where id = $1`, [id]),
    deleted: ({ id }) => data('DELETE', `/user/${id}`, bare(boss)),
    'factor added': ({ elsewhere }) => enrol(elsewhere),
    'proof too old': ({ id }) =>
      db.query(`update sessions set factor_at = factor_at - interval '16 minutes' where user_id = $1`, [id]),
  }

  const beginTotp = async (who: Account): Promise<End> => {
    const { challenge, secret } = await data('POST', '/user/factors/totp', bare(who))
    return () => answered(addOwnFactor(deps, who.subject, String(challenge), { name: 'x', code: codeOf(secret) }))
  }
  const beginPasskey = async (who: Account): Promise<End> => {
    const { challenge, options } = await data('POST', '/user/factors/passkey', bare(who))
    const { made: passkey } = makePasskey(ORIGIN, (options as { challenge: string }).challenge)
    return () => answered(addOwnFactor(deps, who.subject, String(challenge), { name: 'x', passkey }))
  }
  const ACTS: Readonly<Record<string, Act>> = {
    'add an app, the first factor': { by: 'admin', begin: beginTotp },
    'add a passkey, the first factor': { by: 'admin', begin: beginPasskey },
    'add a further app': { by: 'admin', hasFactor: true, begin: beginTotp },
    'add a further passkey': { by: 'admin', hasFactor: true, begin: beginPasskey },
    'prove a factor in a session': {
      by: 'admin',
      hasFactor: true,
      begin: async (who) => {
        const { challenge } = await data('POST', '/user/factors/challenge', bare(who))
        const { needsFreshFactor: _, ...subject } = who.subject
        const proof = { challenge: String(challenge), recoveryCode: who.codes[0] }
        return () => answered(proveOwnFactor(deps, limits, subject, proof, IP))
      },
      but: { 'proof too old': 'done' },
    },
    'sign in with a factor': {
      by: 'admin',
      hasFactor: true,
      begin: async (who) => {
        const credentials = { username: who.username, password: PASSWORD }
        const { challenge } = (await app.call('POST', '/api/v1/auth/login', { body: credentials, ip: IP })).body
          .data as WireData
        return async () => {
          const proof = { challenge, recoveryCode: who.codes[0] }
          const { body } = await app.call('POST', '/api/v1/auth/factor', { body: proof, ip: IP })
          return (body.code as RefusalCode | undefined) ?? null
        }
      },
      but: SIGN_IN,
    },
    'sign in with the password': {
      by: 'admin',
      comparesPassword: true,
      begin: async (who, between) => async () => {
        const answer = await login(deps, limitsWith(between), { username: who.username, password: PASSWORD }, FROM)
        if (!isRefused(answer)) return 'challenge' in answer ? 'FACTOR_REQUIRED' : null
        return answer.code
      },
      but: {
        ...SIGN_IN,
        'role lost': 'LOGIN_FAILED',
        'password changed': 'LOGIN_FAILED',
        'password set by staff': 'LOGIN_FAILED',
        deleted: 'LOGIN_FAILED',
      },
    },
    'remove a factor': {
      by: 'admin',
      hasFactor: true,
      begin: async (who) => {
        const { factors } = await data('GET', '/user/factors', bare(who))
        const id = (factors as Array<{ _id: string }>)[0]?._id ?? ''
        return () => answered(removeOwnFactor(deps, who.subject, id))
      },
    },
    'make new recovery codes': {
      by: 'admin',
      hasFactor: true,
      begin: async (who) => () => answered(renewOwnRecoveryCodes(deps, who.subject)),
    },
    'reset a colleague’s factor': {
      by: 'admin',
      asOwner: true,
      begin: async (who) => {
        const colleague = await aColleague()
        await enrol(bare(colleague))
        return () => answered(resetFactors(deps, who.subject, colleague.id))
      },
    },
    'end a colleague’s sessions': {
      by: 'admin',
      asOwner: true,
      begin: async (who) => {
        const { id } = await aColleague()
        return () => answered(endStaffSessions(deps, who.subject, id, null))
      },
    },
    'give a role': {
      by: 'admin',
      asOwner: true,
      begin: async (who) => {
        const { id } = await aColleague()
        const version = String(await versionOf(id))
        return () => answered(setRole(deps, who.subject, id, 'player', version))
      },
    },
    'give a capability': {
      by: 'admin',
      asOwner: true,
      begin: async (who) => {
        const { id } = await aColleague()
        const version = String(await versionOf(id))
        return () => answered(grantCapabilities(deps, who.subject, id, ['care'], version))
      },
    },
    'change the own password': {
      by: 'admin',
      comparesPassword: true,
      begin: async (who, between) => () => {
        const { needsFreshFactor: _, ...subject } = who.subject
        const change = { currentPassword: PASSWORD, newPassword: 'khac-khac-1' }
        return answered(changePassword(deps, limitsWith(between), subject, change, IP, null))
      },
      but: { 'must change': 'done' },
    },
    'close the own account': {
      by: 'player',
      comparesPassword: true,
      begin: async (who, between) => () => {
        const { needsFreshFactor: _, ...subject } = who.subject
        return answered(closeAccount(deps, limitsWith(between), subject, PASSWORD, IP))
      },
    },
  }

  const everything = async (): Promise<string> => {
    const tables = ['users', 'staff_factors', 'recovery_codes', 'audit_log', 'notices']
    // Without the time of the last use, which is written at leisure.
    const all = [(await db.query(`select id, ended_at, factor_at, must_add_factor from sessions order by id`)).rows]
    for (const name of tables) all.push((await db.query(`select t::text as row from ${name} t order by 1`)).rows)
    return JSON.stringify(all)
  }
  const applies = (act: Act, what: Change): boolean => {
    const isStaffs =
      what === 'role lost' || what === 'capability lost' || what === 'factor added' || what === 'proof too old'
    if (act.by === 'player' && isStaffs) return false
    // Without a capability that the act needs there is none to lose, and an account with a factor has its first one.
    if (what === 'capability lost') return act.asOwner === true
    if (what === 'factor added') return act.hasFactor !== true
    return what !== 'proof too old' || act.hasFactor === true
  }

  describe.each(Object.entries(ACTS))('%s', (_, act) => {
    test('is done where nothing changed meanwhile', async () => {
      const who = await make(act)
      const before = await everything()
      expect(await (await act.begin(who, async () => {}))()).toBeNull()
      expect(await everything()).not.toBe(before)
    })

    test.each(CHANGES.filter((what) => applies(act, what)))('%s meanwhile', async (what) => {
      const who = await make(act)
      let before = ''
      const between = async () => {
        if (before !== '') return
        await change[what](who)
        before = await everything()
      }
      const end = await act.begin(who, between)
      if (act.comparesPassword !== true) await between()
      const expected = act.but?.[what] ?? REFUSALS[what]
      expect(await end()).toBe(expected === 'done' ? null : expected)
      if (expected === 'done') expect(await everything()).not.toBe(before)
      else expect(await everything()).toBe(before)
    })
  })
})
