import { stat } from 'node:fs/promises'
import { looping, type Stop } from '#server/platform/process/jobs.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { readNowMs } from '#server/platform/database/now.ts'
import { keepNewestBackups, listBackups, removeAhead, setAheadAside } from './backup-file.ts'
import { type BackupDeps, makeBackup } from './make-backup.ts'

const KEPT = 14
const AGAIN_MS = 60_000

/** The shortest and the longest time by which a backup begins early, as fractions of the interval. */
const LEAST_LEAD = 1 / 20
const MOST_LEAD = 1 / 2

/**
 * Makes backups until the returned function is called, which also ends a running backup. A backup begins early, by
 * twice the time that the newest one took, so that it is complete before the newest one is `everyMs` old.
 */
export function startBackups(
  deps: BackupDeps,
  { folder, everyMs, log }: { readonly folder: string; readonly everyMs: number; readonly log: Logger },
): Stop {
  const nextInMs = async (): Promise<number> => {
    const nowMs = await readNowMs(deps.db)
    await setAheadAside(folder, nowMs)
    const [newest] = await listBackups(folder)
    if (newest === undefined) return 0
    const ageMs = nowMs - newest.takenAtMs
    const tookMs = (await stat(newest.path)).mtimeMs - newest.takenAtMs
    const leadMs = Math.min(Math.max(2 * tookMs, everyMs * LEAST_LEAD), everyMs * MOST_LEAD)
    return Math.max(everyMs - leadMs - ageMs, 0)
  }
  const turn = async (signal: AbortSignal): Promise<number> => {
    const waitMs = await nextInMs()
    if (waitMs > 0) return waitMs
    const report = await makeBackup({ ...deps, signal }, folder)
    if (signal.aborted) return 0
    if (report.is === 'refused') {
      // The operator is making another backup.
      if (report.why === 'BUSY') return AGAIN_MS
      log.error({ why: report.why, reason: report.reason }, 'No backup was made')
      // An attempt whose file cannot be restored costs as much as a good one, so the next try waits the whole interval.
      return report.why === 'UNPROVED' ? everyMs : AGAIN_MS
    }
    await keepNewestBackups(folder, KEPT)
    await removeAhead(folder)
    log.info({ path: report.path, bytes: report.bytes, tookMs: report.tookMs }, 'A backup was made')
    return 0
  }
  return looping((signal) =>
    turn(signal).catch((error: unknown) => {
      log.error({ err: error }, 'No backup was made')
      return AGAIN_MS
    }),
  )
}
