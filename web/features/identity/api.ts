import { identityEndpoints, type Me, type PublicConfig } from '#contract/identity.ts'
import { callEndpoint, firstCall } from '#web/platform/api.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { claimDevice } from '#web/platform/session.ts'

/** A plain object, so that the sign-in form needs no query library. */
export const meQuery = {
  queryKey: sharedKeys.me,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Me> => {
    const me = await callEndpoint(identityEndpoints.me, { signal })
    // Deletes the data of other users on this device.
    claimDevice(me.id)
    return me
  },
  staleTime: 30_000,
}

/** Every screen behind the access token waits for this call (web/boot/first-calls.ts). */
export const firstCalls = () => [firstCall(identityEndpoints.me, {})]

let publicConfig: Promise<PublicConfig> | undefined

/** Requested once, and again only after a failure. */
export function loadPublicConfig(): Promise<PublicConfig> {
  publicConfig ??= callEndpoint(identityEndpoints.publicConfig, {}).catch((error: unknown) => {
    publicConfig = undefined
    throw error
  })
  return publicConfig
}
