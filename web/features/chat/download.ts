import { ApiError, assertSessionStands, clientErrorCodes } from '#web/platform/http.ts'
import { readAccessToken } from '#web/platform/storage.ts'
import { commonTexts } from '#web/platform/texts.ts'

/** Long enough for an image over a slow line; after this time the connection counts as dead. */
const timeoutMs = 60_000

/**
 * Fetches a file that only the signed-in user may see: an `img` can't send a token. Like `sendRequest`, but it answers
 * bytes. Throws an `ApiError`; an abort by the caller's own signal throws that signal's reason.
 */
export async function downloadFile(path: string, signal: AbortSignal): Promise<Blob> {
  assertSessionStands()
  const token = readAccessToken()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const passOn = () => controller.abort(signal.reason)
  if (signal.aborted) passOn()
  signal.addEventListener('abort', passOn)
  try {
    const headers: HeadersInit = token === null ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(path, { headers, signal: controller.signal })
    const { status, ok } = response
    const bytes = ok ? await response.blob() : null
    assertSessionStands()
    if (bytes !== null) return bytes
    throw new ApiError({ status, code: `HTTP_${status}`, message: commonTexts.somethingWrong })
  } catch (cause) {
    if (cause instanceof ApiError || signal.aborted) throw cause
    throw new ApiError({ status: 0, code: clientErrorCodes.noResponse, message: commonTexts.serverUnreachable, cause })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', passOn)
  }
}
