import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addCounts, countRound, NO_COUNTS, type RateCounts } from '#domain/book/rate-counts.ts'
import { encodeEntry, encodeFields, type EntryFields, type EntryKind } from '#domain/book/entry.ts'
import type { Database } from '#server/platform/database/db.ts'
import { buildTestApp, type TestApp } from '#testing/app/app.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { readAnchors } from './anchors.ts'
import { listNoted } from './book-lists.ts'
import { countRoundInRates, createDisputeCounts } from './rates.ts'

const DAY_MS = 86_400_000
const nowMs = Date.UTC(2026, 10, 20, 12)

describe.each(testEngines)('the pages of the open book on %s', (engine) => {
  const db = useDatabase(engine)
  let app: TestApp
  beforeEach(async () => {
    app = await buildTestApp(db)
    await db.query(
      `insert into book_logs (generation, origin, vkey, why) values (1, 'test/1', 'k1', null), (2, 'test/2', 'k2', 'RESTORED')
       on conflict do nothing`,
    )
  })
  afterEach(() => app.close())

  const note = async <Kind extends EntryKind>(
    log: number,
    index: number,
    kind: Kind,
    atMs: number,
    fields: EntryFields[Kind],
  ): Promise<string> => {
    const line = encodeEntry(kind, atMs, encodeFields(kind, fields))
    await db.query('insert into book_notable (generation, index, kind, at_ms, line) values ($1, $2, $3, $4, $5)', [
      log,
      index,
      kind,
      atMs,
      line,
    ])
    return line
  }
  const read = async (path: string) => {
    const { status, body } = await app.call('GET', `/api/v1/book/${path}`)
    return { status, data: body.data as Record<string, unknown> }
  }
  const indexes = async (query: string) => {
    const { data } = await read(`acts?${query}`)
    return (data['rows'] as ReadonlyArray<Record<string, unknown>>).map((row) => row['index'])
  }
  const act = { act: 'balance.adjust', actor: null, round: null, bet: null, amount: 500, c: null } as const
  const closed = { source: 'pyth', state: 'closed', why: 'STALE' } as const

  describe('the list', () => {
    beforeEach(async () => {
      await note(1, 3, 'seed', nowMs, { day: 1, commitment: 'x' })
      await note(1, 900, 'act', nowMs, act)
      await note(1, 901, 'feed', nowMs + 1_000, closed)
      await note(1, 902, 'dispute', nowMs + 2_000, { bet: 7, state: 'opened', c: 'x' })
      await note(1, 903, 'dispute', nowMs + 3_000, { bet: 8, state: 'opened', c: 'x' })
      await note(1, 904, 'dispute', nowMs + 4_000, { bet: 7, state: 'upheld', c: 'x' })
      await note(2, 5, 'act', nowMs + 5_000, { ...act, act: 'round.delete' })
    })

    test('shows acts, feeds and disputes, the newest first, each with its place and its exact line', async () => {
      const line = await note(2, 9, 'feed', nowMs + 6_000, { ...closed, state: 'open', why: 'OK' })
      const { data } = await read('acts')
      expect(data['next']).toBeNull()
      expect(data['rows']).toHaveLength(7)
      expect((data['rows'] as unknown[])[0]).toEqual({
        ...{ log: 2, index: 9, kind: 'feed', at: new Date(nowMs + 6_000).toISOString(), entry: line, answeredAt: null },
      })
      expect(await indexes('')).toEqual([9, 5, 904, 903, 902, 901, 900])
    })

    test('says when an opened dispute was answered', async () => {
      const { data } = await read('acts?kind=dispute')
      const rows = data['rows'] as ReadonlyArray<Record<string, unknown>>
      expect(rows.map((row) => [row['index'], row['answeredAt']])).toEqual([
        [904, null],
        [903, null],
        [902, new Date(nowMs + 4_000).toISOString()],
      ])
    })

    test('is filtered by kind, act and time', async () => {
      expect(await indexes('kind=feed')).toEqual([901])
      expect(await indexes('act=round.delete')).toEqual([5])
      expect(await indexes('kind=feed&act=round.delete')).toEqual([])
      expect(await indexes('kind=feed&act=announce')).toEqual([])
      const at = (ms: number) => new Date(nowMs + ms).toISOString()
      expect(await indexes(`from=${at(2_000)}&to=${at(4_000)}`)).toEqual([903, 902])
      expect((await read('acts?kind=seed')).status).toBe(400)
      expect((await read('acts?act=round.hide')).status).toBe(400)
    })

    test('has an announced result among the acts of staff, without its direction while the round runs', async () => {
      const line = await note(2, 9, 'announce', nowMs + 6_000, { round: 'r1', c: 'x' })
      expect(await indexes('kind=act')).toEqual([9, 5, 900])
      expect(await indexes('act=announce')).toEqual([9])
      expect(await indexes('kind=act&act=announce')).toEqual([9])
      expect(await indexes('act=round.delete')).toEqual([5])
      expect(await indexes('kind=feed')).toEqual([901])
      const { data } = await read('acts?limit=1')
      expect((data['rows'] as unknown[])[0]).toMatchObject({ kind: 'announce', entry: line, answeredAt: null })
      expect((await read('acts?kind=announce')).status).toBe(400)
    })

    test('is paged over the logs without a gap or a double', async () => {
      const seen: unknown[] = []
      let after = ''
      for (let page = 0; page < 10; page++) {
        const { data } = await read(`acts?limit=2${after}`)
        seen.push(...(data['rows'] as ReadonlyArray<Record<string, unknown>>).map((row) => row['index']))
        if (data['next'] === null) break
        after = `&after=${data['next'] as string}`
      }
      expect(seen).toEqual([5, 904, 903, 902, 901, 900])
      expect((await read('acts?limit=0')).status).toBe(400)
      expect((await read('acts?limit=101')).status).toBe(400)
      expect((await read('acts?after=1')).status).toBe(400)
      // A place without an entry of the list: what is older than the entry before it.
      expect(await indexes('after=1.1000000')).toEqual([904, 903, 902, 901, 900])
    })
  })

  describe('a long history', () => {
    /** Most rows that one call may read: a page of each kind twice, and an answer to each row. */
    const READ_AT_MOST = 1_000
    const PER_PAGE = 100
    /** Of each kind, a second apart. Every other dispute is answered. */
    const ENTRIES = 1_500
    const placeAt = (n: number) => `1.${n * 10}`
    const at = (n: number) => new Date(nowMs + n * 1_000).toISOString()

    /** The rows that the plans of all statements of a call went through. */
    interface Plan {
      readonly Plans?: readonly Plan[]
      readonly [field: string]: unknown
    }
    const rowsOf = (plan: Plan): number => {
      const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0)
      if (!String(plan['Node Type']).includes('Scan')) return below
      const read = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
      return below + read.reduce((sum, name) => sum + Number(plan[name] ?? 0), 0) * Number(plan['Actual Loops'])
    }
    const countingRows = () => {
      const count = { rows: 0 }
      const counting: Database = {
        ...db,
        query: async (text, params, options) => {
          const { rows } = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
            `explain (analyze, format json) ${text}`,
            params,
          )
          count.rows += rows.reduce((sum, row) => sum + rowsOf(row['QUERY PLAN'][0].Plan), 0)
          return db.query(text, params, options)
        },
      }
      return { count, counting }
    }

    beforeEach(async () => {
      await db.query(
        `insert into book_notable (generation, index, kind, at_ms, line)
         select 1, n * 10 + place, kind, $1::bigint + n * 1000, line
           from generate_series(1, $2::integer) n cross join lateral (values
             (0, 'act', '{"act":"balance.adjust","round":null,"bet":null}'),
             (1, 'feed', '{"source":"pyth","state":"closed"}'),
             (2, 'dispute', '{"bet":' || n || ',"state":"opened"}'),
             (3, 'dispute', case when n % 2 = 0 then '{"bet":' || n || ',"state":"rejected"}' end),
             (4, 'seed', '{"day":' || n || '}'),
             (5, 'act', case when n = 5 then '{"act":"ledger.clear","round":null,"bet":null}' end)) e (place, kind, line)
          where line is not null`,
        [nowMs, ENTRIES],
      )
      await db.query('analyze book_notable')
    })

    test.each([
      ['nothing', {}],
      ['a kind', { kind: 'dispute' }],
      ['a kind of which there are none', { act: 'announce' }],
      ['a rare act', { act: 'ledger.clear' }],
      ['an old range of time', { kind: 'dispute', from: nowMs + 200_000, to: nowMs + 400_000 }],
      ['a range without entries', { from: nowMs - 9_000, to: nowMs - 5_000 }],
      ['a page far down', { after: { log: 1, index: 9_000 } }],
      ['a rare act far down', { act: 'ledger.clear', after: { log: 1, index: 12_000 } }],
    ] as const)('costs a list of %s no more than a short one would', async (_name, filter) => {
      const { count, counting } = countingRows()
      await listNoted(counting, filter, PER_PAGE)
      expect(count.rows).toBeLessThan(READ_AT_MOST)
    })

    test('costs a page far down each dispute at most once or twice in a table that was never analyzed', async () => {
      await db.query(`delete from pg_statistic where starelid = 'book_notable'::regclass`)
      const { count, counting } = countingRows()
      await listNoted(counting, { kind: 'dispute', to: nowMs + 500_000 }, PER_PAGE)
      expect(count.rows).toBeLessThan(2 * ENTRIES)
    })

    test('is listed right wherever a page begins', async () => {
      expect(await indexes('limit=3')).toEqual([15_003, 15_002, 15_001])
      expect(await indexes(`kind=dispute&limit=3&after=${placeAt(1_200)}`)).toEqual([11_992, 11_983, 11_982])
      expect(await indexes(`kind=feed&limit=2&to=${at(700)}`)).toEqual([6_991, 6_981])
      expect(await indexes('act=ledger.clear')).toEqual([55])
      const { data } = await read(`acts?kind=dispute&from=${at(30)}&to=${at(32)}`)
      expect((data['rows'] as ReadonlyArray<Record<string, unknown>>).map((row) => row['answeredAt'])).toEqual([
        null,
        null,
        at(30),
      ])
    })

    test('costs the disputes’ counts only what is new, and each entry is counted once', async () => {
      const { count, counting } = countingRows()
      const counts = createDisputeCounts(counting)
      const half = ENTRIES / 2
      const first = { open: half, upheld: 0, rejected: half, oldestOpenAtMs: nowMs + 1_000 }
      expect(await counts()).toEqual(first)
      count.rows = 0
      await note(1, 300_000, 'dispute', nowMs + 90_000_000, { bet: 1, state: 'upheld', c: 'x' })
      const next = { open: half - 1, upheld: 1, rejected: half, oldestOpenAtMs: nowMs + 3_000 }
      expect(await Promise.all([counts(), counts()])).toEqual([next, next])
      expect(count.rows).toBeLessThan(10)
      // Where the log has ended, nothing in it waits for an answer any more.
      await db.query('insert into book_tips (generation) values (2) on conflict do nothing')
      expect(await counts()).toEqual({ ...next, open: 0, oldestOpenAtMs: null })
    })

    test('costs the anchors of a round no more than a short one', async () => {
      await db.query(`insert into book_tips (generation, size, note) values (2, 1, 'x') on conflict do nothing`)
      await db.query(
        `update book_tips set size = 1, note = 'x' where generation = (select max(generation) from book_tips)`,
      )
      await db.query(
        `insert into book_notable (generation, index, kind, at_ms, line)
         select (select max(generation) from book_tips), 1000000 + n, 'seed', 0, '{"day":' || n || '}' from generate_series(0, 5000) n`,
      )
      await db.query('analyze book_notable')
      const { count, counting } = countingRows()
      expect((await readAnchors(counting, 1)).seeds).toEqual([
        { day: 0, index: 1_000_000 },
        { day: 1, index: 1_000_001 },
      ])
      expect(count.rows).toBeLessThan(READ_AT_MOST)
    })
  })

  describe('the measured rates', () => {
    const round = { type: '30s', source: 'simulated', opensAtMs: nowMs } as const
    const line = { basis: 'PRICE', status: 'WIN', why: null, stake: 1_000, profit: 50, at: nowMs + 5_000 } as const
    const countsWith = (profits: readonly number[], sealedAfterMs = 300): RateCounts => {
      const counter = countRound(nowMs + 30_000, { ticks: [1, 2], result: 'UP', by: 'PRICE' })
      for (const profit of profits)
        counter.addLine({ ...line, status: profit > 0 ? 'WIN' : 'LOSE', profit }, line.at + sealedAfterMs)
      return counter.counts()
    }
    const count = (where: Parameters<typeof countRoundInRates>[1], counts: RateCounts) =>
      db.tx((tx) => countRoundInRates(tx, where, counts))

    test('are the sums of the rounds, by type, source and day', async () => {
      const huge = { ...NO_COUNTS, squares: 10n ** 25n }
      await count(round, countsWith([50, -50, -50]))
      await count(round, countsWith([50], 6_000))
      await count({ ...round, source: 'pyth' }, countsWith([-50]))
      await count({ ...round, type: '120s', opensAtMs: nowMs - DAY_MS }, huge)
      const { data } = await read('rates')
      const sums = addCounts(countsWith([50, -50, -50]), countsWith([50], 6_000))
      const types = data['types'] as ReadonlyArray<Record<string, unknown>>
      expect(types.map((row) => [row['gameType'], row['source']])).toEqual([
        ['30s', 'pyth'],
        ['30s', 'simulated'],
        ['120s', 'simulated'],
      ])
      expect(types[1]).toEqual({
        ...{ gameType: '30s', source: 'simulated', up: 2, down: 0, ties: 0, missing: 0, win: 2, lose: 2, tied: 0 },
        ...{ void: 0, staked: sums.staked / 100, profit: sums.profit / 100, squares: String(sums.squares) },
        ...{ late: 1, lateWin: 1, lateLose: 0 },
      })
      expect(data['days']).toEqual([
        { day: '2026-11-19', profit: 0, squares: String(10n ** 25n) },
        { day: '2026-11-20', profit: -0.5, squares: '7500' },
      ])
      expect((await read('rates?from=2026-11-20')).data['types']).toHaveLength(2)
      expect((await read('rates?to=2026-11-19')).data['types']).toHaveLength(1)
      expect((await read('rates?from=2026-11-21&to=2026-11-30')).data).toMatchObject({ types: [], days: [] })
      expect((await read('rates?from=yesterday')).status).toBe(400)
    })

    test('forget a round whose transaction is rolled back', async () => {
      await expect(
        db.tx(async (tx) => {
          await countRoundInRates(tx, round, countsWith([50]))
          throw new Error('rolled back')
        }),
      ).rejects.toThrow('rolled back')
      expect((await read('rates')).data['types']).toEqual([])
    })

    test('lose nothing when rounds are closed at the same time', async () => {
      await Promise.all(Array.from({ length: 20 }, () => count(round, countsWith([50]))))
      const { data } = await read('rates')
      expect((data['types'] as ReadonlyArray<Record<string, unknown>>)[0]).toMatchObject({
        up: 20,
        win: 20,
        profit: 10,
      })
    })

    test('count a dispute that is answered in the last moment of its log', async () => {
      let asked = 0
      const restarting: Database = {
        ...db,
        query: async (text, params, options) => {
          // Between the two reads of the first count the answer is sealed, and the next log begins.
          if (++asked === 2) {
            await note(1, 903, 'dispute', nowMs, { bet: 7, state: 'upheld', c: 'x' })
            await db.query('insert into book_tips (generation) values (2)')
          }
          return db.query(text, params, options)
        },
      }
      const counts = createDisputeCounts(restarting)
      await counts()
      expect(await counts()).toEqual({ open: 0, upheld: 1, rejected: 0, oldestOpenAtMs: null })
    })

    test('count disputes: a later answer to the same bet ends one', async () => {
      await note(1, 902, 'dispute', nowMs, { bet: 7, state: 'opened', c: 'x' })
      await note(1, 903, 'dispute', nowMs + 1, { bet: 8, state: 'opened', c: 'x' })
      await note(1, 904, 'dispute', nowMs + 2, { bet: 9, state: 'opened', c: 'x' })
      await note(1, 905, 'dispute', nowMs + 3, { bet: 7, state: 'upheld', c: 'x' })
      await note(1, 906, 'dispute', nowMs + 4, { bet: 8, state: 'rejected', c: 'x' })
      expect((await read('rates')).data['disputes']).toEqual({
        ...{ open: 1, upheld: 1, rejected: 1, oldestOpenAt: new Date(nowMs + 2).toISOString() },
      })
    })
  })
})
