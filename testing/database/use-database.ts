import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Engine, openTestDatabase, resetDatabase } from './test-database.ts'

export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

/** The object that `valueOf` returns at each use, so that a describe block can name it before it exists. */
export function later<T extends object>(valueOf: () => T | undefined): T {
  const made = (): T => {
    const value = valueOf()
    if (value === undefined) throw new Error("It is used before the block's beforeAll")
    return value
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(made(), key) as unknown,
    ownKeys: () => Reflect.ownKeys(made()),
    // A property that the proxy's own object lacks has to be called configurable.
    getOwnPropertyDescriptor: (_, key) => ({ ...Reflect.getOwnPropertyDescriptor(made(), key), configurable: true }),
  })
}

/** When each test of a block finds the rows that the migrations left, or those of the test before it. */
export interface Rows {
  readonly areReset?: boolean
}

/** A database for the tests of a describe block, opened before the block's own hooks, and closed after it. */
export function useDatabase(engine: Engine, { areReset = true }: Rows = {}): TestDatabase {
  let db: TestDatabase | undefined
  beforeAll(async () => {
    db = await openTestDatabase(engine)
  })
  if (areReset)
    beforeEach(async () => {
      if (db !== undefined) await resetDatabase(db)
    })
  afterAll(() => db?.close())
  return later(() => db)
}
