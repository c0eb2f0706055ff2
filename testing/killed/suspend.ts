import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SuspendOrder, SuspendReport } from './suspend-child.ts'

const CHILD = fileURLToPath(new URL('suspend-child.ts', import.meta.url))

/** A process that is suspended in the middle of a command. */
export interface Suspended {
  /** When it stopped, on `performance.now()`. */
  readonly atMs: number
  /** Lets it continue, and resolves with the outcome of its command. */
  wake(): Promise<string>
}

export interface Suspender {
  /** Resolves when the process is suspended. */
  suspend(order: SuspendOrder): Promise<Suspended>
  end(): void
}

/** Starts a process on a database, which suspends itself on an order. */
export async function startSuspender(url: string): Promise<Suspender> {
  const child: ChildProcess = fork(CHILD, [url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Orders contain bigints and bytes.
    serialization: 'advanced',
  })
  const next = async (): Promise<SuspendReport> => (await once(child, 'message'))[0] as SuspendReport
  if ((await next()) !== 'ready') throw new Error('The process did not start.')
  return {
    async suspend(order) {
      const said = next()
      child.send(order)
      const report = await said
      if (report !== 'stopping') throw new Error(`It went on to its end: ${JSON.stringify(report)}`)
      return {
        atMs: performance.now(),
        async wake() {
          const told = next()
          child.kill('SIGCONT')
          const outcome = await told
          return typeof outcome === 'object' ? outcome.outcome : outcome
        },
      }
    },
    // A suspended process ends by no other signal.
    end: () => void child.kill('SIGKILL'),
  }
}
