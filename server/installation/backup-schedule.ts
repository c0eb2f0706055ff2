import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#server/platform/log.ts'
import { readNowMs } from '#server/platform/now.ts'
import { keepNewestBackups, listBackups } from './backup-file.ts'
import { type BackupDeps, makeBackup } from './make-backup.ts'

const KEPT = 14
/** After a backup that failed. */
const AGAIN_MS = 60_000

/**
 * Makes a backup whenever the newest one is about to be as old as asked for, and keeps the 14 newest. It begins earlier
 * by twice the time that the last one took: the new one is whole before the old one is too old. Returns the function
 * that stops it, also a running backup.
 * @param everyMs how old the newest backup may get
 */
export function startBackups(
  deps: BackupDeps,
  { folder, everyMs, log }: { readonly folder: string; readonly everyMs: number; readonly log: Logger },
): () => Promise<void> {
  const stopping = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
  let tookMs = 0

  const nextInMs = async (): Promise<number> => {
    const [newest] = await listBackups(folder)
    if (newest === undefined) return 0
    const ageMs = (await readNowMs(deps.db)) - newest.takenAtMs
    // A name from the future is that of a clock that was wrong.
    return ageMs < 0 ? 0 : Math.max(everyMs - Math.min(2 * tookMs, everyMs / 2) - ageMs, 0)
  }
  const turn = async (): Promise<number> => {
    const waitMs = await nextInMs()
    if (waitMs > 0) return waitMs
    const report = await makeBackup({ ...deps, signal: stopping.signal }, folder)
    if (stopping.signal.aborted) return 0
    if (report.is === 'refused') {
      log.error({ why: report.why, reason: report.reason }, 'No backup was made')
      return AGAIN_MS
    }
    tookMs = report.tookMs
    await keepNewestBackups(folder, KEPT)
    log.info({ path: report.path, bytes: report.bytes, tookMs }, 'A backup was made')
    return 0
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      await wait(
        await turn().catch((error: unknown) => {
          log.error({ err: error }, 'No backup was made')
          return AGAIN_MS
        }),
      )
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
