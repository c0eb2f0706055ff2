import { attentionEndpoints } from '#contract/attention.ts'
import type { Alert } from '#domain/attention/attention.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refresh } from '#web/platform/query-client.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'

export type { Attention, AttentionItem, Waiting } from '#contract/attention.ts'

/** Alarms and messages that begin to wait too long come by no hint; a lost hint is made up for, too. */
const refetchMs = 20_000

/** Fetched also by a page that nobody looks at: its notifications are for admins who work elsewhere. */
export const attentionQuery = {
  ...endpointQuery(adminKeys.attention, attentionEndpoints.attention, {}),
  refetchInterval: refetchMs,
  refetchIntervalInBackground: true,
}

export async function setMuted(muted: readonly Alert[]): Promise<void> {
  await callEndpoint(attentionEndpoints.setMuted, { body: { muted: [...muted] } })
  await refresh(adminKeys.attention)
}
