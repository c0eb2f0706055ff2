import { bankEndpoints } from '#contract/banks.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

/** The linked banks, oldest first; the oldest is preselected in a request (rules §3.6). */
export const banksQuery = (userId: string) =>
  endpointQuery(sharedKeys.banks, bankEndpoints.listBanks, { query: { userId } })
