import { beforeEach, describe, expect, test } from 'vitest'
import { recordHalf } from '#testing/play/books.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { acknowledgeRow, readAcknowledgement } from './acknowledge.ts'
import { brokenText } from './chain.ts'
import { openAuditLog } from './key.ts'
import { knownText } from './known-rows.ts'
import { listActs } from './queries.ts'
import { recordAct } from './record-act.ts'
import { verifyAuditLog } from './verify-log.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const key = new Uint8Array(32).fill(7)
const why = 'phiên bản cũ ký nửa ký tự'

describe.each(testEngines)('rows of the audit log that are known to be broken, on %s', (engine) => {
  const db = useDatabase(engine)
  beforeEach(async () => {
    await openAuditLog(db, key)
  })

  const act = (reason: string | null = null) =>
    db.tx((tx) =>
      recordAct(tx, 'system', 'user.update', 'user:1', {
        after: { vip: 3 },
        reason,
      }),
    )
  /** Changes rows as somebody could who controls the database but does not have the key. */
  const tamper = (statement: string) => tamperWith(db, statement)
  const acknowledge = (row: bigint | string, withoutProof = false) =>
    acknowledgeRow(db, { row: String(row), why, withoutProof })
  const found = async () => {
    const { broken, known } = await verifyAuditLog(db)
    return [brokenText(broken), ...known.map(knownText)]
  }
  const proved = (row: number, by: number, half = 'U+D83D') =>
    `row ${row} is known to be broken: row ${by} acknowledges it, signed with half of a character, ${half}`

  test.each([
    ['at the end', 'vì \ud83d', 'U+D83D'],
    ['alone', '\udc00', 'U+DC00'],
    ['the same twice', '\ud83d vì \ud83d', 'U+D83D'],
  ])('half of a character %s is proved, acknowledged, and shown for ever', async (_, reason, half) => {
    await act()
    expect(await recordHalf(db, key, reason)).toBe(2n)
    await act()
    expect(await found()).toEqual(['row 2 (changed)'])
    expect(await acknowledge(2n)).toEqual({ is: 'acknowledged', bySeq: '4', half })
    expect(await found()).toEqual(['', proved(2, 4, half)])
    await act()
    expect(await verifyAuditLog(db)).toMatchObject({ verified: 4n, known: [{ seq: 2n, bySeq: 4n, why }] })
    const nobody = { userId: '', capabilities: [] }
    const [shown] = await listActs(db, nobody, {
      filter: { act: 'audit.acknowledge' },
      sort: { column: 'createdAt', isDescending: true },
      page: { page: 1, limit: 10, offset: 0 },
    })
    expect(shown).toMatchObject({ seq: 4, actor: 'system', target: 'audit:2', reason: why, before: { row: '2', half } })
    expect(await acknowledge(2n)).toMatchObject({ is: 'refused', reason: 'Row 2 is acknowledged already.' })
  })

  test('the last row, two in a row and the first one are as good as any', async () => {
    for (const reason of ['a\ud83d', 'b\ude00', 'c']) await recordHalf(db, key, reason)
    await recordHalf(db, key, '\ud83d')
    expect(await found()).toEqual(['rows 1 to 2 (changed), row 4 (changed)'])
    for (const row of [4n, 1n]) expect(await acknowledge(row)).toMatchObject({ is: 'acknowledged' })
    expect(await found()).toEqual(['row 2 (changed)', proved(1, 6), proved(4, 5)])
    expect(await acknowledge(2n)).toMatchObject({ is: 'acknowledged', half: 'U+DE00' })
    expect((await found())[0]).toBe('')
  })

  test('another broken row is still found beside them, and so is any later change of them', async () => {
    await act('a')
    await recordHalf(db, key, 'b\ud83d')
    await act('c')
    await acknowledge(2n)
    await tamper(`update audit_log set reason = 'x' where seq = 3`)
    expect(await found()).toEqual(['row 3 (changed)', proved(2, 4)])
    await tamper(`update audit_log set reason = 'c' where seq = 3`)
    for (const [change, back] of [
      [`reason = 'b'`, `reason = 'b\ufffd'`],
      [`after = '{"vip": 4}'`, `after = '{"vip": 3}'`],
      [`at = at + interval '1 second'`, `at = at - interval '1 second'`],
      [`hash = sha256(hash) where seq = 2; update audit_tip set seq = seq`, null],
    ] as const) {
      await tamper(
        change.includes('where') ? `update audit_log set ${change}` : `update audit_log set ${change} where seq = 2`,
      )
      expect([change, await found()]).toEqual([change, ['row 2 (changed)']])
      if (back !== null) await tamper(`update audit_log set ${back} where seq = 2`)
    }
  })

  test('what tampering leaves is not acknowledged as half of a character, and otherwise only by saying so', async () => {
    await act('a')
    await act('b \ufffd')
    await act('c')
    await tamper(`update audit_log set after = '{"vip": 9}' where seq = 2`)
    expect(await acknowledge(2n)).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('--without-proof') as string,
    })
    expect(await found()).toEqual(['row 2 (changed)'])
    expect(await acknowledge(2n, true)).toEqual({ is: 'acknowledged', bySeq: '4', half: null })
    expect(await found()).toEqual([
      '',
      'row 2 is known to be broken: row 4 acknowledges it, without proof of the cause',
    ])
  })

  test.each([
    [`select 1`, '2', 'none that was changed'],
    [`select 1`, '99', 'none that was changed'],
    [`delete from audit_log where seq = 2`, '2', 'none that was changed'],
    [`delete from audit_log where seq = 4`, '4', 'none that was changed'],
    [`update audit_log set hash = sha256(hash) where seq = 2`, '2', 'More than the content'],
    [`update audit_log set previous_hash = sha256(hash) where seq = 2`, '2', 'More than the content'],
    [`update audit_tip set hash = sha256(hash)`, '4', 'More than the content'],
    [
      `select make_month('audit_log', (date_trunc('month', now()) + interval '4 months')::date);
       insert into audit_log select 2, date_trunc('month', now()) + interval '4 months', actor, act, target, before, after, 'x', hash, hash from audit_log where seq = 1`,
      '2',
      'none that was changed',
    ],
  ])('nothing else is acknowledged after %s: row %s', async (statement, row, reason) => {
    for (const text of ['a', 'b', 'c', 'd']) await act(text)
    await tamper(statement)
    const before = await found()
    expect(await acknowledge(row, true)).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining(reason) as string,
    })
    expect(await found()).toEqual(before)
  })

  test('nobody acknowledges without the key, or by an act of before', async () => {
    await act('a')
    await recordHalf(db, key, 'b\ud83d')
    await acknowledge(2n)
    await act('c')
    // The acknowledgement is made to speak of a row that was tampered with.
    await tamper(`update audit_log set reason = 'x' where seq = 4`)
    await tamper(
      `insert into audit_log select 5, at, actor, act, target, before || '{"row": "4"}', after, reason, hash, sha256(hash) from audit_log where seq = 3`,
    )
    await tamper(`update audit_tip set seq = 5, hash = (select hash from audit_log where seq = 5)`)
    expect(await found()).toEqual(['rows 4 to 5 (changed)', proved(2, 3)])
    await tamper(`update audit_log set before = before || '{"row": "4"}' where seq = 3`)
    expect(await found()).toEqual(['rows 2 to 5 (changed)'])
  })

  test('an act is signed as the database gives it back, and half of a character is not stored at all', async () => {
    const json = { b: 1e21, a: -0, gone: undefined, list: [undefined, 1.5e-7] } as never
    await db.tx((tx) =>
      recordAct(tx, 'system', 'user.update', 'x', {
        before: json,
        after: json,
        reason: '\ufffe 👩‍👧',
      }),
    )
    await expect(act('\ud83d')).rejects.toThrow('half of a character')
    expect(await found()).toEqual([''])
  })
})

describe('what the command takes', () => {
  test.each([
    [{}, null],
    [
      { acknowledge: '7', why: ' vì ' },
      { row: '7', why: 'vì', withoutProof: false },
    ],
    [
      { acknowledge: '7', why: 'vì', 'without-proof': true },
      { row: '7', why: 'vì', withoutProof: true },
    ],
  ])('%j', (values, read) => {
    expect(readAcknowledgement(values)).toEqual(read)
  })

  test.each([{ acknowledge: '7' }, { why: 'vì' }, { acknowledge: 'x', why: 'vì' }, { acknowledge: '7', why: ' ' }])(
    'refuses %j',
    (values) => {
      expect(() => readAcknowledgement(values)).toThrow('--acknowledge NUMBER')
    },
  )
})
