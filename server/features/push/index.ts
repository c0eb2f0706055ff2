/**
 * Push: Web Push messages to the browsers that users have subscribed to them. Owns push_keys, push_preferences,
 * push_subscriptions and push_queue; emits no events.
 */
import type { Api } from '#server/platform/http/http.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { createSendPush, type SendPushOptions } from './send-push.ts'
import { type PushRoutesDeps, registerPushRoutes } from './routes.ts'
import { type QueueSender, startSendingPushes } from './send-queued.ts'

export { dropSubscriptionOf, dropSubscriptions } from './drop-subscriptions.ts'
export { readPushKeys } from './keys.ts'
export { queuePush } from './queue-push.ts'

export interface PushDeps extends Omit<PushRoutesDeps, 'publicKey'>, SendPushOptions {
  readonly log: Logger
}

export function registerPush(api: Api, deps: PushDeps): QueueSender {
  registerPushRoutes(api, { ...deps, publicKey: deps.keys.publicKey })
  return startSendingPushes({ ...deps, send: createSendPush(deps) })
}
