import * as z from 'zod/mini'
import { answer, id, instant, json, query, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { secret } from './identity.ts'
import { SECOND_FACTOR_MODES } from './limits.ts'
import { ownSession } from './own-account.ts'
import { factorStep, token } from './sign-in.ts'

const ownFactor = answer(() => ({
  id: ['_id', text],
  kind: z.enum(['totp', 'passkey']),
  name: text,
  createdAtMs: ['createdAt', instant],
  lastUsedAtMs: ['lastUsedAt', z.nullable(instant)],
}))
export type OwnFactor = z.output<typeof ownFactor>

const staffFactors = answer(() => ({
  id: ['_id', text],
  username: text,
  isFrozen: ['isPaused', z.boolean()],
  factors: z.int(),
  sessions: z.int(),
}))
export type StaffFactors = z.output<typeof staffFactors>

const ownFactors = answer(() => ({
  factors: z.array(ownFactor),
  recoveryCodesLeft: z.int(),
  mode: z.enum(SECOND_FACTOR_MODES),
  hasPasskeys: z.boolean(),
  mustAdd: z.boolean(),
}))
export type OwnFactors = z.output<typeof ownFactors>

const challenge = text.check(z.maxLength(100))
/** The code as it was typed or pasted (rules §4.10). */
const code = text.check(z.maxLength(40))
const webauthn = z.record(text, json)
const factorName = text.check(z.trim(), z.minLength(1), z.maxLength(40), z.regex(/^\P{Cc}*$/u))

/**
 * One of the last three fields proves a factor. If several are sent, only the first of `recoveryCode`, `code` and
 * `passkey` is checked.
 */
const proof = {
  challenge,
  code: z.optional(code),
  recoveryCode: z.optional(text.check(z.maxLength(80))),
  passkey: z.optional(webauthn),
} as const

const passkeyStep = answer(() => ({ challenge: text, options: json }))
const deviceSecret = ['deviceSecret', z.optional(text.check(z.maxLength(1024)))] as const

/** The recovery codes, which are shown only in this answer; null if the call leaves them unchanged. */
const recoveryCodes = answer(() => ({ recoveryCodes: z.nullable(z.array(text)) }))

export const factorEndpoints = {
  finishSignIn: endpoint('POST', '/api/v1/auth/factor', 'public', {
    body: request(() => ({ ...proof, deviceSecret })),
    data: token,
    refusals: ['FACTOR_STEP_OVER', 'FACTOR_WRONG', 'LOGIN_BLOCKED'],
    summary: 'Finish a sign-in with a second factor',
  }),
  beginPasskeySignIn: endpoint('POST', '/api/v1/auth/passkey/challenge', 'public', {
    data: passkeyStep,
    refusals: ['PASSKEYS_OFF'],
    summary: 'Begin a player’s sign-in with a passkey, whoever has it',
  }),
  signInByPasskey: endpoint('POST', '/api/v1/auth/passkey', 'public', {
    body: request(() => ({ challenge, passkey: webauthn, deviceSecret })),
    data: token,
    refusals: ['FACTOR_STEP_OVER', 'PASSKEY_WRONG', 'LOGIN_BLOCKED'],
    summary: 'Sign a player in with a passkey alone',
  }),
  beginProof: endpoint('POST', '/api/v1/user/factors/challenge', 'own-passkey', {
    data: factorStep,
    summary: 'Begin to prove a second factor within this session',
  }),
  prove: endpoint('POST', '/api/v1/user/factors/proof', 'own-passkey', {
    body: request(() => ({ ...proof, password: z.optional(secret) })),
    refusals: ['FACTOR_STEP_OVER', 'FACTOR_WRONG', 'PASSWORD_WRONG', 'LOGIN_BLOCKED'],
    summary: 'Prove a second factor; for 15 minutes it counts as fresh in this session',
  }),
  listFactors: endpoint('GET', '/api/v1/user/factors', 'own-passkey', {
    data: ownFactors,
    summary: 'The own second factors and what the server asks for',
  }),
  beginTotp: endpoint('POST', '/api/v1/user/factors/totp', 'own-factor', {
    needsFreshFactor: true,
    data: answer(() => ({ challenge: text, secret: text, uri: text })),
    summary: 'Begin to add an authenticator app; its secret is shown this once',
  }),
  addTotp: endpoint('POST', '/api/v1/user/factors/totp/confirm', 'own-factor', {
    needsFreshFactor: true,
    body: request(() => ({ challenge, code, name: factorName })),
    data: recoveryCodes,
    refusals: ['FACTOR_STEP_OVER', 'FACTOR_WRONG', 'TOO_MANY_FACTORS'],
    summary: 'Add the authenticator app by its first code',
  }),
  beginPasskey: endpoint('POST', '/api/v1/user/factors/passkey', 'own-passkey', {
    needsFreshFactor: true,
    data: passkeyStep,
    refusals: ['PASSKEYS_OFF'],
    summary: 'Begin to add a passkey',
  }),
  addPasskey: endpoint('POST', '/api/v1/user/factors/passkey/confirm', 'own-passkey', {
    needsFreshFactor: true,
    body: request(() => ({ challenge, passkey: webauthn, name: factorName })),
    data: recoveryCodes,
    refusals: ['FACTOR_STEP_OVER', 'FACTOR_WRONG', 'TOO_MANY_FACTORS'],
    summary: 'Add the passkey that the browser made',
  }),
  removeFactor: endpoint('DELETE', '/api/v1/user/factors/{id}', 'own-passkey', {
    needsFreshFactor: true,
    refusals: ['NOT_FOUND', 'LAST_FACTOR'],
    summary: 'Remove an own second factor',
  }),
  undoFactors: endpoint('POST', '/api/v1/user/factors/undo', 'own-factor', {
    takesKey: true,
    body: request(() => ({ currentPassword: ['oldPassword', secret], newPassword: secret })),
    refusals: ['FACTOR_UNDO_ELSEWHERE', 'PASSWORD_WRONG', 'PASSWORD_INVALID', 'PASSWORD_SAME', 'LOGIN_BLOCKED'],
    summary: 'Take back a first second factor that another session added; sets another password',
  }),
  newRecoveryCodes: endpoint('POST', '/api/v1/user/factors/recovery-codes', 'own-factor', {
    needsFreshFactor: true,
    data: recoveryCodes,
    refusals: ['NOT_FOUND'],
    summary: 'Replace the own recovery codes by ten new ones',
  }),
  listStaffFactors: endpoint('GET', '/api/v1/user/staff-factors', 'staff:owner', {
    data: z.array(staffFactors),
    summary: 'Every admin with the number of their second factors and sessions',
  }),
  resetFactors: endpoint('DELETE', '/api/v1/user/{id}/factors', 'staff:owner', {
    needsFreshFactor: true,
    refusals: ['NOT_FOUND', 'NOT_YOURSELF'],
    summary: 'Remove another admin’s second factors; every session of theirs ends',
  }),
  listStaffSessions: endpoint('GET', '/api/v1/user/{id}/sessions', 'staff:owner', {
    data: z.array(ownSession),
    refusals: ['NOT_FOUND'],
    summary: 'The valid sessions of an admin',
  }),
  endStaffSessions: endpoint('DELETE', '/api/v1/user/{id}/sessions', 'staff:owner', {
    needsFreshFactor: true,
    query: query(() => ({ session: z.optional(id) })),
    data: z.object({ ended: z.int() }),
    refusals: ['NOT_FOUND', 'NOT_YOURSELF'],
    summary: 'End every session of another admin, or one of them',
  }),
} as const
