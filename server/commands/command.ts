import { reasonOf } from '#server/platform/process/reason-of.ts'
import { readProcessSettings, type Settings } from '#server/platform/process/settings.ts'

/** Runs `work`, which returns the exit code. If `work` throws, prints `failure` and the error, and exits with 1. */
export async function runCommand(work: (settings: Settings) => Promise<number>, failure = ''): Promise<void> {
  try {
    process.exitCode = await work(readProcessSettings())
  } catch (error) {
    process.stderr.write(`${failure}${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
