import type { RefusalCode } from '#contract/refusals.ts'
import { answeredWithin, assertSessionStands, toApiError } from './http.ts'
import { endSession } from './session.ts'
import { readAccessToken } from './storage.ts'

const imageTimeoutMs = 60_000

export type DownloadOptions = {
  readonly timeoutMs?: number
  readonly refusals?: readonly RefusalCode[] | undefined
}

/**
 * Fetches a file with the access token, which `img` elements and links can't send. Throws an `ApiError` if the file
 * does not arrive; if `signal` aborts, throws the signal's reason. A 401 ends the page's session.
 */
export async function downloadFile(
  path: string,
  signal: AbortSignal,
  { timeoutMs = imageTimeoutMs, refusals }: DownloadOptions = {},
): Promise<Blob> {
  assertSessionStands()
  const token = readAccessToken()
  const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
  return answeredWithin(timeoutMs, signal, async (either) => {
    const response = await fetch(path, { headers, signal: either })
    const bytes = response.ok ? await response.blob() : null
    assertSessionStands()
    if (bytes !== null) return bytes
    if (response.status === 401 && token !== null) endSession()
    throw toApiError(response, await response.json().catch(() => null), refusals)
  })
}
