import type { RefusalCode } from '#contract/refusals.ts'
import { ApiError, assertSessionStands, noAnswer, toApiError } from './http.ts'
import { readAccessToken } from './storage.ts'

const imageTimeoutMs = 60_000

export type DownloadOptions = {
  readonly timeoutMs?: number
  readonly refusals?: readonly RefusalCode[] | undefined
}

/**
 * Fetches a file that only the signed-in user may see, because `img` elements and links can't send a token. Throws an
 * `ApiError`; if `signal` aborts, throws that signal's reason.
 */
export async function downloadFile(
  path: string,
  signal: AbortSignal,
  { timeoutMs = imageTimeoutMs, refusals }: DownloadOptions = {},
): Promise<Blob> {
  assertSessionStands()
  const token = readAccessToken()
  const controller = new AbortController()
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    controller.abort()
  }, timeoutMs)
  const passOn = () => controller.abort(signal.reason)
  if (signal.aborted) passOn()
  signal.addEventListener('abort', passOn)
  try {
    const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(path, { headers, signal: controller.signal })
    const bytes = response.ok ? await response.blob() : null
    assertSessionStands()
    if (bytes !== null) return bytes
    throw toApiError(response, await response.json().catch(() => null), refusals)
  } catch (cause) {
    if (cause instanceof ApiError || signal.aborted) throw cause
    throw noAnswer(hasTimedOut, cause)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', passOn)
  }
}
