import { reasonOf } from '#server/platform/process/reason-of.ts'
import { readProcessSettings, type Settings } from '#server/platform/process/settings.ts'

/** The answer is the exit code; a failure is one line after `failure`, and ends with 1. */
export async function runCommand(work: (settings: Settings) => Promise<number>, failure = ''): Promise<void> {
  try {
    process.exitCode = await work(readProcessSettings())
  } catch (error) {
    process.stderr.write(`${failure}${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
