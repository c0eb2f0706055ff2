import { afterAll, beforeAll } from 'vitest'
import { type Program, useBrowser } from './browser.ts'
import { type RunningServer, type ServerSettings, startServer } from './server.ts'

type Own = ServerSettings & { readonly isOwn?: true }
type ServerOf<S> = S extends Own ? RunningServer : Pick<RunningServer, 'url' | 'auditLedger'>

/** One server for all files of this worker that leave nothing for others to notice. It ends with the worker. */
let shared: Promise<RunningServer> | null = null

/**
 * The server of a file of journeys, from its `beforeAll` on. With settings, or `isOwn`, the file has one to itself: where
 * it ends or suspends the process, or counts all that there is.
 */
export function useServer<S extends Own | undefined = undefined>(settings?: S): ServerOf<S> {
  const server = {} as RunningServer
  beforeAll(async () => {
    Object.assign(server, settings === undefined ? await (shared ??= startServer()) : await startServer(settings))
  })
  if (settings !== undefined) afterAll(() => server.stop())
  return server
}

/** Like `useServer`, with a browser that opens its pages. */
export function useProduct<S extends Own | undefined = undefined>(settings?: S, program?: Program) {
  const server = useServer(settings)
  return { server, ...useBrowser(() => server.url, program) }
}
