import { systemEndpoints } from '#contract/system.ts'
import { adminKeys } from '#web/lists/admin-keys.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'

export type { System } from '#contract/system.ts'

export const systemQuery = endpointQuery(adminKeys.system, systemEndpoints.system, {})
