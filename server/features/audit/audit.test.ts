import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/platform/db.ts'
import { openTestDatabase, resetDatabase, testEngines } from '#server/testing/test-database.ts'
import { canonicalJson, type ChainedRow, compareTip, emptyChain, signAct, verifyChain } from './chain.ts'
import { loadAuditKey, openAuditLog } from './key.ts'
import { recordAct } from './record-act.ts'
import { readAuditTip, writeAuditTip } from './tip-file.ts'
import { verifyAuditLog } from './verify-log.ts'

const key = new Uint8Array(32).fill(7)

const chainOf = (length: number): ChainedRow[] => {
  const rows: ChainedRow[] = []
  let previousHash = emptyChain.hash
  for (let seq = 1n; seq <= length; seq++) {
    const act = {
      seq,
      atMicros: 1_790_000_000_000_000n + seq,
      actor: 'admin',
      act: 'user.update',
      target: `user:${seq}`,
      before: { balance: 1.5, names: ['a', 'b'] },
      after: { balance: 2, names: [] },
      reason: 'vì sao',
    }
    const hash = signAct(key, act, previousHash)
    rows.push({ ...act, previousHash, hash })
    previousHash = hash
  }
  return rows
}

describe('the chain', () => {
  test('equal values have equal signatures, whatever the order of their keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  })

  test('an intact chain verifies to its tip, at once or in chunks', () => {
    const rows = chainOf(5)
    const last = rows[4]!
    expect(verifyChain(key, emptyChain, rows)).toEqual({ seq: 5n, hash: last.hash })
    const middle = verifyChain(key, emptyChain, rows.slice(0, 2))
    expect('problem' in middle).toBe(false)
    if (!('problem' in middle)) expect(verifyChain(key, middle, rows.slice(2))).toEqual({ seq: 5n, hash: last.hash })
    expect(compareTip({ seq: 5n, hash: last.hash }, { seq: 5n, hash: last.hash })).toBeNull()
  })

  test.each([
    ['atMicros', 1n],
    ['actor', 'somebody'],
    ['act', 'user.delete'],
    ['target', 'user:9'],
    ['before', { balance: 1.51, names: ['a', 'b'] }],
    ['after', null],
    ['reason', null],
    ['hash', new Uint8Array(32)],
    ['previousHash', new Uint8Array(32)],
  ])('a change of %s is found in its row', (field, value) => {
    const rows = chainOf(5)
    rows[2] = { ...rows[2]!, [field]: value }
    expect(verifyChain(key, emptyChain, rows)).toEqual({ brokenSeq: 3n, problem: 'changed' })
  })

  test('a removed, an inserted, a swapped row and a cut tail are found', () => {
    const rows = chainOf(5)
    expect(verifyChain(key, emptyChain, rows.toSpliced(1, 1))).toEqual({ brokenSeq: 2n, problem: 'missing' })
    expect(verifyChain(key, emptyChain, rows.toSpliced(2, 0, rows[1]!))).toEqual({
      brokenSeq: 2n,
      problem: 'unexpected',
    })
    const swapped = rows.with(1, { ...rows[2]!, seq: 2n }).with(2, { ...rows[1]!, seq: 3n })
    expect(verifyChain(key, emptyChain, swapped)).toEqual({ brokenSeq: 2n, problem: 'changed' })
    const tip = { seq: 5n, hash: rows[4]!.hash }
    expect(compareTip({ seq: 3n, hash: rows[2]!.hash }, tip)).toEqual({ brokenSeq: 4n, problem: 'missing' })
    expect(compareTip(tip, { seq: 4n, hash: rows[3]!.hash })).toEqual({ brokenSeq: 5n, problem: 'unexpected' })
  })

  test('nobody can recompute a row without the key', () => {
    const rows = chainOf(2)
    const forged = { ...rows[1]!, reason: 'forged' }
    const wrongKey = new Uint8Array(32).fill(8)
    rows[1] = { ...forged, hash: signAct(wrongKey, forged, forged.previousHash) }
    expect(verifyChain(key, emptyChain, rows)).toEqual({ brokenSeq: 2n, problem: 'changed' })
  })
})

describe('the key file', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'audit-key-'))
    return () => rmSync(dir, { recursive: true })
  })

  test('it is created once, readable by its owner alone, and found again', () => {
    const made = loadAuditKey(null, dir, true)
    expect(made).toHaveLength(32)
    expect(statSync(join(dir, 'audit.key')).mode & 0o777).toBe(0o600)
    expect(loadAuditKey(null, dir, true)).toEqual(made)
    expect(readFileSync(join(dir, 'audit.key'), 'utf8').trim()).toBe(Buffer.from(made).toString('hex'))
  })

  test('a damaged file is not replaced silently', () => {
    writeFileSync(join(dir, 'audit.key'), 'zz')
    expect(() => loadAuditKey(null, dir, true)).toThrow(/restore it from a backup/)
  })

  test('AUDIT_KEY creates no file', () => {
    expect(loadAuditKey('x'.repeat(32), dir, true)).toHaveLength(32)
    expect(() => statSync(join(dir, 'audit.key'))).toThrow()
  })
})

describe.each(testEngines)('the log on %s', (engine) => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(engine)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await resetDatabase(db)
    await openAuditLog(db, key)
  })

  const act = (number: number) => ({
    actor: 'system',
    act: 'bank.edit' as const,
    target: `user:${number}`,
    before: { balance: 0.1 + number, list: [1, 'hai', null, { b: true, a: false }] },
    after: null,
    reason: number % 2 === 0 ? null : 'lý do',
  })
  const record = (number: number) => db.tx((tx) => recordAct(tx, act(number)))
  /** Changes rows as an attacker could who controls the database but does not have the key. */
  const tamper = (statement: string) =>
    db.tx(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(statement)
    })

  test('concurrent transactions append to one chain', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, number) => record(number)))
    expect(await verifyAuditLog(db)).toEqual({ verified: 12n, detachedThrough: 0n, broken: null })
  })

  test('a transaction that rolled back leaves no act', async () => {
    await record(1)
    await expect(
      db.tx(async (tx) => {
        await recordAct(tx, act(2))
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await record(3)
    expect(await verifyAuditLog(db)).toEqual({ verified: 2n, detachedThrough: 0n, broken: null })
  })

  test('rows refuse to be changed, deleted or truncated', async () => {
    await record(1)
    await expect(db.query(`update audit_log set reason = 'x'`)).rejects.toThrow(/append-only/)
    await expect(db.query('delete from audit_log')).rejects.toThrow(/append-only/)
    await expect(db.query('truncate audit_log')).rejects.toThrow(/append-only/)
    await expect(db.query('delete from audit_tip')).rejects.toThrow(/append-only/)
  })

  test.each([
    [`update audit_log set reason = 'x' where seq = 2`, 2n, 'changed'],
    [`update audit_log set before = before || '{"balance": 99}' where seq = 3`, 3n, 'changed'],
    [`update audit_log set at = at + interval '1 microsecond' where seq = 1`, 1n, 'changed'],
    [`delete from audit_log where seq = 2`, 2n, 'missing'],
    [`delete from audit_log where seq = 4`, 4n, 'missing'],
    [
      `insert into audit_log select 5, at, actor, act, target, before, after, reason, hash, hash from audit_log where seq = 4`,
      5n,
      'changed',
    ],
    [
      `insert into audit_log select 0, at, actor, act, target, before, after, reason, hash, hash from audit_log where seq = 4`,
      0n,
      'unexpected',
    ],
  ])('%s is found', async (statement, brokenSeq, problem) => {
    for (let number = 1; number <= 4; number++) await record(number)
    await tamper(statement)
    expect((await verifyAuditLog(db)).broken).toEqual({ brokenSeq, problem })
  })

  test('another key is refused at start', async () => {
    await expect(openAuditLog(db, new Uint8Array(32).fill(9))).rejects.toThrow(/begun with another key/)
  })

  test('a tail cut together with the tip row is found by the tip that this machine saw before', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'audit-tip-'))
    try {
      await openAuditLog(db, key)
      for (const number of [1, 2, 3]) await record(number)
      await writeAuditTip(db, dir)
      const known = readAuditTip(dir)
      expect((await verifyAuditLog(db, known)).broken).toBeNull()
      const last = known?.seq ?? 0n
      await db.tx(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query('delete from audit_log where seq = $1', [last])
        await tx.query(`update audit_tip set seq = $1 - 1, hash = (select hash from audit_log where seq = $1 - 1)`, [
          last,
        ])
      })
      expect((await verifyAuditLog(db)).broken).toBeNull()
      expect(await verifyAuditLog(db, known)).toEqual({
        verified: last - 1n,
        detachedThrough: 0n,
        broken: { brokenSeq: last, problem: 'missing' },
      })
      // The stored tip file stays unchanged: it is the evidence.
      await expect(writeAuditTip(db, dir)).rejects.toThrow(/once reached/)
      await record(4)
      expect((await verifyAuditLog(db, known)).broken).toEqual({ brokenSeq: last, problem: 'changed' })
      writeFileSync(
        join(dir, 'audit-tip.json'),
        JSON.stringify({ seq: '1', hash: '0'.repeat(64), mark: '0'.repeat(64) }),
      )
      expect(() => readAuditTip(dir)).toThrow(/not written with this audit key/)
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})
