import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM_PAGES } from '#contract/system.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/process/log.ts'
import { readMigrations } from '#server/platform/database/migrate.ts'
import { buildTestApp, type TestApp, type WireData } from '#testing/app/app.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { useApp } from '#testing/app/use-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'system-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Part = { readonly part: string; readonly state: string; readonly why: string | null; readonly facts: WireData }

async function ask(app: Pick<TestApp, 'call'>, token: string) {
  const { status, body } = await app.call('GET', '/api/v1/system', { token: token.slice('Bearer '.length) })
  const { parts = [], ...others } = (body.data ?? {}) as { parts?: readonly Part[]; failures?: readonly WireData[] }
  return { status, code: body.code, ...others, parts, of: (name: string) => parts.find(({ part }) => part === name) }
}

describe.each(testEngines)('the page of owners on %s', (engine) => {
  const { db, app } = useApp(engine, { dataDir: folder })
  let owner: string
  beforeEach(async () => {
    const [first] = await createPlayers(db, 1, { role: 'admin' })
    owner = first.bearer
  })

  test('answers owners alone, with every part that this installation has', async () => {
    const [other] = await createPlayers(db, 1, { role: 'admin', capabilities: ['money', 'care', 'rounds', 'users'] })
    expect(await ask(app, other.bearer)).toMatchObject({ status: 403, code: 'CAPABILITY_MISSING', parts: [] })
    const { parts, of } = await ask(app, owner)
    const everywhere = ['database', 'migrations', 'partitions', 'feed', 'book', 'ledger', 'backup', 'rehearsal']
    expect(parts.map(({ part }) => part).toSorted()).toEqual(
      [
        ...everywhere,
        ...['disk', 'proxy', 'use', 'version'],
        ...(engine === 'native' ? ['clock', 'archive'] : []),
      ].toSorted(),
    )
    expect(of('database')).toMatchObject({ state: 'ok', facts: { size: expect.any(Number) as number } })
    expect(of('migrations')).toMatchObject({ state: 'ok', facts: { entries: readMigrations().length } })
    expect(of('use')).toMatchObject({ state: 'ok', facts: { sessions: 2, sockets: 0 } })
    // The market of this test does not run, and a disk that was never noted has no known growth.
    expect(of('feed')).toMatchObject({ state: 'wrong', why: 'SILENT' })
    expect(of('disk')?.facts).not.toHaveProperty('growth')
    expect(JSON.stringify(parts)).not.toContain(folder)
  })

  test('a part that breaks says so, and the others go on', async () => {
    await db.query('alter table book_queue rename to away')
    const broken = await ask(app, owner)
    await db.query('alter table away rename to book_queue')
    expect(broken.of('book')).toEqual({ part: 'book', state: 'wrong', why: 'BROKEN', facts: {} })
    expect(broken.of('ledger')?.state).toBe('ok')
    await db.query(`update ledger_checkpoint set failed_at = clock_timestamp()`)
    const closed = await ask(app, owner)
    await db.query(
      `update ledger_checkpoint set failed_at = null, checked_at = clock_timestamp() - interval '6 minutes'`,
    )
    expect(closed.of('ledger')).toMatchObject({ state: 'wrong', why: 'CLOSED' })
    expect((await ask(app, owner)).of('ledger')).toMatchObject({ state: 'wrong', why: 'UNCHECKED' })
  })

  test('backups and rehearsals are what their jobs have left', async () => {
    expect((await ask(app, owner)).of('rehearsal')).toMatchObject({ state: 'skipped', why: 'NONE' })
    const longAgo = new Date(Date.now() - 41 * 86_400_000)
    if (engine === 'native') {
      await db.query(`insert into installation (id) values (gen_random_uuid()) on conflict do nothing`)
      expect((await ask(app, owner)).of('backup')).toMatchObject({ state: 'skipped', why: 'NONE' })
      await db.query(`update installation set backed_up_at = clock_timestamp(), rehearsed_at = $1`, [longAgo])
    } else {
      const made = new Date().toISOString().replaceAll(/[-:.]/g, '')
      writeFileSync(join(folder, 'restore-rehearsed'), '')
      utimesSync(join(folder, 'restore-rehearsed'), longAgo, longAgo)
      expect((await ask(app, owner)).of('backup')).toMatchObject({ state: 'wrong', why: 'NONE' })
      mkdirSync(join(folder, 'backups'), { recursive: true })
      writeFileSync(join(folder, 'backups', `kim-phien-${made}.backup`), '')
    }
    const later = await ask(app, owner)
    expect(later.of('backup')).toMatchObject({ state: 'ok', facts: { at: expect.any(String) as string } })
    expect(later.of('rehearsal')).toMatchObject({ state: 'wrong', why: 'OLD', facts: { at: longAgo.toISOString() } })
    if (engine !== 'native') return
    await db.query(`update installation set backed_up_at = $1, rehearsal_failed_at = clock_timestamp()`, [longAgo])
    const last = await ask(app, owner)
    expect(last.of('backup')).toMatchObject({ state: 'wrong', why: 'OLD' })
    expect(last.of('rehearsal')).toMatchObject({ state: 'wrong', why: 'FAILED' })
  })
})

describe('what is slow, and what fails', () => {
  const db = useDatabase('embedded')

  /** A database that answers nothing about the ledger from when it is told to. */
  const hangingDatabase = () => {
    const state = { isHanging: true, asked: 0 }
    const hanging: Database = {
      ...db,
      query: (text, ...rest) => {
        if (!text.includes('from ledger_checkpoint')) return db.query(text, ...rest)
        state.asked++
        return state.isHanging ? new Promise(() => {}) : db.query(text, ...rest)
      },
    }
    return { hanging, state }
  }

  test('the last answer is given at once while a part is looked at again', async () => {
    const { hanging, state } = hangingDatabase()
    state.isHanging = false
    const app = await buildTestApp(hanging, { dataDir: folder, publicKeptMs: 1_500 })
    const [owner] = await createPlayers(db, 1, { role: 'admin' })
    await ask(app, owner.bearer)
    await ask(app, owner.bearer)
    expect(state.asked).toBe(1)
    state.isHanging = true
    await sleep(1_600)
    expect((await ask(app, owner.bearer)).of('ledger')).toMatchObject({ state: 'ok', why: null })
    expect(state.asked).toBe(2)
    await app.close()
  })

  test('a part that hangs is late by itself, and is asked once', async () => {
    const { hanging, state } = hangingDatabase()
    const app = await buildTestApp(hanging, { dataDir: folder })
    const [owner] = await createPlayers(db, 1, { role: 'admin' })
    const [first, second] = await Promise.all([ask(app, owner.bearer), ask(app, owner.bearer)])
    expect([first, second].map(({ of }) => of('ledger'))).toEqual(
      [1, 2].map(() => ({ part: 'ledger', state: 'skipped', why: 'LATE', facts: {} })),
    )
    expect([first.of('database')?.state, state.asked]).toEqual(['ok', 1])
    await app.close()
  })

  test('kinds of errors: counted by their fixed words, without the error’s own', async () => {
    const log = createLog('warn', { write: () => {} })
    const app = await buildTestApp(db, { dataDir: folder })
    const [owner] = await createPlayers(db, 1, { role: 'admin' })
    const error = Object.assign(new TypeError('of nguoichoi01, at 203.0.113.9'), { code: 'ECONNRESET' })
    log.info({ err: error }, 'No failure')
    for (let turn = 0; turn < 3; turn++) log.child({}).warn({ err: error }, 'A thing failed')
    log.error(new TypeError('of nguoichoi01'))
    const { failures = [] } = await ask(app, owner.bearer)
    expect(failures.slice(0, 2)).toEqual([
      { text: '', code: 'TypeError', count: 1, lastAt: expect.any(String) as string },
      { text: 'A thing failed', code: 'ECONNRESET', count: 3, lastAt: expect.any(String) as string },
    ])
    expect(Math.abs(Date.now() - Date.parse(String(failures[0]?.['lastAt'])))).toBeLessThan(10_000)
    expect(JSON.stringify(failures)).not.toMatch(/nguoichoi|203\.0|No failure/)
    for (let kind = 0; kind < 30; kind++) log.warn(`Kind ${kind}`)
    expect((await ask(app, owner.bearer)).failures).toMatchObject({ length: 20, 0: { text: 'Kind 29' } })
    await app.close()
  })
})

test('every page for operators that is named has that section', () => {
  const sections = Object.values(SYSTEM_PAGES).map((page) => page.split('#'))
  const headings = (path = '') =>
    [...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(/^##+ (.+)$/gm)].map(
      ([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
    )
  expect(sections.filter(([path, section = '']) => !headings(path).includes(section))).toEqual([])
})
