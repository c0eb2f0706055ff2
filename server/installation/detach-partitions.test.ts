// Gate: months of partitions are filled.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { SIMULATED } from '#domain/market/sources.ts'
import { points } from '#domain/money.ts'
import {
  acknowledgeRow,
  openAuditLog,
  readAuditTip,
  recordAct,
  startAuditTip,
  verifyAuditLog,
} from '#server/features/audit/index.ts'
import { createMarket } from '#server/features/market/index.ts'
import { auditLedger, postTransfers } from '#server/features/wallet/index.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { listPartitions, makePartitionsAhead, type PartitionedTable } from '#server/platform/database/partitions.ts'
import { recordHalf } from '#testing/play/books.ts'
import { createPlayers, createRound } from '#testing/play/rounds.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { describePartitions, detachThrough } from './detach-partitions.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const DAY_MS = 86_400_000
const LATER_DAYS = 230
const LIVE = 'pyth'

describe.each(testEngines)('detaching partitions on %s', (engine) => {
  let db: SettableDatabase
  let dataDir: string
  let now: number

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'detach-'))
  })
  afterAll(() => rmSync(dataDir, { recursive: true }))
  beforeEach(async () => {
    db = await openSettableDatabase(engine)
    await openAuditLog(db, randomBytes(32))
    now = Date.now()
  })
  afterEach(() => db.close())

  const act = (target: string, reason: string | null = null) =>
    db.tx((tx) => recordAct(tx, 'system', 'user.update', target, { reason }))
  const moveTo = async (days: number) => {
    await db.setAhead(days * DAY_MS)
    await makePartitionsAhead(db)
  }
  /** The last month of the first partition of a table. */
  const firstMonth = async (table: PartitionedTable) => {
    const [first] = await listPartitions(db, table)
    return new Date((first?.ends.getTime() ?? 0) - DAY_MS).toISOString().slice(0, 7)
  }
  const detachFirst = async (table: PartitionedTable) => detachThrough({ db, dataDir }, table, await firstMonth(table))
  /** Changes rows as somebody could who controls the database but does not have the key. */
  const tampered = async (statement: string) => {
    const undo = new Error('taken back')
    let broken: unknown
    await db
      .tx(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        for (const one of statement.split(';')) await tx.query(one)
        const inside = Object.assign(Object.create(db) as Database, {
          tx: (work: (inner: typeof tx) => Promise<unknown>) => work(tx),
        })
        broken = (await verifyAuditLog(inside)).broken
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return broken
  }

  test('the audit log is verified from where it was cut, and no other cut passes', async () => {
    for (const n of [1, 2, 3]) await act(`user:${n}`)
    const tips = mkdtempSync(join(dataDir, 'tips-'))
    const writeTip = () => startAuditTip(db, tips, createLog('silent'))()
    await writeTip()
    await moveTo(LATER_DAYS)
    for (const n of [4, 5, 6]) await act(`user:${n}`)
    expect(await detachFirst('audit_log')).toEqual({ is: 'detached', tables: ['detached.audit_log_first'] })
    // The tip that was kept is detached, and is followed all the same.
    await writeTip()
    expect(readAuditTip(tips)?.seq).toBe(6n)

    expect(await verifyAuditLog(db)).toEqual({ verified: 3n, detachedThrough: 3n, broken: [], known: [] })
    await act('user:7')
    expect(await verifyAuditLog(db)).toEqual({ verified: 4n, detachedThrough: 3n, broken: [], known: [] })
    expect((await db.query('select 1 from detached.audit_log_first')).rows.length).toBe(3)
    for (const change of ['delete from', 'truncate', `update`])
      await expect(
        db.query(`${change} detached.audit_log_first${change === 'update' ? ' set seq = 0' : ''}`),
      ).rejects.toThrow(/append-only/)

    for (const statement of [
      'delete from audit_log where seq = 4',
      'delete from audit_log where seq <= 5',
      'delete from audit_log where seq = 6',
      'delete from audit_log where seq = 7',
      'delete from audit_log',
      `update audit_log set target = 'user:x' where seq = 4`,
      'delete from audit_anchors',
      `update audit_anchors set until = until + interval '1 month'`,
      `update audit_anchors set hash = sha256(hash)`,
      // The cut is put further down, with the hash that stands there.
      `update audit_anchors set through_seq = 4, hash = (select hash from audit_log where seq = 4);delete from audit_log where seq <= 4`,
      `insert into audit_anchors select seq, hash, at, now(), sha256(hash) from audit_log where seq = 5;delete from audit_log where seq <= 5`,
      `insert into audit_log select 3, at, actor, act, target, before, after, reason, previous_hash, hash from audit_log where seq = 4`,
    ])
      expect([statement, await tampered(statement)]).toEqual([
        statement,
        expect.arrayContaining([expect.objectContaining({ problem: expect.any(String) as unknown })]),
      ])
    expect((await verifyAuditLog(db)).broken).toEqual([])

    // A second time, further on.
    await moveTo(2 * LATER_DAYS)
    await act('user:8')
    const month = (await listPartitions(db, 'audit_log')).findLast(({ ends }) => ends.getTime() < now + 240 * DAY_MS)
    expect(month).toBeDefined()
    const through = new Date((month?.ends.getTime() ?? 0) - DAY_MS).toISOString().slice(0, 7)
    const second = await detachThrough({ db, dataDir }, 'audit_log', through)
    expect(second.is).toBe('detached')
    expect(await verifyAuditLog(db)).toMatchObject({ broken: [] })
    // Months that are detached are not made again by a clock that is set back.
    await db.setAhead(0)
    expect((await makePartitionsAhead(db)).filter((name) => name.startsWith('audit_log'))).toEqual([])
  })

  test('a broken row keeps its month until it is known, and is shown also when it is detached', async () => {
    const key = randomBytes(32)
    await db.query('update audit_tip set key_mark = null')
    await openAuditLog(db, key)
    const half = async () => String(await recordHalf(db, key, 'vì \ud83d'))
    const acknowledge = (row: string) => acknowledgeRow(db, { row, why: 'phiên bản cũ', withoutProof: false })
    await act('user:1')
    const [first, second] = [await half(), await half()]
    expect(await acknowledge(first)).toMatchObject({ bySeq: '4' })
    await moveTo(LATER_DAYS)
    await act('user:5')
    expect(await detachFirst('audit_log')).toMatchObject({
      reason: expect.stringContaining('row 3 (changed)') as string,
    })
    expect(await acknowledge(second)).toMatchObject({ bySeq: '6' })
    expect(await detachFirst('audit_log')).toMatchObject({ is: 'detached' })
    // The first one's acknowledgement was detached with it, and stands in the log again.
    expect(await verifyAuditLog(db)).toMatchObject({
      ...{ verified: 3n, detachedThrough: 4n, broken: [] },
      known: [
        { seq: 2n, bySeq: 7n },
        { seq: 3n, bySeq: 6n },
      ],
    })
    const { rows } = await db.query(`select before ->> 'earlier' as earlier from audit_log where seq = 7`)
    expect(rows).toEqual([{ earlier: '4' }])
    expect(await tampered('delete from audit_log where seq = 7')).not.toEqual([])
  })

  test('an adjustment whose act is detached is counted, and one that nothing caused is still found', async () => {
    const [player] = await createPlayers(db, 1)
    const [admin] = await createPlayers(db, 1, { role: 'admin' })
    if (player === undefined || admin === undefined) throw new Error('There is nobody.')
    let balance = 1_000
    const adjust = (hasAct: boolean, note = 'Điều chỉnh') =>
      db.tx(async (tx) => {
        const at = (await tx.query<{ at: Date }>('select clock_timestamp() as at')).rows[0]?.at.getTime() ?? 0
        await postTransfers(tx, [adjustmentTransfer(newId(), player.id, points(3), admin.id, note)], at)
        if (hasAct)
          await recordAct(tx, admin.id, 'user.update', `user:${player.id}`, {
            before: { balance },
            after: { balance: (balance += 3) },
            reason: note,
          })
      })
    await adjust(true)
    await moveTo(LATER_DAYS)
    await adjust(true)
    expect(await auditLedger(db)).toMatchObject({ findings: [], uncompared: 0, detachedUntilMs: null })
    expect((await detachFirst('audit_log')).is).toBe('detached')
    expect(await auditLedger(db)).toMatchObject({ findings: [], uncompared: 1 })
    await adjust(false, 'Không ai ghi')
    const { findings, uncompared } = await auditLedger(db)
    expect([findings.length, findings[0]?.found, uncompared]).toEqual([
      1,
      expect.stringContaining('nothing caused it'),
      1,
    ])
    // Without the key nobody puts the forged one behind the cut.
    await db.query(
      `insert into audit_anchors (through_seq, hash, until, mark) values (2, '', now() + interval '9 years', sha256(''))`,
    )
    expect((await auditLedger(db)).findings.length).toBe(1)
  })

  test('the log stays where it cannot be cut', async () => {
    const refusal = async () => {
      const report = await detachFirst('audit_log')
      return report.is === 'refused' ? report.reason : 'detached'
    }
    await act('user:1')
    expect(await refusal()).toContain('90 days old')
    await moveTo(LATER_DAYS)
    expect(await refusal()).toContain('the newest act is among them')
    await act('user:2')
    // Written while the clock was set back: newer by its number, and older by its time.
    await db.setAhead(0)
    await act('user:3')
    await db.setAhead(LATER_DAYS * DAY_MS)
    await act('user:4')
    expect(await refusal()).toContain('the clock was set back at their end')
    expect(await tampered('select 1')).toEqual([])
    await tamperWith(db, `update audit_log set at = at + interval '240 days' where seq = 3`)
    expect(await refusal()).toContain('the audit log is broken: row 3 (changed)')
    expect((await db.query('select 1 from audit_anchors')).rows).toEqual([])
    for (const [table, month] of [
      ['bets', '2027-01'],
      ['ticks', '2027-13'],
      ['ticks', '2001-01'],
    ] as const)
      expect((await detachThrough({ db, dataDir }, table, month)).is).toBe('refused')
  })

  test('ticks: charts, evidence and settled rounds go on, and nothing is written behind the cut', async () => {
    const minute = Math.floor(now / 60_000) * 60 - 3_600
    // A minute that is whole, and one that lacks seconds.
    await db.query(
      `insert into ticks (source, second, price, quote_at)
       select $1, s, 4000000 + s - $2::bigint, to_timestamp(s) from generate_series($2::bigint, $2::bigint + 89) s`,
      [LIVE, minute],
    )
    await db.query(`insert into tick_evidence (source, second, evidence) values ($1, $2, 'signed')`, [LIVE, minute])
    const clock = await createClock(db)
    const market = createMarket({
      db,
      clock,
      settings: { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' },
      log: createLog('silent'),
    })
    await market.start()
    await market.stop()
    const second = Math.floor(now / 1000)
    const simulated = await market.ensureTicks(db, SIMULATED, second - 5, second - 1)
    expect(simulated.isComplete).toBe(true)

    const round = await createRound(db)
    await moveTo(LATER_DAYS)
    expect(await detachFirst('ticks')).toEqual({
      is: 'refused',
      reason: expect.stringContaining(`round ${round.id} is not settled`) as unknown,
    })
    await db.query(`update rounds set status = 'settling', settling_at = now() where id = $1`, [round.id])
    await db.query(`update rounds set status = 'ended', ended_at = now() where id = $1`, [round.id])
    expect(await detachFirst('ticks')).toEqual({ is: 'detached', tables: ['detached.ticks_first'] })
    await expect(db.query(`update detached.ticks_first set price = 1`)).rejects.toThrow(/append-only/)

    expect(await market.ensureTicks(db, SIMULATED, second - 5, second - 1)).toEqual({ ticks: [], isComplete: false })
    expect(await market.ensureTicks(db, LIVE, minute, minute + 100)).toEqual({ ticks: [], isComplete: false })
    expect((await db.query('select 1 from ticks')).rows).toEqual([])
    // The chart of a process that starts later.
    const later = createMarket({
      db,
      clock,
      settings: { goldFeed: 'simulated', pythUrl: '', pythApiKey: null, swissquoteUrl: '' },
      log: createLog('silent'),
    })
    await db.query(
      `insert into ticks (source, second) values ($1, floor(extract(epoch from clock_timestamp()))::bigint)`,
      [LIVE],
    )
    expect(await later.candles.read(LIVE, 1, minute, minute + 600)).toEqual([
      { openedAt: minute, open: 4_000_000, high: 4_000_059, low: 4_000_000, close: 4_000_059 },
      { openedAt: minute + 60, open: 4_000_060, high: 4_000_089, low: 4_000_060, close: 4_000_089 },
    ])
    expect((await db.query('select 1 from tick_evidence')).rows.length).toBe(1)
    clock.stop()
    expect((await describePartitions(db)).map(({ name }) => name)).toContain('detached.ticks_first')
    await db.query('drop table detached.ticks_first')
  })

  test.runIf(engine === 'native')('one that was interrupted is finished the next time (PostgreSQL only)', async () => {
    await act('user:1')
    await moveTo(LATER_DAYS)
    await act('user:2')
    const reader = openNative({ url: db.url ?? '', max: 1, idleInTxTimeoutMs: 60_000 })
    const impatient = openNative({ url: db.url ?? '', max: 1 })
    await reader.tx(async (tx) => {
      await tx.query('select count(*) from audit_log')
      const { rows } = await impatient.query<{ pid: number }>('select pg_backend_pid() as pid')
      const cancelled = detachThrough({ db: impatient, dataDir }, 'audit_log', await firstMonth('audit_log')).catch(
        (error: unknown) => String(error),
      )
      while ((await listPartitions(db, 'audit_log'))[0]?.isPending !== true)
        await new Promise((resolve) => setTimeout(resolve, 20))
      await db.query('select pg_cancel_backend($1)', [rows[0]?.pid ?? 0])
      expect(await cancelled).toContain('canceling statement')
      // Those that read in between see the whole, or what is left.
      expect((await verifyAuditLog(db)).broken).toEqual([])
    })
    expect(await detachFirst('audit_log')).toEqual({ is: 'detached', tables: ['detached.audit_log_first'] })
    expect(await verifyAuditLog(db)).toEqual({ verified: 1n, detachedThrough: 1n, broken: [], known: [] })
    await Promise.all([reader.close(), impatient.close()])
  })
})
