import { identityEndpoints } from '#contract/identity.ts'
import { type FactorStep, signInEndpoints } from '#contract/sign-in.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { readDeviceSecret, writeAccessToken, writeDeviceSecret, writeSignedInAtMs } from '#web/platform/storage.ts'

export type SignedIn = { readonly mustChangePassword: boolean }

/** Stores the token; an admin with a second factor gets the next step instead. */
export async function signIn(body: {
  readonly username: string
  readonly password: string
}): Promise<SignedIn | FactorStep> {
  const answer = await callEndpoint(signInEndpoints.login, { body: withDeviceSecret(body) })
  return 'challenge' in answer ? answer : keepSession(answer)
}

export type Registration = {
  readonly username: string
  readonly password: string
  readonly passwordAgain: string
  readonly referralCode: string
}

export async function register(body: Registration): Promise<SignedIn> {
  const session = await callEndpoint(signInEndpoints.register, { body: withDeviceSecret(body) })
  return keepSession(session)
}

export const changePassword = (body: {
  readonly username: string
  readonly currentPassword: string
  readonly newPassword: string
}) => callEndpoint(signInEndpoints.changePassword, { body: withDeviceSecret(body) })

/** Adds the device secret of an earlier sign-in on this device. */
export function withDeviceSecret<Body extends object>(body: Body): Body & { readonly deviceSecret?: string } {
  const deviceSecret = readDeviceSecret()
  return deviceSecret === null ? body : { ...body, deviceSecret }
}

export function keepSession(session: {
  readonly accessToken: string
  readonly mustChangePassword: boolean
  readonly deviceSecret?: string | undefined
}): SignedIn {
  const left = writeAccessToken(session.accessToken)
  // The replaced session's only token has just been overwritten, so this call ends it.
  if (left !== null) void callEndpoint(identityEndpoints.logout, { token: left }).catch(() => {})
  if (session.deviceSecret !== undefined) writeDeviceSecret(session.deviceSecret)
  writeSignedInAtMs(deviceNowMs())
  return { mustChangePassword: session.mustChangePassword }
}
