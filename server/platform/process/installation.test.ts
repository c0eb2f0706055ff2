import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/database/db.ts'
import { openTestDatabase, resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { readInstallationId } from './installation.ts'

describe.each(testEngines)('%s', (engine) => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(engine)
  })
  afterAll(() => db.close())
  beforeEach(() => resetDatabase(db))

  test('the id is made once, also by processes that start together', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => readInstallationId(db)))
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/)
    expect(new Set(ids).size).toBe(1)
    expect(await readInstallationId(db)).toBe(ids[0])
  })

  test('another database has another', async () => {
    const other = await openTestDatabase(engine)
    try {
      expect(await readInstallationId(other)).not.toBe(await readInstallationId(db))
    } finally {
      await other.close()
    }
  })
})
