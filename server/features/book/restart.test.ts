import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { openBookSource } from '#domain/book/book-source.ts'
import { decodeBundle } from '#domain/book/bundle.ts'
import { fromAscii, fromBase64 } from '#domain/book/bytes.ts'
import type { Entry } from '#domain/book/entry.ts'
import { parseEntry } from '#domain/book/parse-entry.ts'
import { openAuditLog } from '#server/features/audit/index.ts'
import { closeDueInBook, reopenInBook } from '#server/features/game/index.ts'
import { newId } from '#server/platform/process/ids.ts'
import { buildTestApp, openTestBook, testBookKey, testKey } from '#testing/app/app.ts'
import { queueBets } from '#testing/book/queue-bets.ts'
import { createRound } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { bookKeyOf, sha256, verifyEd25519 } from './key.ts'
import { type OpenBookDeps } from './open-book.ts'
import { queueEntries } from './queue.ts'
import { restartLog } from './restart.ts'
import { readTipFile } from './tip-file.ts'

const otherKey = bookKeyOf(new Uint8Array(32).fill(9))
const C = Buffer.alloc(32, 1).toString('base64')

describe.each(testEngines)('the next log on %s', (engine) => {
  const db = useDatabase(engine)
  let dir: string
  beforeEach(async () => {
    await openAuditLog(db, testKey)
    dir = mkdtempSync(join(tmpdir(), 'log-restart-'))
    return () => rmSync(dir, { recursive: true })
  })

  const open = (options: Partial<OpenBookDeps> = {}) =>
    openTestBook(db, { origin: 'kim.example/gold', dataDir: dir, ...options })
  const restart = (why: 'RESTORED' | 'KEY_LOST' | 'KEY_EXPOSED', key = testBookKey) =>
    restartLog({ db, key, dataDir: dir, reopenRounds: reopenInBook }, why)
  const entriesOf = async (generation: number): Promise<Entry[]> => {
    const { rows } = await db.query<{ entries: Uint8Array }>(
      'select entries from book_entries where generation = $1 order by first_index',
      [generation],
    )
    return rows
      .flatMap(({ entries }) => decodeBundle(entries) ?? [])
      .map((bytes) => parseEntry(fromAscii(bytes) ?? ''))
      .map((parsed) => {
        if (parsed.is !== 'entry') throw new Error(`not an entry: ${JSON.stringify(parsed)}`)
        return parsed.entry
      })
  }
  /** A round in the log. Its `round` entry waits. */
  const enterRound = async (): Promise<string> => {
    const { id, opensAtMs, closesAtMs } = await createRound(db, { book: 'open' })
    const fields = { round: id, type: '60s', n: 1, attempt: 0, opens: opensAtMs, locks: closesAtMs - 1000 } as const
    await queueEntries(db, [{ kind: 'round', fields: { ...fields, closes: closesAtMs, source: 'simulated' } }])
    return id
  }
  const enterBet = async (round: string): Promise<string> => {
    const betId = newId()
    await queueBets(db, [{ betId, roundId: round, commitment: Buffer.from(C, 'base64') }], Date.now())
    return betId
  }
  const addSeed = (daysFromNow: number) =>
    db.query(
      `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history)
       select (clock_timestamp() at time zone 'UTC')::date + $1::integer, s, sha256(s), 4000000, false from sha256($1::text::bytea) s`,
      [daysFromNow],
    )

  test('begins with the last note, rules and seeds, and has every unfinished round again', async () => {
    const today = Math.floor(Date.now() / 86_400_000)
    await addSeed(-1)
    await addSeed(0)
    await addSeed(1)
    const book = await open()
    const [running, waiting, closing, closed] = [
      await enterRound(),
      await enterRound(),
      await enterRound(),
      await enterRound(),
    ]
    const sealedBet = await enterBet(running)
    await enterBet(closed)
    await enterBet(closing)
    const deletion = { act: 'round.delete', actor: null, round: running, bet: null, amount: null, c: null } as const
    await queueEntries(db, [
      { kind: 'act', fields: deletion },
      { kind: 'act', fields: { ...deletion, round: closed } },
    ])
    for (const round of [closed, closing])
      await queueEntries(db, [{ kind: 'result', fields: { round, ticks: [1], ages: null, result: null, by: 'PRICE' } }])
    await queueEntries(db, [{ kind: 'closed', fields: closedFields(closed) }])
    await db.query(`update rounds set book = 'closed' where id = any($1::uuid[])`, [[closed, closing]])
    await book.turn()
    const last = book.head()!
    // These wait when the log ends: a bet, a last entry with places of the old log, an act about one of its bets.
    const waitingBet = await enterBet(waiting)
    await queueEntries(db, [
      { kind: 'closed', fields: closedFields(closing) },
      { kind: 'feed', fields: { source: 'pyth', state: 'closed', why: 'STALE' } },
      { kind: 'act', fields: { act: 'balance.adjust', actor: null, round: null, bet: 7, amount: 5, c: null } },
      { kind: 'dispute', fields: { bet: 7, state: 'opened', c: C } },
    ])

    const report = await restart('RESTORED')
    expect(report).toMatchObject({ is: 'restarted', origin: 'kim.example/gold/2', previousSize: last.size, rounds: 3 })

    const [first, ...rest] = await entriesOf(2)
    expect(first).toMatchObject({ k: 'restart', why: 'RESTORED' })
    const previous = first?.k === 'restart' ? fromBase64(first.previous) : null
    expect(Buffer.from(previous ?? []).toString()).toBe(last.note)
    expect(rest[0]).toMatchObject({ k: 'rules' })
    expect(rest.flatMap((entry) => (entry.k === 'seed' ? [entry.day] : []))).toEqual([today, today + 1])
    const again = rest.flatMap((entry) =>
      'round' in entry && entry.round !== null ? [`${entry.k} ${entry.round}`] : [],
    )
    expect(again).toEqual([
      `round ${running}`,
      `round ${waiting}`,
      `round ${closing}`,
      `bet ${running}`,
      `bet ${closing}`,
      // Whoever reads the next log alone sees that staff deleted the round.
      `act ${running}`,
      `result ${closing}`,
      `bet ${waiting}`,
    ])
    expect(rest.slice(-3)).toMatchObject([
      { k: 'feed', source: 'pyth' },
      { k: 'act', bet: null, amount: 5 },
      { k: 'beat' },
    ])
    // Exactly as they were sealed before, the time included.
    const before = (await entriesOf(1)).find((entry) => entry.k === 'bet' && entry.round === running)
    expect(rest).toContainEqual(before)
    expect((await db.query(`select 1 from book_notable where at_ms <> (line::jsonb ->> 'at')::bigint`)).rows).toEqual(
      [],
    )
    const { rows: reopened } = await db.query(`select id from rounds where book = 'open' order by id`)
    expect(reopened.map(({ id }) => id)).toEqual([running, waiting, closing].toSorted())
    const { rows: places } = await db.query(`select generation from book_places where bet_id = any($1::uuid[])`, [
      [sealedBet, waitingBet],
    ])
    expect(places.map(({ generation }) => generation).toSorted()).toEqual([1, 2, 2])

    // The running server goes on with it.
    await queueEntries(db, [{ kind: 'act', fields: { ...act, amount: 6 } }])
    await book.turn()
    expect(book.head()).toMatchObject({ generation: 2 })
    expect(book.signer()?.origin).toBe('kim.example/gold/2')
    expect((await entriesOf(2)).at(-2)).toMatchObject({ k: 'act', amount: 6 })
    expect(readTipFile(dir)).toBe(book.head()?.note)
    expect((await db.query('select 1 from book_queue')).rowCount).toBe(0)
  })

  test.skipIf(engine === 'embedded')(
    'commits once to seeds that are added at that moment (PostgreSQL only)',
    async () => {
      const book = await open()
      await book.turn()
      const day = Math.floor(Date.now() / 86_400_000) + 1
      const isAdding = Promise.withResolvers<void>()
      const adding = db.tx(async (tx) => {
        await tx.query('lock table simulated_seeds in share row exclusive mode')
        await tx.query(
          `insert into simulated_seeds (day, seed, commitment, start_price, is_public_history)
         select date '1970-01-01' + $1::integer, s, sha256(s), 4000000, false from sha256('seed'::bytea) s`,
          [day],
        )
        await queueEntries(tx, [{ kind: 'seed', fields: { day, commitment: C } }])
        isAdding.resolve()
        await sleep(300)
      })
      await isAdding.promise
      expect((await restart('RESTORED')).is).toBe('restarted')
      await adding
      await book.turn()
      expect((await entriesOf(2)).flatMap((entry) => (entry.k === 'seed' ? [entry.day] : []))).toEqual([day])
    },
  )

  describe.skipIf(engine === 'embedded')('begins at the moment (PostgreSQL only)', () => {
    /** Restarts the log, and begins `work` while the restart is under way. Both have ended at the end. */
    const restartBeside = async (work: () => Promise<unknown>) => {
      const isUnderWay = Promise.withResolvers<void>()
      const reopenRounds = () => {
        isUnderWay.resolve()
        return sleep(300)
      }
      const restarting = restartLog({ db, key: testBookKey, dataDir: null, reopenRounds }, 'RESTORED')
      await isUnderWay.promise
      await Promise.all([restarting, work()])
    }

    test('of a process’s start: a seed is committed once', async () => {
      const book = await open()
      await book.turn()
      await addSeed(1)
      await restartBeside(open)
      await book.turn()
      expect((await entriesOf(2)).filter(({ k }) => k === 'seed')).toHaveLength(1)
    })

    test('of a round’s end: nothing with places of the log before is entered', async () => {
      const book = await open()
      const round = await enterRound()
      await queueEntries(db, [{ kind: 'result', fields: { round, ticks: [1], ages: null, result: null, by: 'PRICE' } }])
      await book.turn()
      await db.query(
        `update rounds set status = 'ended', ended_at = now(), closes_at = date_trunc('second', now()) where id = $1`,
        [round],
      )
      const close = () => closeDueInBook({ db, prices: { isLive: () => false }, log: { error: () => expect.fail() } })
      await restartBeside(close)
      expect((await db.query('select kind from book_queue')).rows).toEqual([])
      await close()
      expect((await db.query('select kind from book_queue')).rows).toEqual([{ kind: 'closed' }])
    })
  })

  test('both logs are served, and readers find the newest', async () => {
    const book = await open()
    await queueEntries(db, [{ kind: 'act', fields: act }])
    await book.turn()
    const oldNote = book.head()?.note
    await restart('RESTORED')
    const app = await buildTestApp(db, { book })
    try {
      await app.book.turn()
      const get = async (path: string) => {
        const answer = await app.http.inject({ url: path })
        return { status: answer.statusCode, bytes: new Uint8Array(answer.rawPayload) }
      }
      const textOf = async (path: string) => Buffer.from((await get(path)).bytes).toString()
      expect(await textOf('/log/checkpoint')).toBe(oldNote)
      expect(await textOf('/log/2/checkpoint')).toBe(book.head()?.note)
      expect(JSON.parse(await textOf('/log/logs'))).toMatchObject([
        { origin: 'kim.example/gold/2', prefix: '/log/2' },
        { origin: 'kim.example/gold', prefix: '/log' },
      ])
      const source = await openBookSource({ get, sha256, verifyEd25519 })
      const head = await source.head()
      expect(head).toMatchObject({ origin: 'kim.example/gold/2', size: book.head()?.size })
      const lines: string[] = []
      for await (const part of source.entries(head, 0, head.size)) lines.push(...part.lines)
      expect(lines).toHaveLength(head.size)
      const older = await openBookSource({ get, sha256, verifyEd25519, origin: 'kim.example/gold' })
      const [{ size }, ofOlder, ofNewest] = [await older.head(), await older.anchors(100), await source.anchors(100)]
      // The rules stand first in the first log, and after the note of the log before in the next.
      expect([ofOlder.rules, ofNewest.rules]).toEqual([0, 1])
      expect(size).toBe(3)
      const unknown = await app.call('GET', '/api/v1/book/anchors?before=9&origin=kim.example')
      expect(unknown.body.data).toEqual({ rules: null, seeds: [] })
      const reply = await app.call('GET', '/api/v1/book/status')
      expect(reply.body.data).toMatchObject({
        origin: 'kim.example/gold/2',
        prefix: '/log/2',
        isSealing: true,
        why: null,
      })
    } finally {
      await app.close()
    }
  })

  test('a database that went back behind log-tip goes on in the next log, which names the newer note', async () => {
    const book = await open()
    await book.turn()
    const newer = testBookKey.signerOf('kim.example/gold')
    const ahead = newer.signNote(newer.origin, `kim.example/gold\n1000\n${C}\n`)
    writeFileSync(join(dir, 'log-tip'), ahead)
    const restarted = await open()
    expect(restarted.stopWhy()).toBe('AHEAD')
    expect(await restart('RESTORED')).toMatchObject({ is: 'restarted', previousSize: 1000 })
    const [first] = await entriesOf(2)
    expect(first?.k === 'restart' ? Buffer.from(fromBase64(first.previous) ?? []).toString() : '').toBe(ahead)
    await restarted.turn()
    expect(restarted.stopWhy()).toBeNull()
    expect(restarted.head()?.generation).toBe(2)
    // A process that starts now has a log-tip of the new log.
    expect((await open()).stopWhy()).toBeNull()
  })

  test('a database from before a restart does not begin the same log twice', async () => {
    await (await open()).turn()
    const signer = testBookKey.signerOf('kim.example/gold/2')
    writeFileSync(join(dir, 'log-tip'), signer.signNote(signer.origin, `kim.example/gold/2\n5\n${C}\n`))
    expect((await open()).stopWhy()).toBe('AHEAD')
    expect(await restart('RESTORED')).toMatchObject({ origin: 'kim.example/gold/3', previousSize: 5 })
  })

  test('a new database beside the log-tip of another begins with the next log', async () => {
    const signer = testBookKey.signerOf('kim.example/gold')
    const note = signer.signNote(signer.origin, `kim.example/gold\n5\n${C}\n`)
    writeFileSync(join(dir, 'log-tip'), note)
    const book = await open()
    await book.turn()
    expect([book.stopWhy(), book.head()]).toEqual(['AHEAD', null])
    expect(await restart('RESTORED')).toMatchObject({ origin: 'kim.example/gold/2', previousSize: 5 })
    await book.turn()
    expect([book.stopWhy(), book.head()?.generation]).toEqual([null, 2])
  })

  test('of a database that went back in its second log, the first is served while nothing is signed', async () => {
    const book = await open()
    await book.turn()
    const firstNote = book.head()?.note
    await restart('RESTORED')
    await book.turn()
    const signer = testBookKey.signerOf('kim.example/gold/2')
    writeFileSync(join(dir, 'log-tip'), signer.signNote(signer.origin, `kim.example/gold/2\n1000\n${C}\n`))
    const app = await buildTestApp(db, { book: await open() })
    try {
      const get = async (path: string) => {
        const { statusCode, payload } = await app.http.inject({ url: path })
        return statusCode === 200 ? payload : statusCode
      }
      expect(app.book.stopWhy()).toBe('AHEAD')
      expect([await get('/log/checkpoint'), await get('/log/2/checkpoint')]).toEqual([firstNote, 404])
    } finally {
      await app.close()
    }
  })

  test('a key that is lost or exposed is not used again; before the first note there is nothing to end', async () => {
    const book = await open()
    expect(await restart('RESTORED')).toEqual({ is: 'refused', why: 'NOT_BEGUN' })
    await book.turn()
    expect(await restart('KEY_EXPOSED')).toEqual({ is: 'refused', why: 'SAME_KEY' })
    expect(await restart('KEY_LOST')).toEqual({ is: 'refused', why: 'SAME_KEY' })
    expect(await restart('KEY_LOST', otherKey)).toMatchObject({ is: 'restarted', origin: 'kim.example/gold/2' })
    // The process with the old key shows the new log and signs nothing.
    await book.turn()
    expect([book.stopWhy(), book.signer(), book.head()?.generation]).toEqual(['OTHER_KEY', null, 2])
    const next = await open({ key: otherKey })
    await next.turn()
    expect(next.stopWhy()).toBeNull()
  })
})

const act = { act: 'ledger.clear', actor: null, round: null, bet: null, amount: null, c: null } as const

const closedFields = (round: string) => ({
  ...{ round, deleted: false, announce: null, evidence: [], bets: 1, won: 0, lost: 0, voided: 1, staked: 0 },
  ...{ profit: 0, root: C },
})
