import { identityEndpoints } from '#contract/identity.ts'
import { staffUserEndpoints, userList } from '#contract/staff-users.ts'
import { ownAccountEndpoints } from '#contract/own-account.ts'
import { signInEndpoints } from '#contract/sign-in.ts'
import { isRefused, refuse } from '#server/platform/http/errors.ts'
import { type Api, Encoded, encodeData, PublicAnswer } from '#server/platform/http/http.ts'
import { listAnswer, pageOf, sortOf } from '#server/platform/http/lists.ts'
import { changePassword } from './change-password.ts'
import { closeAccount, deleteUser } from './end-account.ts'
import { grantCapabilities, setRole } from './staff-rights.ts'
import { login } from './login.ts'
import { endOtherSessions, endOwnSession, logout, readSessions } from './own-sessions.ts'
import { registerFactors } from './factor-routes.ts'
import { createPasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'
import { findUsers, readUser, toMe, toUserConfig } from './queries.ts'
import { register } from './register.ts'
import { updateUser } from './update-user.ts'

/** Registrations allowed per address and hour (rules §4.7). */
const REGISTRATIONS = 10
const REGISTRATIONS_WINDOW_S = 3_600

export function registerIdentity(api: Api, deps: IdentityDeps): void {
  const { db, settings, limits, clock } = deps
  const passwordLimits = createPasswordLimits(db)
  const perAddress = limits.limit('register', REGISTRATIONS, REGISTRATIONS_WINDOW_S)

  api.handle(signInEndpoints.register, ({ body, ip, userAgent }) => register(deps, perAddress, body, { ip, userAgent }))
  api.handle(signInEndpoints.login, ({ body, ip, userAgent }) => login(deps, passwordLimits, body, { ip, userAgent }))
  api.handle(identityEndpoints.logout, ({ subject }) => logout(db, subject))
  api.handle(signInEndpoints.changePassword, ({ subject, body, ip, idempotencyKey }) =>
    changePassword(deps, passwordLimits, subject, body, ip, idempotencyKey),
  )
  api.handle(ownAccountEndpoints.listSessions, ({ subject }) => readSessions(db, subject.userId, subject.sessionId))
  api.handle(ownAccountEndpoints.endSession, ({ subject, params }) => endOwnSession(db, subject, params.id))
  api.handle(ownAccountEndpoints.endOtherSessions, ({ subject }) => endOtherSessions(db, subject))
  api.handle(ownAccountEndpoints.closeAccount, ({ subject, body, ip }) =>
    closeAccount(deps, passwordLimits, subject, body.password, ip),
  )

  registerFactors(api, deps, passwordLimits)

  api.handle(identityEndpoints.publicConfig, () => {
    const { referralRequired, supportContact, teamName, publicOrigin } = settings
    const referralCode = referralRequired === 'secret' ? null : settings.referralCode
    return new PublicAnswer(
      { referralCode, supportContact, teamName, hasPasskeys: publicOrigin !== null },
      'public, max-age=5',
    )
  })
  api.handle(identityEndpoints.me, async ({ subject }) => {
    const row = await readUser(db, subject.userId)
    if (row === null) return refuse('UNAUTHORIZED')
    return subject.mustAddFactor === true ? { ...toMe(row), mustAddFactor: true } : toMe(row)
  })
  api.handle(identityEndpoints.config, async ({ subject }) => {
    const row = await readUser(db, subject.userId)
    return row === null ? refuse('UNAUTHORIZED') : toUserConfig(row, Math.floor(clock.now()))
  })

  api.handle(staffUserEndpoints.listUsers, async ({ subject, query }) => {
    const page = pageOf(query)
    const sort = sortOf(query.sort, userList)
    const isNamed = query.userId !== undefined || query.ids !== undefined
    const deleted = query.deleted ?? (isNamed ? undefined : 'false')
    const filter = { ...query, deleted }
    const found = await findUsers(db, { filter, sort, page, reader: subject, isWhole: query.whole === 'ids' })
    if (isRefused(found)) return found
    const { data, meta } = listAnswer(found.users, found.counted, page, found.ids)
    const { orderedAtMs } = found
    return { data, meta: orderedAtMs === null ? meta : { ...meta, orderedAt: new Date(orderedAtMs).toISOString() } }
  })
  api.handle(staffUserEndpoints.updateUser, async ({ subject, params, body, idempotencyKey }) => {
    const updated = await updateUser(deps, subject, params.id, body, idempotencyKey, (user) =>
      encodeData(staffUserEndpoints.updateUser, user),
    )
    return isRefused(updated) ? updated : new Encoded(updated)
  })
  api.handle(staffUserEndpoints.setRole, ({ subject, params, body }) =>
    setRole(deps, subject, params.id, body.role, body.version),
  )
  api.handle(staffUserEndpoints.grantCapabilities, ({ subject, params, body }) =>
    grantCapabilities(deps, subject, params.id, body.capabilities, body.version),
  )
  api.handle(staffUserEndpoints.deleteUser, ({ subject, params }) => deleteUser(deps, subject, params.id))
}
