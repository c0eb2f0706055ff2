import { queryOptions } from '@tanstack/react-query'
import { pushEndpoints, type PushState } from '#contract/push.ts'
import type { PushPreferences } from '#domain/push/push.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { type BrowserSubscription, readSubscription } from '#web/platform/push-subscription.ts'

export type Push = PushState & {
  /** True if the server sends pushes to this browser's own subscription. */
  readonly isOn: boolean
}

export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: async ({ signal }): Promise<Push> => {
    const [state, browser] = await Promise.all([callEndpoint(pushEndpoints.readPush, { signal }), readSubscription()])
    return { ...state, isOn: browser !== null && browser.endpoint === state.endpoint }
  },
})

export const savePreferences = async ({ kinds, quiet, mayOffer }: PushPreferences): Promise<PushState> =>
  callEndpoint(pushEndpoints.setPush, { body: { kinds, quiet, mayOffer } })

export async function saveSubscription({ endpoint, p256dh, authSecret }: BrowserSubscription): Promise<Push> {
  const state = await callEndpoint(pushEndpoints.subscribe, { body: { endpoint, p256dh, authSecret } })
  return { ...state, isOn: true }
}

export async function removeSubscription(): Promise<Push> {
  return { ...(await callEndpoint(pushEndpoints.unsubscribe, {})), isOn: false }
}
