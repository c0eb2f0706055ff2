// Gate: months of partitions are filled.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { createLog } from '#server/platform/process/log.ts'
import { registerMetrics } from '#server/platform/process/metrics.ts'
import { openNative } from '#server/platform/database/native.ts'
import { noOwnPostgres, withOwnPostgres } from '#testing/machines/postgres.ts'
import { judgeArchive } from './doctor.ts'
import { measureArchive } from './measure-archive.ts'

const WITHIN = { timeout: 20_000, interval: 100 }

/** Metrics of a server of its own with these settings, by their names. */
async function withArchive(
  settings: readonly string[],
  work: (read: () => Promise<Record<string, number>>, makePiece: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await withOwnPostgres({ settings }, async (url) => {
    const db = openNative({ url, max: 1 })
    const metrics = registerMetrics(Fastify(), { metricsToken: null, isDevelopment: true })
    const stop = await measureArchive(metrics, { db, log: createLog('silent'), everyMs: 50 })
    const read = async () => {
      const text = await metrics.registry.metrics()
      return Object.fromEntries(
        [...text.matchAll(/^(archive_\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
      )
    }
    const makePiece = async () => {
      await db.query(`select pg_logical_emit_message(true, 'test', 'x')`)
      await db.query('select pg_switch_wal()')
    }
    try {
      await work(read, makePiece)
    } finally {
      await stop()
      await db.close()
    }
  })
}

describe.skipIf(noOwnPostgres !== null)('the archived log (needs PostgreSQL’s programs)', () => {
  test('has an age, which begins anew with each piece, and a failure until one succeeds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'archive-'))
    chmodSync(folder, 0o755)
    const broken = join(folder, 'broken')
    const command = join(folder, 'archive.sh')
    writeFileSync(command, `#!/bin/sh\ntest ! -e ${broken}\n`, { mode: 0o755 })
    try {
      await withArchive(
        ['archive_mode=on', `archive_command=${command}`, 'archive_timeout=60'],
        async (read, makePiece) => {
          await makePiece()
          await vi.waitFor(async () => expect((await read())['archive_failed']).toBe(0), WITHIN)
          await vi.waitFor(async () => expect((await read())['archive_age_seconds']).toBeGreaterThan(1), WITHIN)
          expect(await read()).toMatchObject({ archive_failed: 0, archive_age_limit_seconds: 360 })
          await makePiece()
          await vi.waitFor(async () => expect((await read())['archive_age_seconds']).toBeLessThan(1), WITHIN)

          writeFileSync(broken, '')
          await makePiece()
          await vi.waitFor(async () => expect((await read())['archive_failed']).toBe(1), WITHIN)
          const failing = (await read())['archive_age_seconds'] ?? 0
          await vi.waitFor(
            async () => expect((await read())['archive_age_seconds']).toBeGreaterThan(failing + 0.5),
            WITHIN,
          )
          rmSync(broken)
          // PostgreSQL gives a piece three attempts and then waits for a minute; a new piece wakes it.
          await makePiece()
          await vi.waitFor(async () => expect((await read())['archive_failed']).toBe(0), WITHIN)
          expect((await read())['archive_age_seconds']).toBeLessThan(2)
        },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('whose newest piece is too old is judged to be wrong', async () => {
    const settings = ['archive_mode=on', 'archive_command=true', 'archive_timeout=60']
    await withOwnPostgres({ settings }, async (url) => {
      const before = openNative({ url, max: 1 })
      // In place of PostgreSQL's statistics, whose times cannot be set.
      await before.query('alter role root set search_path = public, pg_catalog')
      const newest = `pg_walfile_name(pg_current_wal_lsn() - 16777216::numeric)`
      const archivedBefore = (minutes: number, segment = `'000000000000000000000000'`) =>
        before.query(
          `create or replace view public.pg_stat_archiver as
             select clock_timestamp() - interval '${minutes} minutes' as last_archived_time,
                    ${segment} as last_archived_wal, null::timestamptz as last_failed_time`,
        )
      const db = openNative({ url, max: 1 })
      try {
        await archivedBefore(5)
        expect(await judgeArchive(db)).toMatchObject({ is: 'ok', why: null })
        // While nothing is written, no segment becomes full.
        await archivedBefore(7, newest)
        expect(await judgeArchive(db)).toMatchObject({ is: 'ok' })
        // Without a timeout, the segment that is being filled may be too old, too.
        await before.query(`create view public.pg_settings as select 'archive_timeout' as name, '0' as setting`)
        await archivedBefore(61, newest)
        expect(await judgeArchive(db)).toMatchObject({ is: 'wrong', why: 'OLD' })
        await before.query(`drop view public.pg_settings`)
        await archivedBefore(7)
        expect(await judgeArchive(db)).toMatchObject({
          ...{ is: 'wrong', why: 'OLD', what: 'Archived log: the newest piece is 7 min old' },
          facts: { atMs: expect.any(Number) as number },
        })
      } finally {
        await Promise.all([before.close(), db.close()])
      }
    })
  })

  test('that is off has no metrics', async () => {
    await withArchive([], async (read) => expect(await read()).toEqual({}))
  })
})
