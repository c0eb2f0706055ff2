import { factorEndpoints } from '#contract/factors.ts'
import { callEndpoint, type CallInput, callRepeatable } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { refresh } from '#web/platform/query-client.ts'
import { sharedKeys } from '#web/platform/query-keys.ts'

const factorsKey = ['factors'] as const

export const ownFactorsQuery = endpointQuery(factorsKey, factorEndpoints.listFactors, {})

export const staffFactorsQuery = endpointQuery(factorsKey, factorEndpoints.listStaffFactors, {})

export const staffSessionsQuery = (userId: string) =>
  endpointQuery(factorsKey, factorEndpoints.listStaffSessions, { params: { id: userId } })

/** Refetches factors, sessions of colleagues, and the account, which says whether a first factor must be added. */
export const refreshFactors = () => refresh(factorsKey, sharedKeys.me)

export const beginTotp = () => callRepeatable(factorEndpoints.beginTotp, {})

/** Adds an authenticator app. Returns the recovery codes if this is an admin's first factor, else null. */
export const addTotp = async (body: CallInput<typeof factorEndpoints.addTotp>['body']) =>
  (await callEndpoint(factorEndpoints.addTotp, { body })).recoveryCodes

export const beginPasskey = () => callRepeatable(factorEndpoints.beginPasskey, {})

/** Adds a passkey that the browser made. Returns the recovery codes if this is an admin's first factor, else null. */
export const addPasskey = async (body: CallInput<typeof factorEndpoints.addPasskey>['body']) =>
  (await callEndpoint(factorEndpoints.addPasskey, { body })).recoveryCodes

export const removeFactor = (id: string) => callEndpoint(factorEndpoints.removeFactor, { params: { id } })

export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await callEndpoint(factorEndpoints.newRecoveryCodes, {})).recoveryCodes ?? []

export const resetFactors = (userId: string) => callEndpoint(factorEndpoints.resetFactors, { params: { id: userId } })

export const endStaffSessions = (userId: string, session?: string) =>
  callEndpoint(factorEndpoints.endStaffSessions, { params: { id: userId }, query: { ...(session && { session }) } })
