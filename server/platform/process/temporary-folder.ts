import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls `work` with a new folder in the system's temporary folder. The folder is removed afterwards, also when a signal
 * such as that of Ctrl+C ends this process: it may hold keys and all data of an installation.
 */
export async function inTemporaryFolder<T>(prefix: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const end = (signal: (typeof ENDING)[number]): void => {
    try {
      remove()
    } finally {
      process.exit(128 + constants.signals[signal])
    }
  }
  for (const signal of ENDING) process.on(signal, end)
  try {
    return await work(folder)
  } finally {
    for (const signal of ENDING) process.off(signal, end)
    remove()
  }
}
