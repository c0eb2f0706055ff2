import { Secret, TOTP } from 'otpauth'

/** RFC 6238 as authenticator apps expect it: SHA-1, six digits, steps of 30 s. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const SECRET_BYTES = 20

/** A phone's clock may be this many steps off. */
const STEPS_OFF = 1

export const newTotpSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

export function describeTotp(bytes: Uint8Array, issuer: string, username: string): { secret: string; uri: string } {
  const secret = secretOf(bytes)
  const totp = new TOTP({ ...FORM, issuer, label: username, secret })
  return { secret: secret.base32, uri: totp.toString() }
}

/** Replaces full-width characters of a typed code, and removes spaces, dashes and invisible characters. */
export const readTyped = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\p{Cf}\p{Pd}]/gu, '')

/** Returns the time step (RFC 6238) that a code belongs to; null if the code is wrong. */
export function stepOf(bytes: Uint8Array, code: string, nowMs: number): bigint | null {
  const token = readTyped(code)
  if (!/^\d{6}$/.test(token)) return null
  const delta = TOTP.validate({ ...FORM, token, secret: secretOf(bytes), timestamp: nowMs, window: STEPS_OFF })
  return delta === null ? null : BigInt(Math.floor(nowMs / 1000 / FORM.period) + delta)
}
