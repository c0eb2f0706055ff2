import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from './db.ts'
import { retrying } from '#server/platform/process/retrying.ts'
import { isRefusal, sqlState } from './transaction.ts'
import { openTestDatabase, testEngines } from '#testing/database/test-database.ts'

describe.each(testEngines)('%s', (engine) => {
  let db: Database

  beforeAll(async () => {
    db = await openTestDatabase(engine)
    await db.query('create schema engines; create table engines.item (id bigint primary key, note text)')
  })
  afterAll(() => db.close())
  beforeEach(async () => void (await db.query('truncate engines.item')))

  const ids = async () => {
    const { rows } = await db.query<{ id: bigint }>('select id from engines.item order by id')
    return rows.map((row) => row.id)
  }
  const insert = 'insert into engines.item (id) values ($1)'

  test('answers with the same JavaScript types', async () => {
    const { rows, rowCount } = await db.query(`
      select 9007199254740993::int8 as int8, 7::int4 as int4, 3::int2 as int2, 1.5::float8 as float8, 1.50::numeric as numeric,
        true as bool, 'đ'::text as text, null::text as nothing, date '2026-01-02' as date,
        timestamptz '2026-01-02 03:04:05.678+07' as at, '{"a":[1,null]}'::jsonb as jsonb, '\\xdeadbeef'::bytea as bytea,
        '6f1c2a50-0000-4000-8000-000000000000'::uuid as uuid, '12'::xid8 as xid8,
        '{1,null,-3}'::int8[] as int8s, '{{1,2},{3,4}}'::int4[] as grid, '{}'::text[] as empty,
        array['a"b', 'c\\d', 'e,f', '', 'NULL', null, '{x}']::text[] as texts,
        array[timestamptz '2026-01-02 03:04:05Z'] as times, '{t,f}'::bool[] as bools`)
    expect(rowCount).toBe(1)
    expect(rows[0]).toEqual({
      int8: 9007199254740993n,
      int4: 7,
      int2: 3,
      float8: 1.5,
      numeric: '1.50',
      bool: true,
      text: 'đ',
      nothing: null,
      date: '2026-01-02',
      at: new Date('2026-01-01T20:04:05.678Z'),
      jsonb: { a: [1, null] },
      bytea: new Uint8Array([0xde, 0xad, 0xbe, 0xef]),
      uuid: '6f1c2a50-0000-4000-8000-000000000000',
      xid8: '12',
      int8s: [1n, null, -3n],
      grid: [
        [1, 2],
        [3, 4],
      ],
      empty: [],
      texts: ['a"b', 'c\\d', 'e,f', '', 'NULL', null, '{x}'],
      times: [new Date('2026-01-02T03:04:05Z')],
      bools: [true, false],
    })
  })

  test('takes every kind of parameter', async () => {
    const at = new Date('2026-03-04T05:06:07.089Z')
    const { rows } = await db.query(
      `select $1::int8 as int8, $2::int4 as int4, $3::bool as bool, $4::timestamptz as at, $5::bytea as bytea,
        $6::text as nothing, $7::int8[] as int8s, $8::text[] as texts, $9::timestamptz[] as times, $10::uuid[] as uuids,
        $11::jsonb as jsonb, $12::bytea[] as byteas, $13::bool[] as bools`,
      [
        -(2n ** 63n),
        -5,
        false,
        at,
        new Uint8Array([0, 255]),
        null,
        [1n, null, 2n ** 62n],
        ['a"b', 'c\\d', 'NULL', '', null, 'ợ'],
        [at, null],
        ['6f1c2a50-0000-4000-8000-000000000000'],
        JSON.stringify({ a: 1 }),
        [new Uint8Array([1, 2])],
        [true, null],
      ],
    )
    expect(rows[0]).toEqual({
      int8: -(2n ** 63n),
      int4: -5,
      bool: false,
      at,
      bytea: new Uint8Array([0, 255]),
      nothing: null,
      int8s: [1n, null, 2n ** 62n],
      texts: ['a"b', 'c\\d', 'NULL', '', null, 'ợ'],
      times: [at, null],
      uuids: ['6f1c2a50-0000-4000-8000-000000000000'],
      jsonb: { a: 1 },
      byteas: [new Uint8Array([1, 2])],
      bools: [true, null],
    })
  })

  test('refuses a parameter that is no value', async () => {
    await expect(db.query('select $1::text', [undefined as never])).rejects.toThrow(TypeError)
    await expect(db.query('select $1::float8', [Number.NaN])).rejects.toThrow(TypeError)
    for (const half of ['a\ud83d', '\ude00b']) {
      await expect(db.query('select $1::text', [half])).rejects.toThrow('half of a character')
      await expect(db.query('select $1::text[]', [['"', half]])).rejects.toThrow('half of a character')
    }
    await expect(db.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] })
  })

  test('counts the rows that a statement changed', async () => {
    expect((await db.query(insert, [1n])).rowCount).toBe(1)
    expect((await db.query('insert into engines.item values (2), (3)')).rowCount).toBe(2)
    expect((await db.query('update engines.item set note = $1', ['x'])).rowCount).toBe(3)
    expect((await db.query('delete from engines.item where id > $1', [5n])).rowCount).toBe(0)
  })

  test('a text of several statements is answered with the last one', async () => {
    const { rows, rowCount } = await db.query('select 1 as a; insert into engines.item values (1); select 2 as b')
    expect(rows).toEqual([{ b: 2 }])
    expect(rowCount).toBe(1)
    expect((await db.query('select 1 as a; insert into engines.item values (4)')).rows).toEqual([])
    expect(await ids()).toEqual([1n, 4n])
  })

  test('an error carries its code, and the next statement works', async () => {
    await db.query(insert, [1n])
    const error = await db.query(insert, [1n]).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: '23505', constraint: 'item_pkey', table: 'item' })
    expect([sqlState(error), isRefusal(error)]).toEqual(['23505', true])
    expect(sqlState(new Error('other'))).toBeNull()
    expect(await ids()).toEqual([1n])
  })

  test('a named statement survives errors and a changed plan', async () => {
    const named = { name: 'engines.insert' }
    await db.query(insert, [1n], named)
    await expect(db.query(insert, [1n], named)).rejects.toMatchObject({ code: '23505' })
    await db.query(insert, [2n], named)
    await expect(
      db.tx(async (tx) => {
        await tx.query('select 1/0').catch(() => {})
        await tx.query(insert, [3n], { name: 'engines.other' })
      }),
    ).rejects.toMatchObject({ code: '22012' })
    await db.query(insert, [3n], { name: 'engines.other' })
    expect(await ids()).toEqual([1n, 2n, 3n])
    await expect(db.query('select 2', [], named)).rejects.toThrow(/engines\.insert/)
  })

  test('of several statements sent at once, those after the failed one report its failure', async () => {
    const failing = db.tx(async (tx) => {
      // Its caller sees the failure later than that of the next statement.
      const late = tx.query('select 1/0').catch(async (error: unknown) => {
        await new Promise((done) => setTimeout(done, 100))
        throw error
      })
      await Promise.all([late, tx.query('select 1')])
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
  })

  test('commits what the work wrote, and rolls back when it throws', async () => {
    expect(await db.tx(async (tx) => (await tx.query(insert, [1n])).rowCount)).toBe(1)
    const failure = new Error('no')
    await expect(
      db.tx(async (tx) => {
        await tx.query(insert, [2n])
        throw failure
      }),
    ).rejects.toBe(failure)
    expect(await ids()).toEqual([1n])
  })

  test('statements that are not awaited one by one are answered in order', async () => {
    const seen = await db.tx(async (tx) => {
      const answers = [1n, 2n, 3n].map((id) => tx.query(insert, [id]))
      const count = tx.query<{ count: bigint }>('select count(*) as count from engines.item')
      await Promise.all(answers)
      return (await count).rows[0]?.count
    })
    expect(seen).toBe(3n)
  })

  test('the first of several pipelined failures is the one reported', async () => {
    await expect(
      db.tx((tx) => Promise.all([tx.query(insert, [1n]), tx.query('select 1/0'), tx.query(insert, [2n])])),
    ).rejects.toMatchObject({ code: '22012' })
    expect(await ids()).toEqual([])
  })

  test('a work that swallows an error does not count as committed', async () => {
    const effect = vi.fn()
    await expect(
      db.tx(async (tx) => {
        tx.afterCommit(effect)
        await tx.query(insert, [1n])
        await tx.query('select 1/0').catch(() => {})
      }),
    ).rejects.toThrow(/rolled back/)
    expect(effect).not.toHaveBeenCalled()
    expect(await ids()).toEqual([])
  })

  test('effects run after the commit, once and in order, and not after a rollback', async () => {
    const order: string[] = []
    await db.tx(async (tx) => {
      tx.afterCommit(() => order.push('first'))
      await tx.query(insert, [1n])
      tx.afterCommit(() => order.push('second'))
      order.push('work')
    })
    expect(order).toEqual(['work', 'first', 'second'])
    await expect(
      db.tx(async (tx) => {
        tx.afterCommit(() => order.push('never'))
        await tx.query(insert, [1n])
      }),
    ).rejects.toMatchObject({ code: '23505' })
    expect(order).not.toContain('never')
  })

  test('an effect that throws neither fails the caller nor stops the next effect', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const next = vi.fn()
    const result = await db.tx(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('effect')
      })
      tx.afterCommit(next)
      return 'kept'
    })
    expect(result).toBe('kept')
    expect(next).toHaveBeenCalledOnce()
    expect(printed).toHaveBeenCalledOnce()
    printed.mockRestore()
  })

  test('commitWith sends the last statement and commits', async () => {
    const effect = vi.fn()
    const rows = await db.tx(async (tx) => {
      await tx.query(insert, [1n])
      tx.afterCommit(effect)
      const last = await tx.commitWith<{ id: bigint }>('insert into engines.item values ($1) returning id', [2n])
      expect(effect).toHaveBeenCalledOnce()
      await expect(tx.query('select 1')).rejects.toThrow(/over/)
      return last.rows
    })
    expect(rows).toEqual([{ id: 2n }])
    expect(await ids()).toEqual([1n, 2n])
  })

  test('a failing commitWith leaves nothing behind, even when the work swallows it', async () => {
    const effect = vi.fn()
    for (const isSwallowed of [false, true]) {
      await expect(
        db.tx(async (tx) => {
          tx.afterCommit(effect)
          await tx.query(insert, [1n])
          const last = tx.commitWith(insert, [1n])
          await (isSwallowed ? last.catch(() => {}) : last)
        }),
      ).rejects.toMatchObject({ code: '23505' })
    }
    expect(effect).not.toHaveBeenCalled()
    expect(await ids()).toEqual([])
  })

  test('a COMMIT that is refused is an error of its own', async () => {
    await db.query(`create table engines.later (id int unique deferrable initially deferred)`)
    for (const isLast of [false, true]) {
      const twice = 'insert into engines.later values (1), (1)'
      await expect(
        db.tx((tx) => (isLast ? tx.commitWith(twice) : tx.query(twice))).then(() => 'committed'),
      ).rejects.toMatchObject({ code: '23505' })
    }
    await db.query('drop table engines.later')
  })

  test('nothing can be queried through a transaction that is over', async () => {
    let kept: { query(text: string): Promise<unknown> } | undefined
    await db.tx(async (tx) => void (kept = tx))
    await expect(kept?.query('select 1')).rejects.toThrow(/over/)
  })

  test('the database itself refuses to be called inside a transaction', async () => {
    await expect(db.tx(() => db.query('select 1'))).rejects.toThrow(/inside tx/)
    await expect(db.tx(() => db.tx(async () => {}))).rejects.toThrow(/inside tx/)
    await expect(db.query('select 1 as one')).resolves.toMatchObject({ rowCount: 1 })
  })

  test('isolation and read-only are the transaction’s', async () => {
    const shown = await db.tx(
      async (tx) =>
        (await tx.query<{ level: string }>(`select current_setting('transaction_isolation') as level`)).rows,
      { isolation: 'repeatable read', readOnly: true },
    )
    expect(shown).toEqual([{ level: 'repeatable read' }])
    await expect(db.tx((tx) => tx.query(insert, [1n]), { readOnly: true })).rejects.toMatchObject({ code: '25006' })
    await db.tx((tx) => tx.query(insert, [1n]))
  })

  test('retrying begins again after a serialization failure, and gives up after its attempts', async () => {
    let runs = 0
    const fail = `do $$ begin raise exception 'again' using errcode = '40001'; end $$`
    const work = async (tx: { query(text: string): Promise<unknown> }) => void (++runs < 3 && (await tx.query(fail)))
    await retrying(db, work)
    expect(runs).toBe(3)
    runs = 0
    await expect(retrying(db, work, { attempts: 2 })).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(2)
    await expect(retrying(db, (tx) => tx.query('select 1/0'))).rejects.toMatchObject({ code: '22012' })
  })

  test('transactions at the same time do not mix', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        db
          .tx(async (tx) => {
            await tx.query(insert, [BigInt(index)])
            await new Promise((resolve) => setImmediate(resolve))
            if (index % 3 === 0) throw new Error('undo')
            await tx.query('update engines.item set note = $2 where id = $1', [BigInt(index), `n${index}`])
          })
          .catch((error: Error) => expect(error.message).toBe('undo')),
      ),
    )
    expect((await ids()).length).toBe(20)
  })

  test('closing twice is closing once', async () => {
    const own = await openTestDatabase(engine)
    await Promise.all([own.close(), own.close()])
  })

  test('times are UTC whatever the machine’s zone', async () => {
    const { rows } = await db.query<{ zone: string; text: string }>(
      `select current_setting('timezone') as zone, (timestamptz '2026-01-02 03:04:05Z')::text as text`,
    )
    expect(rows[0]).toEqual({ zone: 'UTC', text: '2026-01-02 03:04:05+00' })
  })
})
