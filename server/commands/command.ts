import { reasonOf } from '#server/platform/process/reason-of.ts'
import { readProcessSettings, type Settings } from '#server/platform/process/settings.ts'

/** Runs a command, which returns the exit code. If it throws, prints `failure` and the error's line; the code is 1. */
export async function runCommand(work: (settings: Settings) => Promise<number>, failure = ''): Promise<void> {
  try {
    process.exitCode = await work(readProcessSettings())
  } catch (error) {
    process.stderr.write(`${failure}${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
