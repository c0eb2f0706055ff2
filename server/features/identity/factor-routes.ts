import { factorEndpoints } from '#contract/factors.ts'
import {
  beginAddingPasskey,
  beginAddingTotp,
  beginPasskeySignIn,
  beginProof,
  readFactors,
  readStaffFactors,
  readUndoable,
} from '#server/features/factors/index.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { finishSignIn, signInByPasskey } from './finish-sign-in.ts'
import {
  addOwnFactor,
  proveOwnFactor,
  provePassword,
  removeOwnFactor,
  renewOwnRecoveryCodes,
  undoFactors,
} from './own-factors.ts'
import type { PasswordLimits } from './password-limits.ts'
import type { IdentityDeps } from './ports.ts'
import { endStaffSessions, readStaffSessions, resetFactors } from './reset-factors.ts'

export function registerFactors(api: Api, deps: IdentityDeps, limits: PasswordLimits): void {
  const { db, settings } = deps
  api.handle(factorEndpoints.finishSignIn, ({ body, ip, userAgent }) =>
    finishSignIn(deps, limits, body, { ip, userAgent }),
  )
  api.handle(factorEndpoints.beginPasskeySignIn, () => beginPasskeySignIn(db, deps))
  api.handle(factorEndpoints.signInByPasskey, ({ body, ip, userAgent }) =>
    signInByPasskey(deps, limits, body, { ip, userAgent }),
  )
  api.handle(factorEndpoints.beginProof, async ({ subject: { userId, sessionId, role } }) => {
    const step = await beginProof(db, deps, 'proof', { userId, sessionId, passwordHash: null })
    if (step === null) return refuse('UNAUTHORIZED')
    if (role === 'player')
      return { ...step, ways: [...step.ways.filter((way) => way === 'passkey'), 'password' as const] }
    const undoable = await readUndoable(db, userId, sessionId)
    return undoable === null ? step : { ...step, undoable }
  })
  api.handle(factorEndpoints.prove, ({ subject, body: { password, ...proof }, ip }) =>
    password === undefined
      ? proveOwnFactor(deps, limits, subject, proof, ip)
      : provePassword(deps, limits, subject, password, ip),
  )
  api.handle(factorEndpoints.listFactors, async ({ subject }) => ({
    ...(await readFactors(db, subject.userId)),
    mode: settings.staffSecondFactor,
    hasPasskeys: settings.publicOrigin !== null,
    mustAdd: subject.mustAddFactor === true,
  }))
  api.handle(factorEndpoints.beginTotp, ({ subject }) => beginAddingTotp(db, deps, subject))
  api.handle(factorEndpoints.addTotp, ({ subject, body: { challenge, code, name } }) =>
    addOwnFactor(deps, subject, challenge, { name, code }),
  )
  api.handle(factorEndpoints.beginPasskey, ({ subject }) => beginAddingPasskey(db, deps, subject))
  api.handle(factorEndpoints.addPasskey, ({ subject, body: { challenge, passkey, name } }) =>
    addOwnFactor(deps, subject, challenge, { name, passkey }),
  )
  api.handle(factorEndpoints.undoFactors, ({ subject, body, ip, idempotencyKey }) =>
    undoFactors(deps, limits, subject, { change: body, ip, key: idempotencyKey }),
  )
  api.handle(factorEndpoints.removeFactor, ({ subject, params }) => removeOwnFactor(deps, subject, params.id))
  api.handle(factorEndpoints.newRecoveryCodes, ({ subject }) => renewOwnRecoveryCodes(deps, subject))
  api.handle(factorEndpoints.listStaffFactors, () => readStaffFactors(db))
  api.handle(factorEndpoints.resetFactors, ({ subject, params }) => resetFactors(deps, subject, params.id))
  api.handle(factorEndpoints.listStaffSessions, ({ subject, params }) => readStaffSessions(db, subject, params.id))
  api.handle(factorEndpoints.endStaffSessions, ({ subject, params, query }) =>
    endStaffSessions(deps, subject, params.id, query.session ?? null),
  )
}
