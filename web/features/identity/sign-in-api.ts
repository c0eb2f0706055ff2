import { identityEndpoints } from '#contract/identity.ts'
import { type FactorStep, signInEndpoints } from '#contract/sign-in.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { callEndpoint, type CallInput, type CallOutput, callRepeatable } from '#web/platform/api.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { readDeviceSecret, writeAccessToken, writeDeviceSecret, writeSignedInAtMs } from '#web/platform/storage.ts'

export type SignedIn = { readonly mustChangePassword: boolean }

type BodyOf<E extends Endpoint & { body: unknown }> = CallInput<E>['body']

/** Signs in and stores the token. If the server asks for a second factor, returns the `FactorStep`. */
export async function signIn(body: BodyOf<typeof signInEndpoints.login>): Promise<SignedIn | FactorStep> {
  const answer = await callRepeatable(signInEndpoints.login, { body: withDeviceSecret(body) })
  return 'challenge' in answer ? answer : keepSession(answer)
}

export const register = async (body: BodyOf<typeof signInEndpoints.register>): Promise<SignedIn> =>
  keepSession(await callEndpoint(signInEndpoints.register, { body: withDeviceSecret(body) }))

export const changePassword = (body: BodyOf<typeof signInEndpoints.changePassword>, idempotencyKey: string) =>
  callEndpoint(signInEndpoints.changePassword, { body: withDeviceSecret(body), idempotencyKey })

/** Adds the device secret if an earlier sign-in on this device has left one. */
export function withDeviceSecret<Body extends object>(body: Body): Body & { readonly deviceSecret?: string } {
  const deviceSecret = readDeviceSecret()
  return deviceSecret === null ? body : { ...body, deviceSecret }
}

export function keepSession(session: CallOutput<typeof signInEndpoints.register>): SignedIn {
  const left = writeAccessToken(session.accessToken)
  // The session of the replaced token is logged out now, while that token is still known.
  if (left !== null) void callEndpoint(identityEndpoints.logout, { token: left }).catch(() => {})
  if (session.deviceSecret !== undefined) writeDeviceSecret(session.deviceSecret)
  writeSignedInAtMs(deviceNowMs())
  return { mustChangePassword: session.mustChangePassword }
}
