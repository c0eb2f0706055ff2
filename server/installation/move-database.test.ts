// Gate: whole databases are moved.
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { loadAuditKey, openAuditLog, recordAct } from '#server/features/audit/index.ts'
import { openFileStorage } from '#server/features/files/index.ts'
import { verifyLedger } from '#server/features/wallet/index.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { type EmbeddedDatabase, openEmbedded } from '#server/platform/database/embedded.ts'
import { readInstallationId } from '#server/platform/process/installation.ts'
import { openNative } from '#server/platform/database/native.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { startProgram } from '#testing/machines/process.ts'
import { databaseUrl } from '#testing/database/url.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { moveDatabase } from './move-database.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const PLAYERS = 40
/** Further transfers of each player: with fewer, no table would be copied in several parts. */
const EACH = inject('isFull') ? 250 : 80

describe.runIf(testEngines.includes('native'))('moving (PostgreSQL only)', () => {
  let dataDir: string
  let url: string
  let server: Database
  let name: string
  const running: ChildProcess[] = []

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'move-'))
    const db = await openEmbedded({ dataDir, durable: false, loadDump: await openAsBlob(inject('embeddedDumpPath')) })
    // The dump's own schema for tests is no part of an installation.
    await db.query('drop schema test_seed cascade')
    await readInstallationId(db)
    await openAuditLog(db, loadAuditKey(null, dataDir, true))
    const players = await createPlayers(db, PLAYERS)
    await createPlayers(db, 2, { role: 'admin' })
    await db.tx(async (tx) => {
      for (const value of [null, { note: 'a\\b "c" {d} ünï', at: null }])
        await recordAct(tx, 'system', 'user.update', `user:${players[0]?.id}`, {
          before: value,
          after: ['{', ',', '\n'],
          reason: 'Lý do, "có" dấu \\',
        })
    })
    await addTransfers(db, EACH)
    // Two of a kind and one that is longer than a page of the database.
    await db.query(
      `insert into book_entries (generation, first_index, count, entries, leaf_hashes)
       select 7, n * 256, 1, decode(repeat(md5(n::text), 2000), 'hex'), sha256(n::text::bytea) from generate_series(0, 20) n`,
    )
    // Of months that the target makes for them alone.
    await db.query(`select make_month('ticks', (now() + n * interval '1 year')::date) from generate_series(2, 3) n`)
    await db.query(
      `insert into ticks (source, second)
       select 'x', floor(extract(epoch from date_trunc('month', now()) + n * interval '1 year'))::bigint from generate_series(0, 3) n where n <> 1`,
    )
    await db.close()
    server = openNative({ url: inject('nativeTemplate')?.serverUrl ?? '', max: 1 })
  })
  beforeEach(async () => {
    name = `move_${randomBytes(6).toString('hex')}`
    await server.query(`create database ${name}`)
    url = databaseUrl(inject('nativeTemplate')?.serverUrl ?? '', name)
  })
  afterEach(async () => {
    for (const child of running.splice(0)) child.kill('SIGKILL')
    await server.query(`drop database if exists ${name} with (force)`)
    // One source for all of the moves.
    rmSync(movedTo(), { force: true })
  })
  afterAll(async () => {
    await server.close()
    rmSync(dataDir, { recursive: true })
  })

  const movedTo = () => join(dataDir, 'moved-to')
  /** The target as messages and marks show it. */
  const shownUrl = () => url.replace(/\/\/([^:@/]*):[^@/]*@/, '//$1@')
  /** The target as an operator names it: a server that asks for no password takes any. */
  const withPassword = () => (shownUrl() === url ? url.replace(/\/\/([^@/]*)@/, '//$1:bi%2Fmat@') : url)
  const openSource = () => openEmbedded({ dataDir, durable: false })
  const openTarget = () => openNative({ url, max: 1, statementTimeoutMs: 60_000, idleInTxTimeoutMs: 60_000 })
  async function withBoth<T>(work: (source: EmbeddedDatabase, target: Database) => Promise<T>): Promise<T> {
    const [source, target] = [await openSource(), openTarget()]
    try {
      return await work(source, target)
    } finally {
      await target.close()
      await source.close()
    }
  }
  const move = (onStep: (step: string) => void = () => {}) =>
    withBoth((source, target) =>
      moveDatabase({
        ...{ source, target, auditKey: loadAuditKey(null, dataDir, true), dataDir, targetUrl: withPassword() },
        ...{ uploads: null, onStep },
      }),
    )
  /** `npm run move`; killed as soon as it has said this many lines. */
  async function run(killAt: number = Number.POSITIVE_INFINITY, env: Record<string, string> = {}) {
    const { child, out, err, ended } = startProgram('server/commands/move.ts', {
      args: ['--to', withPassword()],
      env: { DATA_DIR: dataDir, ...env },
    })
    running.push(child)
    child.stdout?.on('data', () => {
      if (out().split('\n').length > killAt) child.kill('SIGKILL')
    })
    return {
      code: await ended,
      err: err(),
      lines: out()
        .split('\n')
        .filter((line) => line !== ''),
    }
  }

  /** The contents of every table, and the next number of every identity column. */
  async function contents(db: Database): Promise<string[]> {
    await db.query(`set datestyle = 'ISO, MDY'`)
    const { rows: tables } = await db.query<{ name: string; columns: string }>(
      `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
          and a.atttypid <> 'xid8'::regtype
          and c.relname not in ('move_mark', 'schema_migration', 'ledger_checkpoint', 'ledger_checkpoint_balances')
        group by 1 order by 1`,
    )
    const found: string[] = []
    for (const table of tables) {
      const { rows } = await db.query<{ n: bigint; of: string | null }>(
        `select count(*) as n, md5(string_agg(t, ',' order by t collate "C")) as of
           from (select row(${table.columns})::text as t from "${table.name}") rows`,
      )
      found.push(`${table.name} ${rows[0]?.n} ${rows[0]?.of}`)
    }
    const { rows: sequences } = await db.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`,
    )
    for (const sequence of sequences) {
      const { rows } = await db.query<{ last: bigint; called: boolean }>(
        `select last_value as last, is_called as called from "${sequence.name}"`,
      )
      found.push(`${sequence.name} ${rows[0]?.last} ${rows[0]?.called}`)
    }
    return found
  }

  test('copies every row and number, proves it, and the books go on there', async () => {
    const before = await withBoth((source) => contents(source))
    expect(before.length).toBeGreaterThan(60)
    const report = await move()
    expect(report).toMatchObject({ auditRows: 2n, transfers: (PLAYERS + 2) * (1 + EACH) })
    rmSync(movedTo())
    await withBoth(async (source, target) => {
      expect(await contents(source)).toEqual(before)
      expect(await contents(target)).toEqual(before)
      // Transactions are numbered anew: only new transfers are counted from here on, once no transaction of another
      // database's test is older than the copy.
      await expect
        .poll(() => verifyLedger(target, false), { timeout: 60_000, interval: 1_000 })
        .toMatchObject({ findings: [], transfers: 0 })
      await createPlayers(target, 3)
      const later = await verifyLedger(target, true)
      expect(later).toMatchObject({ findings: [], transfers: report.transfers + 3 })
      // Nothing that keeps rows as they are was left off.
      await expect(target.query('delete from ledger_transfers')).rejects.toThrow('append-only')
    })
    await expect(move()).rejects.toThrow('moved here already')
    // An interrupted move may have finished the target alone.
    expect(readFileSync(movedTo(), 'utf8')).toBe(`${shownUrl()}\n`)
  })

  test('leaves a mark without the password in the old folder: no server, command or doctor opens it any more', async () => {
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(movedTo(), 'utf8')).toBe(`${shownUrl()}\n`)
    const start = async (program: string, env: Record<string, string> = {}) => {
      const { child, out, err, ended } = startProgram(program, { env: { DATA_DIR: dataDir, ...env } })
      running.push(child)
      return { code: await ended, said: err() + out() }
    }
    const why = `DATABASE_URL is not set, and the database of ${dataDir} was moved to ${shownUrl()}: set DATABASE_URL`
    for (const program of ['server/main.ts', 'server/commands/audit-ledger.ts', 'server/commands/backup.ts'])
      expect(await start(program)).toMatchObject({ code: 1, said: expect.stringContaining(why) as string })
    const doctor = await start('server/commands/doctor.ts')
    expect(doctor).toMatchObject({ code: 1, said: expect.stringContaining(`!! Database: ${why}`) as string })
    expect(doctor.said).not.toContain('log:restart')
    // Without pg as well: no new world begins there.
    renameSync(join(dataDir, 'pg'), join(dataDir, 'pg.away'))
    try {
      expect(await start('server/main.ts')).toMatchObject({ code: 1, said: expect.stringContaining(why) as string })
      expect((await start('server/commands/doctor.ts')).said).toContain(`!! Database: ${why}`)
    } finally {
      renameSync(join(dataDir, 'pg.away'), join(dataDir, 'pg'))
    }
    // With the rows that this file has written, which nothing caused.
    expect((await start('server/commands/audit-ledger.ts', { DATABASE_URL: withPassword() })).said).toContain(
      'The books add up',
    )
  }, 240_000)

  test('killed at any step and begun again, ends right; until then no server starts there', async () => {
    const before = await withBoth((source) => contents(source))
    const whole = before.join('\n')
    // A line for each table that has rows, after "claimed" and "migrated"; sequences are no tables.
    const copied = before.filter((line) => / [1-9]\d* [0-9a-f]{32}$/.test(line)).length
    expect(copied).toBeGreaterThan(8)
    // Before the first table, among the tables, after the last one but one.
    const somewhere = () => 3 + Math.floor(Math.random() * (copied - 1))
    const places = inject('isFull') ? [1, 2, 3, 12, somewhere(), somewhere()] : [1, 3, somewhere()]
    for (const place of places) {
      const { code, lines } = await run(place)
      expect(code, `killed at line ${place}`).toBeNull()
      expect(lines.length).toBeGreaterThanOrEqual(place)
    }
    const started = startProgram('server/main.ts', { env: { DATA_DIR: dataDir, DATABASE_URL: url } })
    running.push(started.child)
    expect(await started.ended).toBe(1)
    expect(started.err()).toBe(
      'DATABASE_URL: a move to this database is not finished; run npm run move again, or drop it\n',
    )

    const last = await run()
    expect([last.code, last.err]).toEqual([0, ''])
    expect(last.lines).toContain(
      `Images of chat stay in ${join(dataDir, 'uploads')}: without S3_BUCKET nothing of them was copied.`,
    )
    rmSync(movedTo())
    await withBoth(async (source, target) => {
      expect((await contents(source)).join('\n')).toBe(whole)
      expect((await contents(target)).join('\n')).toBe(whole)
    })
  }, 240_000)

  test('copies the images of chat into the bucket, and goes on with them after a kill', async () => {
    const bucketDir = mkdtempSync(join(tmpdir(), 'move-bucket-'))
    const s3 = new S3rver({
      ...{
        address: '127.0.0.1',
        port: 0,
        directory: bucketDir,
        silent: true,
        vhostBuckets: false,
        allowMismatchedSignatures: false,
      },
      configureBuckets: [{ name: 'pictures' }],
    })
    const { port } = await s3.run()
    const env = {
      ...{ S3_BUCKET: 'pictures', S3_ENDPOINT: `http://127.0.0.1:${port}` },
      ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    }
    const uploads = join(dataDir, 'uploads')
    const images = new Map(
      Array.from({ length: 450 }, (_, n) => [`${String(n).padStart(32, 'k')}.png`, randomBytes(1_000 + n)] as const),
    )
    mkdirSync(uploads)
    for (const [key, bytes] of images) writeFileSync(join(uploads, key), bytes)
    // A message names it, and its file is gone; a file that no row names is nobody's.
    const lost = `${'l'.repeat(32)}.png`
    writeFileSync(join(uploads, 'nobody.png'), 'x')
    const source = await openSource()
    await source.query(
      `insert into uploads (id, owner_id, storage_key, mime, width, height, bytes, thumbhash)
       select gen_random_uuid(), (select id from users order by id limit 1), key, 'image/png', 1, 1, 1, 'x' from unnest($1::text[]) key`,
      [[...images.keys(), lost]],
    )
    await source.close()
    const storage = await openFileStorage({
      ...{ dataDir, s3Bucket: 'pictures', s3Region: 'us-east-1', s3Endpoint: env.S3_ENDPOINT },
      ...{ s3AccessKeyId: 'S3RVER', s3SecretAccessKey: 'S3RVER' },
    })
    const inBucket = async () => {
      const found = new Map<string, Buffer>()
      for (const key of [...images.keys(), lost, 'nobody.png']) {
        const stream = await storage.open(key)
        if (stream !== null) found.set(key, await buffer(stream))
      }
      return found
    }
    try {
      // The target is claimed, and the first page of images is copied.
      const killed = await run(2, env)
      expect([killed.code, killed.lines[1]]).toEqual([null, 'copied images 200'])
      const part = await inBucket()
      expect(part.size).toBeGreaterThanOrEqual(200)
      expect(part.size).toBeLessThan(450)
      // One that somebody has cut is no copy.
      await storage.put([...images.keys()][0] ?? '', Buffer.from('cut'))
      const { code, err, lines } = await run(undefined, env)
      expect([code, err]).toEqual([0, ''])
      expect(await inBucket()).toEqual(images)
      const bytes = [...images.values()].reduce((sum, one) => sum + one.length, 0)
      expect(lines).toContainEqual(
        expect.stringMatching(
          new RegExp(`^Images of chat: 450 files, ${bytes} bytes, each the same in the bucket pictures; \\d+ were`),
        ),
      )
      expect(Number(/; (\d+) were there already/.exec(lines.join('\n'))?.[1])).toBeGreaterThanOrEqual(199)
      expect(lines).toContainEqual(expect.stringMatching(/^!! 1 images have no file/))
      for (const [key, own] of images) expect(readFileSync(join(uploads, key))).toEqual(own)
      // A bucket that is not there refuses the move before a row is copied.
      rmSync(movedTo())
      await server.query(`drop database ${name} with (force)`)
      await server.query(`create database ${name}`)
      expect(await run(undefined, { ...env, S3_BUCKET: 'absent' })).toMatchObject({ code: 1, lines: ['claimed'] })
    } finally {
      await s3.close()
      rmSync(bucketDir, { recursive: true })
      rmSync(uploads, { recursive: true })
    }
  })

  test('refuses a target with anything in it, and leaves that as it was', async () => {
    const target = openTarget()
    await target.query('create table mine (id integer); insert into mine values (1)')
    await expect(move()).rejects.toThrow('The target is not empty: it has public.mine.')
    expect((await target.query('select id from mine')).rows).toEqual([{ id: 1 }])
    await target.query('create schema other; alter table mine set schema other')
    await expect(move()).rejects.toThrow('The target is not empty: it has other.mine.')
    await target.close()
  })

  test('refuses the target of another installation, also of an unfinished move', async () => {
    const target = openTarget()
    await expect(
      move((step) => {
        if (step === 'claimed') throw new Error('killed here')
      }),
    ).rejects.toThrow('killed here')
    await target.query('update move_mark set installation_id = gen_random_uuid()')
    await expect(move()).rejects.toThrow('Another installation')
    await target.close()
  })

  test('refuses a target whose tables were changed meanwhile', async () => {
    await expect(
      move((step) => {
        if (step === 'migrated') throw new Error('killed here')
      }),
    ).rejects.toThrow('killed here')
    const target = openTarget()
    await target.query('alter table banks add column extra text')
    await expect(move()).rejects.toThrow('The tables of the two databases differ')
    await target.close()
  })

  test('refuses a target that did not take what was sent', async () => {
    const changing = (target: Database): Database => ({
      ...target,
      tx: (work, options) =>
        target.tx((tx) => {
          const query: Tx['query'] = (text, params, given) =>
            tx.query(text.startsWith('insert into "book_entries"') ? `${text} limit 1` : text, params, given)
          return work({ ...tx, query })
        }, options),
    })
    const asked = withBoth((source, target) =>
      moveDatabase({
        source,
        target: changing(target),
        auditKey: loadAuditKey(null, dataDir, true),
        dataDir,
        targetUrl: url,
        uploads: null,
        onStep: () => {},
      }),
    )
    await expect(asked).rejects.toThrow('book_entries: 21 rows were sent, and the target has others.')
  })

  test.each([
    [
      'The books do not add up',
      `update ledger_accounts set balance = balance + 1 where kind = 'grants'`,
      `update ledger_accounts set balance = balance - 1 where kind = 'grants'`,
    ],
    [
      'The audit log is broken: row 1 (changed)',
      `update audit_log set act = 'user.view' where seq = 1`,
      `update audit_log set act = 'user.update' where seq = 1`,
    ],
  ])('finds %s', async (found, statement, back) => {
    const change = async (text: string) => {
      const source = await openSource()
      await tamperWith(source, text)
      await source.close()
    }
    await change(statement)
    await expect(move()).rejects.toThrow(found)
    await change(back)
  })

  test('killed after the rows were committed, it is not finished and begins again', async () => {
    await expect(
      move((step) => {
        if (step === 'committed') throw new Error('killed here')
      }),
    ).rejects.toThrow('killed here')
    expect(await move()).toMatchObject({ auditRows: 2n })
  })

  test('refuses while the server runs, without an embedded database, and with DATABASE_URL', async () => {
    const source = await openSource()
    expect(await run()).toMatchObject({
      code: 1,
      err: expect.stringContaining('is in use: stop the server first') as string,
    })
    await source.close()
    expect(await run(undefined, { DATABASE_URL: url })).toMatchObject({ code: 1, lines: [] })
    const empty = join(dataDir, 'empty')
    expect(await run(undefined, { DATA_DIR: empty })).toMatchObject({ code: 1, lines: [] })
    expect(existsSync(empty)).toBe(false)
  })
})

/** Gives every player this many points, one by one, as the ledger would have booked them. */
async function addTransfers(db: Database, each: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(
      `insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, note, created_at,
           wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
       select 'more:' || a.id || ':' || n, 9000000000000000003, a.id, 100, 'ADJUSTMENT', 'system', 'more', 'Điều chỉnh, "x"',
              clock_timestamp(), a.id, a.transfer_count + n, 100, a.balance + 100 * n
         from ledger_accounts a cross join generate_series(1, $1::int) n where a.kind = 'wallet' order by a.id, n`,
      [each],
    )
    await tx.query(
      `update ledger_accounts set balance = balance + 100 * $1::int, transfer_count = transfer_count + $1::int where kind = 'wallet'`,
      [each],
    )
    await tx.query(
      `update ledger_accounts set transfer_count = transfer_count + n, balance = balance - 100 * n
         from (select count(*) * $1::int as n from ledger_accounts where kind = 'wallet') w where kind = 'grants'`,
      [each],
    )
  })
}
