import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromBase64 } from '#domain/book/bytes.ts'
import type { Entry, EntryKind, EntryOf } from '#domain/book/entry.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import { runOperatorCommand } from '#server/commands/operator-commands.ts'
import { newId } from '#server/platform/process/ids.ts'
import { testBookKey, testDataDir } from '#testing/app/app.ts'
import { inFolder } from '#testing/machines/folder.ts'
import { type BookWorld, createBookWorld, LIVE, tokenOf } from '#testing/book/book-world.ts'
import { encodeBet, type TestPlayer, wish } from '#testing/play/rounds.ts'
import { stepDatabase } from '#testing/killed/stepped-database.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { queueEntries, queueFeed } from './index.ts'

describe.each(testEngines)('facts on %s', (engine) => {
  let world: BookWorld
  let before = 0
  beforeAll(async () => void (world = await createBookWorld(engine, 3)))
  afterAll(() => world.close())

  /** Entries, beats left out, that were sealed since the last call. */
  const newEntries = async (): Promise<Entry[]> => {
    await world.book.turn()
    const all = (await world.entries()).filter(({ k }) => k !== 'beat')
    const found = all.slice(before)
    before = all.length
    return found
  }
  const kindsOf = (entries: readonly Entry[]) => entries.map(({ k }) => k)
  const only = <Kind extends EntryKind>(entries: readonly Entry[], kind: Kind): EntryOf<Kind>[] =>
    entries.filter((entry): entry is Extract<Entry, { k: Kind }> => entry.k === kind) as never
  const playerOf = (who: number) => world.players[who] as TestPlayer
  const update = (who: number, body: unknown) => world.asAdmin('POST', `/api/v1/user/${playerOf(who).id}`, body)

  test('the log begins with the rules and the seeds of today and of the days to come', async () => {
    const first = await newEntries()
    expect(kindsOf(first).slice(0, 1)).toEqual(['rules'])
    const { rows } = await world.db.query<{ day: number; commitment: Uint8Array }>(
      `select day - date '1970-01-01' as day, commitment from simulated_seeds where not is_public_history order by day`,
    )
    expect(only(first, 'seed').map(({ day, commitment }) => ({ day, commitment }))).toEqual(
      rows.map(({ day, commitment }) => ({ day, commitment: Buffer.from(commitment).toString('base64') })),
    )
    expect(rows).toHaveLength(9)
  })

  test('an adjustment is told with its amount, and its owner can open its reason', async () => {
    await update(0, { score: 1500.25, reason: 'quà sinh nhật' })
    const [entry, ...more] = await newEntries()
    expect(more).toEqual([])
    expect(entry).toMatchObject({ k: 'act', act: 'balance.adjust', round: null, bet: null, amount: 50_025 })
    const act = entry as EntryOf<'act'>
    expect(act.actor).toMatch(/^[A-Za-z0-9+/]{12}$/)
    const ledger = await world.app.call('GET', '/api/v1/user/ledger', { token: tokenOf(playerOf(0)) })
    const row = ledger.rows[0] as { note: string; noteSalt: string }
    const opened = createHash('sha256')
      .update(fromBase64(row.noteSalt) ?? '')
      .update(row.note)
    expect(opened.digest('base64')).toBe(act.c)
    expect(row.note).toBe('quà sinh nhật')

    await update(0, { score: 1000 })
    const [second] = await newEntries()
    // One person has one pseudonym, and the same reason never the same commitment.
    expect(second).toMatchObject({ act: 'balance.adjust', amount: -50_025, actor: act.actor })
    expect((second as EntryOf<'act'>).c).not.toBe(act.c)
  })

  test('a script is told when it is set and when it is cleared, and what else staff change is not', async () => {
    await update(1, { isWin: true })
    await update(1, { vip: 3 })
    await update(1, { isWin: null })
    expect(await newEntries()).toMatchObject([
      { k: 'act', act: 'script.set', round: null, bet: null, amount: null, c: null },
      { k: 'act', act: 'script.clear', round: null, bet: null, amount: null, c: null },
    ])
  })

  test('opening the books again is told as an act of the system, and they stay closed if that fails', async () => {
    const clear = () =>
      runOperatorCommand(
        {
          ...{ db: world.db, dataDir: testDataDir, bookKey: () => testBookKey },
          backup: { secret: () => new Uint8Array(32), auditKey: null },
        },
        'ledger:clear',
      )
    const failures = async () => (await world.db.query(`select failed_at from ledger_checkpoint`)).rows
    await newEntries()
    await world.db.query(`update ledger_checkpoint set failed_at = clock_timestamp(), failure = '{}'`)
    await world.db.query(`create trigger bad before insert on audit_log for each row execute function refuse_change()`)
    await expect(clear().finally(() => world.db.query('drop trigger bad on audit_log'))).rejects.toThrow(
      'INSERT refused',
    )
    expect([await failures(), await newEntries()]).toEqual([[{ failed_at: expect.any(Date) }], []])
    await clear()
    expect(await failures()).toEqual([{ failed_at: null }])
    expect(await newEntries()).toMatchObject([{ k: 'act', act: 'ledger.clear', actor: null, c: null }])
  })

  test('a change of the feed is told once, whichever process saw it', async () => {
    const close = { source: LIVE, state: 'closed', why: 'STALE' } as const
    await Promise.all([queueFeed(world.db, close), queueFeed(world.db, close)])
    await queueFeed(world.db, { source: LIVE, state: 'open', why: 'OK' })
    const told = (await newEntries()).filter((entry) => entry.k === 'feed' && entry.source === LIVE)
    expect(told).toMatchObject([close, { source: LIVE, state: 'open', why: 'OK' }])
  })

  test('what is rolled back is not told, and a bet whose transaction fails is neither placed nor told', async () => {
    const fields = { source: 'x', state: 'open', why: 'OK' } as const
    const failing = world.db.tx(async (tx) => {
      await queueEntries(tx, [{ kind: 'feed', fields }])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')

    const round = await world.open('60s')
    expect(kindsOf(await newEntries())).toEqual(['round'])
    const broken = stepDatabase(world.db, {
      before(_, what) {
        if (what.startsWith('commit with')) throw new Error('no connection')
      },
    })
    const place = createBetPlacer({ ...world.deps, db: broken }, encodeBet)
    await expect(place({ ...wish(playerOf(0), round), betId: newId() })).rejects.toThrow('no connection')
    expect(await newEntries()).toEqual([])
  })

  test('a bet that staff refuse, and a second announcement, leave no entry', async () => {
    const round = await world.open('60s')
    expect(await world.asAdmin('POST', '/api/v1/history', { gameId: round, score: 1, value: 'UP' })).toMatchObject({
      status: 403,
    })
    expect(await world.asAdmin('POST', `/api/v1/game/${round}`, { result: 'DOWN' })).toMatchObject({ status: 200 })
    expect(await world.asAdmin('POST', `/api/v1/game/${round}`, { result: 'UP' })).toMatchObject({ status: 409 })
    expect(kindsOf(await newEntries())).toEqual(['announce'])
  })

  test('a round that began before the log takes salted bets that are neither told nor promised', async () => {
    const round = await world.open('90s')
    await world.db.query(`update rounds set book = 'out' where id = $1`, [round])
    const [placed, again] = [
      await world.bet(2, round, 'UP', 'PRICE', 'outside'),
      await world.bet(2, round, 'UP', 'PRICE', 'outside'),
    ]
    expect(placed.body.data).toMatchObject({ promise: null, salt: expect.stringMatching(/^.{24}$/) })
    expect(again.body.data).toEqual(placed.body.data)
    expect(only(await newEntries(), 'bet')).toEqual([])
    const proof = await world.app.call('GET', `/api/v1/history/${(placed.body.data as { _id: string })._id}/proof`, {
      token: tokenOf(playerOf(2)),
    })
    expect(proof.body.code).toBe('NOT_IN_BOOK')
  })

  test('the end of a log is a row of the audit log; the next log promises the bets that it has', async () => {
    const rounds = [await world.open('30s'), await world.open('120s')]
    const bet = (at: number) => world.bet(at, rounds[at] ?? '', 'UP', 'PRICE', 'before')
    const promiseOf = ({ body }: Awaited<ReturnType<typeof bet>>) => (body.data as { promise: unknown }).promise
    for (const at of [0, 1]) expect(promiseOf(await bet(at))).toMatchObject({ size: 1 })
    await newEntries()
    await world.db.query(`update rounds set book = 'closed' where id = $1`, [rounds[0] ?? ''])
    await inFolder(async (dataDir) => {
      const backup = { secret: () => new Uint8Array(32), auditKey: null }
      const deps = { db: world.db, dataDir, bookKey: () => testBookKey, backup }
      expect(await runOperatorCommand(deps, 'log:restart KEY_LOST')).toMatchObject({ is: 'refused' })
      const report = await runOperatorCommand(deps, 'log:restart RESTORED')
      const { rows } = await world.db.query(`select actor, target, after from audit_log where act = 'log.restart'`)
      const after = { origin: (report as { origin?: string }).origin, why: 'RESTORED' }
      expect(rows).toEqual([{ actor: 'system', target: 'book', after }])
    })
    await world.book.turn()
    expect(promiseOf(await bet(0))).toBeNull()
    expect(promiseOf(await bet(1))).toMatchObject({ note: expect.stringContaining('/2/promise\n') as unknown })
  })
})
