import { queryOptions } from '@tanstack/react-query'
import { type BankAccount, bankEndpoints } from '#contract/banks.ts'
import type { BankDetails } from '#domain/banks/bank.ts'
import { callEndpoint } from '#web/platform/api.ts'

/** The player's linked banks, oldest first; the oldest is the default of a request (rules §3). */
export const banksQuery = (userId: string) =>
  queryOptions({
    queryKey: ['banks', userId],
    queryFn: ({ signal }): Promise<BankAccount[]> =>
      callEndpoint(bankEndpoints.listBanks, { query: { userId }, signal }),
  })

export const addBank = (userId: string, details: BankDetails): Promise<BankAccount> =>
  callEndpoint(bankEndpoints.addBank, { body: { ...details, ownerId: userId } })
