import { diagnosticsEndpoints } from '#contract/diagnostics.ts'
import { type BrowserErrorKind, withoutPersonalData } from '#domain/diagnostics/browser-error.ts'
import { callEndpoint } from '#web/platform/api.ts'
import { refusalOf } from '#web/platform/http.ts'

/** Each fault is reported once per page; this limits the faults too, so that a loop cannot flood the server. */
const reportsOfPage = 5
const reported = new Set<string>()

/**
 * Reports an error for an operator to read (docs/operations.md, "Watching it"). Skips failed calls, because the screen
 * shows them anyway, and deliberate aborts. Never throws.
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
