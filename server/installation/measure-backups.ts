import type { Metrics } from '#server/platform/process/metrics.ts'
import { monotonicMs } from '#server/platform/process/clock.ts'
import { backupIsOldAfterMs, listBackups } from './backup-file.ts'

/**
 * Measures the age of the newest backup. Without a backup, or if the folder cannot be read, measures the age of this
 * process instead, so that there is time for a first backup.
 * @param everyMs BACKUP_EVERY in ms; null when it is off
 * @param now the database's time, Unix ms
 */
export function measureBackups(
  metrics: Metrics,
  { folder, everyMs, now }: { readonly folder: string; readonly everyMs: number | null; readonly now: () => number },
): void {
  const startedAtMs = monotonicMs()
  metrics.gauge('backup_age_seconds', 'Of the newest backup, or of this process where there is none', async () => {
    const [newest] = await listBackups(folder).catch(() => [])
    return (newest === undefined ? monotonicMs() - startedAtMs : Math.max(0, now() - newest.takenAtMs)) / 1000
  })
  metrics.gauge(
    'backup_age_limit_seconds',
    'The age above which the newest backup is too old',
    () => backupIsOldAfterMs(everyMs) / 1000,
  )
}
