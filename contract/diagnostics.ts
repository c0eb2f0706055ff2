import * as z from 'zod/mini'
import { BROWSER_ERROR_KINDS } from '#domain/diagnostics/browser-error.ts'
import { request, text } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** A text of a report. In the browser, `withoutPersonalData` makes each text shorter than `maxLength`. */
const shortText = (maxLength: number) => text.check(z.maxLength(maxLength))

export const diagnosticsEndpoints = {
  /** The report does not say which user met the error (rules §6.3). */
  reportBrowserError: endpoint('POST', '/api/v1/browser-errors', 'public', {
    body: request(() => ({
      kind: z.enum(BROWSER_ERROR_KINDS),
      message: shortText(500),
      frames: z.array(shortText(300)).check(z.maxLength(40)),
      screen: shortText(200),
    })),
    summary: 'Report an error that the web met',
  }),
} as const
