import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The clock of programs started with `env`. It runs along with the machine's clock and can be set while they run. */
export interface SettableTime {
  readonly env: Record<string, string>
  /** Sets the difference of their clock from the machine's, in seconds. */
  set(aheadS: number): void
  /** The servers' clock at a moment of the machine's clock, Unix ms; null within `slackMs` of a step. */
  at(machineMs: number, slackMs?: number): number | null
  remove(): void
}

/**
 * Uses Debian's package libfaketime: its preloaded library answers every reading of the wall clock, but not of the
 * monotonic one.
 */
export function makeSettableTime(): SettableTime {
  const library = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path))
  if (library === undefined) throw new Error('libfaketime is missing: the package faketime of Debian brings it')
  const folder = mkdtempSync(join(tmpdir(), 'bench-time-'))
  const file = join(folder, 'time')
  const steps: Array<{ atMs: number; aheadS: number }> = []
  const set = (aheadS: number): void => {
    // The rename is atomic: a reader finds the old file or the new one, never a part of it.
    writeFileSync(`${file}.new`, `${aheadS < 0 ? '-' : '+'}${Math.abs(aheadS)}\n`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
    steps.push({ atMs: Date.now(), aheadS })
  }
  set(0)
  // The database's programs run as another user.
  chmodSync(folder, 0o755)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    at(machineMs, slackMs = 0) {
      if (steps.slice(1).some((step) => Math.abs(step.atMs - machineMs) <= slackMs)) return null
      return machineMs + (steps.findLast((step) => step.atMs <= machineMs)?.aheadS ?? 0) * 1000
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
