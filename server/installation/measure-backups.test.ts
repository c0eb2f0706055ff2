import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerMetrics } from '#server/platform/process/metrics.ts'
import { backupName } from './backup-file.ts'
import { measureBackups } from './measure-backups.ts'

const NOW_MS = Date.UTC(2026, 10, 23, 12)
const MINUTE_MS = 60_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'measured-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What `/metrics` shows of the folder: age and limit in seconds. */
function measure(everyMs: number | null) {
  const metrics = registerMetrics(Fastify(), { metricsToken: null, isDevelopment: true })
  measureBackups(metrics, { folder, everyMs, now: () => NOW_MS })
  return async () => {
    const text = await metrics.registry.metrics()
    return ['backup_age_seconds', 'backup_age_limit_seconds'].map((name) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN),
    )
  }
}

const put = (agoMs: number, ending = '') => writeFileSync(join(folder, backupName(NOW_MS - agoMs) + ending), '')

test('the newest whole backup counts', async () => {
  const read = measure(15 * MINUTE_MS)
  put(90 * MINUTE_MS)
  put(20 * MINUTE_MS)
  // One that is being made, or was interrupted, is none.
  put(MINUTE_MS, '.part')
  expect(await read()).toEqual([1_200, 1_800])
  put(2 * MINUTE_MS)
  expect(await read()).toEqual([120, 1_800])
})

test('one from the future, by a clock that was wrong, is new; without BACKUP_EVERY a day is the limit', async () => {
  put(-MINUTE_MS)
  expect(await measure(null)()).toEqual([0, 86_400])
})

test.each(['an empty folder', 'no folder', 'a file in its place'])(
  '%s: the age is that of the process',
  async (what) => {
    if (what !== 'an empty folder') rmSync(folder, { recursive: true })
    if (what === 'a file in its place') writeFileSync(folder, '')
    const read = measure(MINUTE_MS)
    const [first = Number.NaN, limit] = await read()
    expect(first).toBeGreaterThanOrEqual(0)
    expect(first).toBeLessThan(10)
    expect(limit).toBe(120)
    const [second = Number.NaN] = await read()
    expect(second).toBeGreaterThan(first)
  },
)
