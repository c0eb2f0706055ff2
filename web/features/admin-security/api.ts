import { factorEndpoints } from '#contract/factors.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

const factorsKey = ['factors'] as const

export const ownFactorsQuery = endpointQuery(factorsKey, factorEndpoints.listFactors, {})

export const staffFactorsQuery = endpointQuery(factorsKey, factorEndpoints.listStaffFactors, {})

export const staffSessionsQuery = (userId: string) =>
  endpointQuery(factorsKey, factorEndpoints.listStaffSessions, { params: { id: userId } })

/** After a change of factors: the lists, and the account, which may have been waiting for its first. */
export async function refreshFactors(): Promise<void> {
  await refresh(factorsKey, sharedKeys.me)
}

export const beginTotp = () => callEndpoint(factorEndpoints.beginTotp, {})

/** Returns the recovery codes where this is the first factor. */
export const addTotp = async (body: {
  readonly challenge: string
  readonly code: string
  readonly name: string
}): Promise<readonly string[] | null> => (await callEndpoint(factorEndpoints.addTotp, { body })).recoveryCodes

export const beginPasskey = () => callEndpoint(factorEndpoints.beginPasskey, {})

/** Adds a passkey that the browser made. */
export const addPasskey = async (body: {
  readonly challenge: string
  readonly passkey: Record<string, unknown>
  readonly name: string
}): Promise<readonly string[] | null> => (await callEndpoint(factorEndpoints.addPasskey, { body })).recoveryCodes

export const removeFactor = (id: string) => callEndpoint(factorEndpoints.removeFactor, { params: { id } })

export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await callEndpoint(factorEndpoints.newRecoveryCodes, {})).recoveryCodes ?? []

export const resetFactors = (userId: string) => callEndpoint(factorEndpoints.resetFactors, { params: { id: userId } })

/** Ends an admin's sessions, or the one that is named. Returns how many were ended. */
export const endStaffSessions = async (userId: string, session?: string): Promise<number> =>
  (
    await callEndpoint(factorEndpoints.endStaffSessions, {
      params: { id: userId },
      query: session === undefined ? {} : { session },
    })
  ).ended
