import { ownAccountEndpoints } from '#contract/own-account.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { endpointQuery } from '#web/platform/endpoint-query.ts'
import { downloadFile } from '#web/platform/download.ts'

/** The own sessions that are valid: this one first, then the last used. */
export const sessionsQuery = endpointQuery(['own-sessions'], ownAccountEndpoints.listSessions, {})

export const endSession = (id: string) => callEndpoint(ownAccountEndpoints.endSession, { params: { id } })

export async function endOtherSessions(): Promise<number> {
  return (await callEndpoint(ownAccountEndpoints.endOtherSessions, {})).ended
}

/** A file of years of play over a slow line takes a while. */
const dataTimeoutMs = 600_000

export const downloadData = (signal: AbortSignal): Promise<Blob> =>
  downloadFile(ownAccountEndpoints.exportData.path, signal, { timeoutMs: dataTimeoutMs })

export const closeAccount = (password: string) => callEndpoint(ownAccountEndpoints.closeAccount, { body: { password } })
