import { diagnosticsEndpoints } from '#contract/diagnostics.ts'
import { withoutPersonalData } from '#domain/diagnostics/browser-error.ts'
import { refuse } from './errors.ts'
import type { Api } from './http.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { addressKey } from './addresses.ts'
import type { RateLimits } from './rate-limits.ts'

const PER_ADDRESS = 10
const FROM_ALL = 120
const WINDOW_S = 60

/** Logs the errors that browsers report, up to the limits. Returns a function that returns how many were logged. */
export function registerBrowserErrors(
  api: Api,
  { log, limits }: { readonly log: Logger; readonly limits: RateLimits },
): () => number {
  const ofAddress = limits.limit('browser-errors', PER_ADDRESS, WINDOW_S)
  const ofAll = limits.limit('browser-errors-of-all', FROM_ALL, WINDOW_S)
  let written = 0
  api.handle(diagnosticsEndpoints.reportBrowserError, async ({ body, ip, request }) => {
    if (!isOwnOrigin(request.headers, request.host)) return refuse('FORBIDDEN')
    const waitS = (await ofAddress.take(addressKey(ip))) ?? (await ofAll.take('all'))
    if (waitS !== null) return refuse('TOO_MANY_REQUESTS', undefined, waitS)
    written += 1
    log.warn({ browserError: withoutPersonalData(body) }, 'A browser met an error')
    return null
  })
  return () => written
}

/** Returns whether our own page sent the request, by Fetch Metadata or, without that, by Origin (RFC 6454). */
function isOwnOrigin(headers: Readonly<Record<string, string | string[] | undefined>>, host: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === host
}
