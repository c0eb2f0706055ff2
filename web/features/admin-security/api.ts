import { queryOptions } from '@tanstack/react-query'
import { factorEndpoints, type OwnFactors, type StaffFactors } from '#contract/factors.ts'
import type { OwnSession } from '#contract/own-account.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { queryClient } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

const keys = { own: ['own-factors'], staff: ['staff-factors'] } as const

export const ownFactorsQuery = queryOptions({
  queryKey: keys.own,
  queryFn: ({ signal }): Promise<OwnFactors> => callEndpoint(factorEndpoints.listFactors, { signal }),
})

export const staffFactorsQuery = queryOptions({
  queryKey: keys.staff,
  queryFn: ({ signal }): Promise<readonly StaffFactors[]> => callEndpoint(factorEndpoints.listStaffFactors, { signal }),
})

export const staffSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.staff, userId],
    queryFn: ({ signal }): Promise<readonly OwnSession[]> =>
      callEndpoint(factorEndpoints.listStaffSessions, { params: { id: userId }, signal }),
  })

/** After a change of factors: the lists, and the account, which may have been waiting for its first. */
export async function refreshFactors(): Promise<void> {
  await Promise.all(
    [keys.own, keys.staff, sharedKeys.me].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}

export const beginTotp = () => callEndpoint(factorEndpoints.beginTotp, {})

/** Answers the recovery codes where this is the first factor. */
export const addTotp = async (body: {
  readonly challenge: string
  readonly code: string
  readonly name: string
}): Promise<readonly string[] | null> => (await callEndpoint(factorEndpoints.addTotp, { body })).recoveryCodes

export const beginPasskey = () => callEndpoint(factorEndpoints.beginPasskey, {})

/** The same for a passkey that the browser made. */
export const addPasskey = async (body: {
  readonly challenge: string
  readonly passkey: Record<string, unknown>
  readonly name: string
}): Promise<readonly string[] | null> => (await callEndpoint(factorEndpoints.addPasskey, { body })).recoveryCodes

export async function removeFactor(id: string): Promise<void> {
  await callEndpoint(factorEndpoints.removeFactor, { params: { id } })
}

export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await callEndpoint(factorEndpoints.newRecoveryCodes, {})).recoveryCodes ?? []

export async function resetFactors(userId: string): Promise<void> {
  await callEndpoint(factorEndpoints.resetFactors, { params: { id: userId } })
}

/** Ends an admin's sessions, or the one that is named. Answers how many were ended. */
export const endStaffSessions = async (userId: string, session?: string): Promise<number> =>
  (
    await callEndpoint(factorEndpoints.endStaffSessions, {
      params: { id: userId },
      query: session === undefined ? {} : { session },
    })
  ).ended
