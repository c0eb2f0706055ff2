import { diagnosticsEndpoints } from '#contract/diagnostics.ts'
import { type BrowserErrorKind, withoutPersonalData } from '#domain/diagnostics/browser-error.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { refusalOf } from '#web/platform/http.ts'

/** A page reports at most this number of different errors, each once, so that a loop can't flood the server. */
const reportsOfPage = 5
const reported = new Set<string>()

/**
 * Sends an error to the server, for an operator to read (docs/operations.md, "Watching it"). Skips failed calls and
 * aborts, values that are no `Error`, and all errors while the browser reports no network.
 */
export async function reportError(kind: BrowserErrorKind, error: unknown): Promise<void> {
  if (!(error instanceof Error) || refusalOf(error) !== undefined || error.name === 'AbortError' || !navigator.onLine)
    return
  const report = withoutPersonalData({
    kind,
    message: `${error.name}: ${error.message}`,
    frames: (error.stack ?? '').split('\n'),
    screen: location.pathname,
  })
  const fault = `${report.message} ${report.frames[0] ?? ''}`
  if (reported.has(fault) || reported.size >= reportsOfPage) return
  reported.add(fault)
  await callEndpoint(diagnosticsEndpoints.reportBrowserError, {
    body: { ...report, frames: [...report.frames] },
  }).catch(() => {})
}
