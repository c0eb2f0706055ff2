import { pushEndpoints } from '#contract/push.ts'
import type { Database } from '#server/platform/database/db.ts'
import { refuse } from '#server/platform/http/errors.ts'
import type { Api } from '#server/platform/http/http.ts'
import { addressKey } from '#server/platform/http/addresses.ts'
import type { RateLimits } from '#server/platform/http/rate-limits.ts'
import { dropSubscriptionOf } from './drop-subscriptions.ts'
import { type EndpointRule, publicEndpoints } from './endpoint-rule.ts'
import { readPushState, setPreferences } from './preferences.ts'
import { renewSubscription, subscribe } from './subscribe.ts'

export interface PushRoutesDeps {
  readonly db: Database
  readonly publicKey: string
  readonly limits: RateLimits
  readonly rule?: EndpointRule
}

/** Allowed renewals per IP address (IPv6: per /64) and hour. */
const RENEWALS = 60
const RENEWALS_WINDOW_S = 3_600

export function registerPushRoutes(api: Api, { db, publicKey, limits, rule = publicEndpoints }: PushRoutesDeps): void {
  const renewals = limits.limit('push-renewals', RENEWALS, RENEWALS_WINDOW_S)

  api.handle(pushEndpoints.readPush, ({ subject }) => readPushState(db, subject, publicKey))
  api.handle(
    pushEndpoints.setPush,
    async ({ subject, body }) => (await setPreferences(db, subject, body)) ?? readPushState(db, subject, publicKey),
  )
  api.handle(
    pushEndpoints.subscribe,
    async ({ subject, body }) => (await subscribe(db, rule, subject, body)) ?? readPushState(db, subject, publicKey),
  )
  api.handle(pushEndpoints.unsubscribe, async ({ subject }) => {
    await dropSubscriptionOf(db, subject.sessionId)
    return readPushState(db, subject, publicKey)
  })
  api.handle(pushEndpoints.renewSubscription, async ({ body, ip }) => {
    const waitS = await renewals.take(addressKey(ip))
    if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
    const { oldEndpoint, oldAuthSecret, ...target } = body
    return renewSubscription(db, rule, { endpoint: oldEndpoint, authSecret: oldAuthSecret }, target)
  })
}
