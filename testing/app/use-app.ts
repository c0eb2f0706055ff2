import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '#testing/database/test-database.ts'
import { later, type Rows, type TestDatabase, useDatabase } from '#testing/database/use-database.ts'
import { buildTestApp, type TestApp } from './app.ts'

/**
 * A database, and an app on it, for the tests of a describe block.
 * @param options of `buildTestApp`
 */
export function useApp(
  engine: Engine,
  options?: Parameters<typeof buildTestApp>[1],
  rows?: Rows,
): { readonly db: TestDatabase; readonly app: TestApp } {
  const db = useDatabase(engine, rows)
  let app: TestApp | undefined
  beforeAll(async () => {
    app = await buildTestApp(db, options)
  })
  afterAll(() => app?.close())
  return { db, app: later(() => app) }
}
