import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type RunningServer, SHORT_LIVED, withServer } from '#testing/machines/process.ts'

/** Makes the database of an installation whose first start made its tables, and did nothing else. */
export function layDatabase(dataDir: string): void {
  const clusterDir = join(dataDir, 'pg')
  mkdirSync(clusterDir, { mode: 0o700 })
  execFileSync('tar', ['-x', '--no-same-owner', '-C', clusterDir, '-f', inject('embeddedDumpPath')], { stdio: 'pipe' })
}

/**
 * A server as a process until `work` is done. Unless it is on another database, its tables are made already, which takes half of
 * a first start.
 */
export const withLaidServer = <T>(
  env: Readonly<Record<string, string>>,
  work: (server: RunningServer) => Promise<T>,
  nodeArgs: readonly string[] = [],
): Promise<T> =>
  withServer({ LOG_LEVEL: 'info', ...env }, work, {
    nodeArgs: [SHORT_LIVED, ...nodeArgs],
    isShown: false,
    ...(env['DATABASE_URL'] === undefined && { prepare: layDatabase }),
  })
