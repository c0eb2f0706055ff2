import { attentionEndpoints } from '#contract/attention.ts'
import type { Alert } from '#domain/attention/attention.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refresh } from '#web/platform/query-client.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'

export type { Attention, AttentionItem, Waiting } from '#contract/attention.ts'

/** No event announces an alarm or a long wait for a reply, and events can get lost, so the page also polls. */
const refetchMs = 20_000

/** Polls also while the page is hidden: its notifications are for admins who work in another window. */
export const attentionQuery = {
  ...endpointQuery(adminKeys.attention, attentionEndpoints.attention, {}),
  refetchInterval: refetchMs,
  refetchIntervalInBackground: true,
}

export async function setMuted(muted: readonly Alert[]): Promise<void> {
  await callEndpoint(attentionEndpoints.setMuted, { body: { muted: [...muted] } })
  await refresh(adminKeys.attention)
}
