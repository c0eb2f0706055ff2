import { identityEndpoints, type Me, type PublicConfig } from '#contract/identity.ts'
import { callEndpoint, firstCall } from '#web/platform/api.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { deviceNowMs } from '#web/platform/server-time.ts'
import { claimDevice } from '#web/platform/session.ts'
import { readDeviceSecret, writeAccessToken, writeDeviceSecret, writeSignedInAtMs } from '#web/platform/storage.ts'

/** Loads the signed-in user, and deletes the data of other users on this device. */
async function loadMe(signal: AbortSignal): Promise<Me> {
  const me = await callEndpoint(identityEndpoints.me, { signal })
  claimDevice(me.id)
  return me
}

/** The signed-in user. A plain object, so that the sign-in form needs no query library. */
export const meQuery = {
  queryKey: sharedKeys.me,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Me> => loadMe(signal),
  staleTime: 30_000,
}

/** The call that every screen behind the access token waits for (web/boot/first-calls.ts). */
export const firstCalls = () => [firstCall(identityEndpoints.me, {})]

let publicConfig: Promise<PublicConfig> | undefined

/** Referral code and support contact; requested once, and again only after a failure. */
export function loadPublicConfig(): Promise<PublicConfig> {
  publicConfig ??= callEndpoint(identityEndpoints.publicConfig, {}).catch((error: unknown) => {
    publicConfig = undefined
    throw error
  })
  return publicConfig
}

export type SignedIn = { readonly mustChangePassword: boolean }

/** Signs in and stores the token. */
export async function signIn(body: { readonly username: string; readonly password: string }): Promise<SignedIn> {
  const session = await callEndpoint(identityEndpoints.login, { body: withDeviceSecret(body) })
  return keepSession(session)
}

export type Registration = {
  readonly username: string
  readonly password: string
  readonly passwordAgain: string
  readonly referralCode: string
}

/** Registers, signs in and stores the token. */
export async function register(body: Registration): Promise<SignedIn> {
  const session = await callEndpoint(identityEndpoints.register, { body: withDeviceSecret(body) })
  return keepSession(session)
}

export async function changePassword(body: {
  readonly username: string
  readonly currentPassword: string
  readonly newPassword: string
}): Promise<void> {
  await callEndpoint(identityEndpoints.changePassword, { body: withDeviceSecret(body) })
}

/** Adds the device secret of an earlier sign-in on this device. */
function withDeviceSecret<Body extends object>(body: Body): Body & { readonly deviceSecret?: string } {
  const deviceSecret = readDeviceSecret()
  return deviceSecret === null ? body : { ...body, deviceSecret }
}

function keepSession(session: {
  readonly accessToken: string
  readonly mustChangePassword: boolean
  readonly deviceSecret?: string | undefined
}): SignedIn {
  const left = writeAccessToken(session.accessToken)
  // The replaced session was never signed out, and its only token has just been overwritten, so this call ends it.
  if (left !== null) void callEndpoint(identityEndpoints.logout, { token: left }).catch(() => {})
  if (session.deviceSecret !== undefined) writeDeviceSecret(session.deviceSecret)
  writeSignedInAtMs(deviceNowMs())
  return { mustChangePassword: session.mustChangePassword }
}
