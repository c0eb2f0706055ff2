import { identityEndpoints, type Me, type PublicConfig } from '#contract/identity.ts'
import { callEndpoint, firstCall } from '#web/platform/api.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'
import { claimDevice } from '#web/platform/session.ts'

/** A plain object instead of `queryOptions`, so that this file does not load the query library. */
export const meQuery = {
  queryKey: sharedKeys.me,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Me> => {
    const me = await callEndpoint(identityEndpoints.me, { signal })
    // Deletes the data of other users from this device (rules §7.8).
    claimDevice(me.id)
    return me
  },
  staleTime: 30_000,
}

/** The screens for signed-in users wait for this call, so it is sent early (web/boot/first-calls.ts). */
export const firstCalls = () => [firstCall(identityEndpoints.me, {})]

let publicConfig: Promise<PublicConfig> | undefined

/** Requests the configuration once per page load, and again only after a failure. */
export function loadPublicConfig(): Promise<PublicConfig> {
  publicConfig ??= callEndpoint(identityEndpoints.publicConfig, {}).catch((error: unknown) => {
    publicConfig = undefined
    throw error
  })
  return publicConfig
}
