import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#server/platform/database/db.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import {
  canonicalJson,
  type ChainedRow,
  type ChainTip,
  emptyChain,
  followChain,
  type Problem,
  signAct,
} from './chain.ts'
import { loadAuditKey, openAuditLog } from './key.ts'
import { recordAct } from './record-act.ts'
import { readAuditTip, setAuditTipAside, writeAuditTip } from './tip-file.ts'
import { verifyAuditLog } from './verify-log.ts'
import { tamperWith } from '#testing/database/tamper.ts'

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

  const tipOf = (rows: readonly ChainedRow[]) => rows.at(-1) ?? emptyChain
  const verify = (rows: readonly ChainedRow[], stored: ChainTip = tipOf(rows)) => {
    const chain = followChain(key, emptyChain, () => false)
    for (const row of rows) chain.take(row, false)
    return chain.end(stored)
  }
  const rowsBroken = (problem: Problem, firstSeq: bigint, lastSeq = firstSeq) => ({ firstSeq, lastSeq, problem })

  test('an intact chain verifies to its tip', () => {
    expect(verify(chainOf(5))).toEqual({ broken: [], right: 5n })
    expect(verify([])).toEqual({ broken: [], right: 0n })
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
  ])('a change of %s is found in its row, and every other row is right', (field, value) => {
    const rows = chainOf(5)
    for (const at of [1, 4]) rows[at] = { ...rows[at]!, [field]: value }
    expect(verify(rows, tipOf(chainOf(5)))).toEqual({
      broken: [rowsBroken('changed', 2n), rowsBroken('changed', 5n)],
      right: 3n,
    })
  })

  test('a removed, an inserted, a swapped row and a cut tail are found, all of them', () => {
    const rows = chainOf(9)
    expect(verify(rows.toSpliced(1, 1)).broken).toEqual([rowsBroken('missing', 2n)])
    expect(verify(rows.toSpliced(2, 0, rows[1]!)).broken).toEqual([rowsBroken('unexpected', 2n)])
    const swapped = rows.with(1, { ...rows[2]!, seq: 2n }).with(2, { ...rows[1]!, seq: 3n })
    expect(verify(swapped).broken).toEqual([rowsBroken('changed', 2n, 3n)])
    expect(verify(rows.slice(0, 6), tipOf(rows)).broken).toEqual([rowsBroken('missing', 7n, 9n)])
    expect(verify(rows, rows[6]).broken).toEqual([rowsBroken('unexpected', 8n, 9n)])
    expect(verify(rows, { seq: 9n, hash: new Uint8Array(32) }).broken).toEqual([rowsBroken('changed', 9n)])
    const all = rows
      .with(6, { ...rows[6]!, reason: 'x' })
      .toSpliced(2, 3)
      .toSpliced(1, 0, rows[0]!)
    expect(verify(all.slice(0, -1), tipOf(rows))).toEqual({
      broken: [
        rowsBroken('unexpected', 1n),
        rowsBroken('missing', 3n, 5n),
        rowsBroken('changed', 7n),
        rowsBroken('missing', 9n),
      ],
      right: 4n,
    })
  })

  test('a number far away is one gap, not as many faults as there are numbers', () => {
    const rows = chainOf(2)
    expect(verify([rows[0]!, { ...rows[1]!, seq: 10n ** 18n }], tipOf(rows)).broken).toEqual([
      rowsBroken('missing', 2n, 10n ** 18n - 1n),
      rowsBroken('changed', 10n ** 18n),
      rowsBroken('unexpected', 3n, 10n ** 18n),
    ])
  })

  test('nobody can recompute a row without the key, or all of them with it unnoticed', () => {
    const rows = chainOf(3)
    const forged = { ...rows[1]!, reason: 'forged' }
    const signedBy = (by: Uint8Array) => ({ ...forged, hash: signAct(by, forged, forged.previousHash) })
    expect(verify(rows.with(1, signedBy(new Uint8Array(32).fill(8)))).broken).toEqual([rowsBroken('changed', 2n)])
    // With the key its own signature is right, and the next row was signed after another one.
    expect(verify(rows.with(1, signedBy(key))).broken).toEqual([rowsBroken('changed', 3n)])
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
  const db = useDatabase(engine)
  beforeEach(async () => {
    await openAuditLog(db, key)
  })

  const recordIn = (tx: Tx, number: number) =>
    recordAct(tx, 'system', 'bank.edit', `user:${number}`, {
      before: { balance: 0.1 + number, list: [1, 'hai', null, { b: true, a: false }] },
      reason: number % 2 === 0 ? null : 'lý do',
    })
  const record = (number: number) => db.tx((tx) => recordIn(tx, number))
  /** Changes rows as an attacker could who controls the database but does not have the key. */
  const tamper = (statement: string) => tamperWith(db, statement)

  test('concurrent transactions append to one chain', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, number) => record(number)))
    expect(await verifyAuditLog(db)).toEqual({ verified: 12n, detachedThrough: 0n, broken: [], known: [] })
  })

  test('a transaction that rolled back leaves no act', async () => {
    await record(1)
    await expect(
      db.tx(async (tx) => {
        await recordIn(tx, 2)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await record(3)
    expect(await verifyAuditLog(db)).toEqual({ verified: 2n, detachedThrough: 0n, broken: [], known: [] })
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
    expect((await verifyAuditLog(db)).broken[0]).toEqual({ firstSeq: brokenSeq, lastSeq: brokenSeq, problem })
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
      expect((await verifyAuditLog(db, known)).broken).toEqual([])
      const last = known?.seq ?? 0n
      await tamperWith(
        db,
        ['delete from audit_log where seq = $1', [last]],
        [`update audit_tip set seq = $1 - 1, hash = (select hash from audit_log where seq = $1 - 1)`, [last]],
      )
      expect((await verifyAuditLog(db)).broken).toEqual([])
      expect(await verifyAuditLog(db, known)).toEqual({
        verified: last - 1n,
        detachedThrough: 0n,
        broken: [{ firstSeq: last, lastSeq: last, problem: 'missing' }],
        known: [],
      })
      // The stored tip file stays unchanged: it is the evidence.
      await expect(writeAuditTip(db, dir)).rejects.toThrow(/once reached/)
      // Also once another row has the number of the one that was cut.
      await record(4)
      await expect(writeAuditTip(db, dir)).rejects.toThrow(/once reached/)
      expect(readAuditTip(dir)).toEqual(known)
      // After a restore, which is published, it is put aside, and the log is whole.
      await setAuditTipAside(db, dir)
      expect([readAuditTip(dir), readdirSync(dir)]).toEqual([null, [`audit-tip.json.before-restore-${last}`]])
      await writeAuditTip(db, dir)
      await setAuditTipAside(db, dir)
      expect(readAuditTip(dir)?.seq).toBe(last)
      expect((await verifyAuditLog(db, known)).broken).toEqual([{ firstSeq: last, lastSeq: last, problem: 'changed' }])
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
