import { type BankAccount, bankEndpoints } from '#contract/banks.ts'
import type { BankDetails } from '#domain/banks/bank.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

/** Oldest first; the oldest is the default of a request (rules §3). */
export const banksQuery = (userId: string) =>
  endpointQuery(sharedKeys.banks, bankEndpoints.listBanks, { query: { userId } })

export const addBank = (userId: string, details: BankDetails): Promise<BankAccount> =>
  callEndpoint(bankEndpoints.addBank, { body: { ...details, ownerId: userId } })
