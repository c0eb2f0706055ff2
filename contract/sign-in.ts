import * as z from 'zod/mini'
import { answer, instant, json, request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'
import { secret } from './identity.ts'

export const token = answer(() => ({
  accessToken: ['access_token', text],
  mustChangePassword: z.boolean(),
  /** The client stores this secret and sends it at the next sign-in. The secret grants no access (rules §4.7). */
  deviceSecret: z.optional(text),
}))

/** The ways to prove a second factor (rules §4.10). `password` is for a player within a session (rules §4.12). */
export const FACTOR_WAYS = ['totp', 'passkey', 'recovery', 'password'] as const

/**
 * Asks for a second factor. At a sign-in with the right password, this is sent in place of a token, and no session
 * exists yet. Within a session, this is the answer to `beginProof`.
 */
export const factorStep = answer(() => ({
  /** Sent back with the proof. A right proof, five wrong ones or 5 minutes end the challenge (rules §4.10). */
  challenge: text,
  ways: z.array(z.enum(FACTOR_WAYS)),
  passkeyOptions: z.nullable(json),
  /** The account's first second factor, if another session added it and this one may remove it (rules §4.10). */
  undoable: z.optional(
    answer(() => ({
      name: text,
      addedAtMs: ['addedAt', instant],
      ip: z.nullable(text),
      userAgent: z.nullable(text),
    })),
  ),
}))
export type FactorStep = z.output<typeof factorStep>

const deviceSecret = z.optional(secret)

export const signInEndpoints = {
  login: endpoint('POST', '/api/v1/auth/login', 'public', {
    body: request(() => ({ username: secret, password: secret, deviceSecret })),
    data: z.union([token, factorStep]),
    refusals: ['LOGIN_FAILED', 'LOGIN_BLOCKED'],
    summary: 'Sign in; an account with a second factor gets the next step instead of a token',
  }),
  register: endpoint('POST', '/api/v1/auth/register', 'public', {
    body: request(() => ({
      username: secret,
      password: secret,
      passwordAgain: ['rePassword', secret],
      referralCode: ['code', secret],
      deviceSecret,
    })),
    data: token,
    refusals: ['USERNAME_INVALID', 'USERNAME_TAKEN', 'PASSWORD_INVALID', 'PASSWORD_MISMATCH', 'REFERRAL_WRONG'],
    summary: 'Register and sign in',
  }),
  changePassword: endpoint('POST', '/api/v1/auth/change-password', 'own-password', {
    body: request(() => ({
      username: z.optional(secret),
      currentPassword: ['oldPassword', secret],
      newPassword: secret,
      /** Secret of the current device. This device stays a known device; the user's other devices are forgotten. */
      deviceSecret,
    })),
    takesKey: true,
    refusals: ['PASSWORD_INVALID', 'PASSWORD_SAME', 'PASSWORD_WRONG', 'LOGIN_BLOCKED'],
    summary: 'Change the own password; every other session ends, every other device is forgotten',
  }),
} as const
