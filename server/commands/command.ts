import { reasonOf } from '#server/platform/process/reason-of.ts'
import { readProcessSettings, type Settings } from '#server/platform/process/settings.ts'

/** Runs a command. What `work` returns is the exit code; an error is printed as one line after `failure`, and the exit code is 1. */
export async function runCommand(work: (settings: Settings) => Promise<number>, failure = ''): Promise<void> {
  try {
    process.exitCode = await work(readProcessSettings())
  } catch (error) {
    process.stderr.write(`${failure}${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
