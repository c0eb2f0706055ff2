import * as z from 'zod/mini'
import { request } from './codecs.ts'
import { endpoint } from './endpoint.ts'

/** Whatever is longer is refused: a browser cuts before it sends. */
const text = (maxLength: number) => z.string().check(z.maxLength(maxLength))

export const diagnosticsEndpoints = {
  /** An error that a browser met (rules §6.3). Nobody's name stands in it, nor in what is kept of it. */
  reportBrowserError: endpoint({
    method: 'POST',
    path: '/api/v1/browser-errors',
    access: 'public',
    body: request(() => ({
      kind: ['kind', z.enum(['script', 'promise', 'screen'])],
      message: ['message', text(500)],
      frames: ['frames', z.array(text(300)).check(z.maxLength(40))],
      screen: ['screen', text(200)],
    })),
    data: z.null(),
    summary: 'Report an error that the web met',
  }),
} as const
