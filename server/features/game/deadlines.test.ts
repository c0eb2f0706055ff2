import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { windowOf } from '#domain/game/calendar.ts'
import type { Subject } from '#domain/identity/permissions.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { isRefused } from '#server/platform/http/errors.ts'
import { openNative } from '#server/platform/database/native.ts'
import { brokenInvariants, createAdmin } from '#testing/play/books.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { openSettableDatabase, type SettableDatabase } from '#testing/time/settable-database.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { deleteRound } from './delete-round.ts'
import { forceCreateRound } from './force-create-round.ts'
import { openRound } from './open-round.ts'
import { createBetPlacer } from './place-bets.ts'
import { setResult } from './set-result.ts'
import { settleRound } from './settle-round.ts'

const rising = fixedPrices((second) => second)

/** The locks that an act may have to wait for, each held by another transaction. */
const LOCKS: ReadonlyArray<
  readonly [what: string, take: (tx: Tx, subject: Subject, roundId: string) => Promise<unknown>]
> = [
  ['the round', (tx, _, roundId) => tx.query('select 1 from rounds where id = $1 for update', [roundId])],
  ['the actor’s row', (tx, { userId }) => tx.query('select 1 from users where id = $1 for update', [userId])],
  [
    'the actor’s session',
    (tx, { sessionId }) => tx.query('select 1 from sessions where id = $1 for update', [sessionId]),
  ],
  ['the tip of the audit log', (tx) => tx.query('select 1 from audit_tip for update')],
]

describe.runIf(testEngines.includes('native'))('an act that waits beyond its deadline (PostgreSQL only)', () => {
  let db: SettableDatabase
  let other: Database
  let admin: Subject
  const deps = () => ({ db, prices: rising, hints: noHints })
  beforeAll(async () => {
    db = await openSettableDatabase('native')
    other = openNative({ url: db.url ?? '', max: 2 })
  })
  beforeEach(async () => {
    await resetDatabase(db)
    await db.setAhead(0)
    admin = await createAdmin(db)
  })
  afterAll(async () => {
    await other.close()
    await db.close()
  })

  /**
   * Starts the act while another transaction holds a lock, lets the time pass, and releases the lock once the act waits
   * for it.
   */
  async function waitFor<T>(
    take: (tx: Tx) => Promise<unknown>,
    act: () => Promise<T>,
    passTime: () => Promise<void>,
  ): Promise<T> {
    const held = await holdOpen(other, take)
    const acting = act()
    try {
      await expect.poll(isSomebodyWaiting, { timeout: 5_000, interval: 5 }).toBe(true)
      await passTime()
    } finally {
      await held.commit()
    }
    return await acting
  }
  const isSomebodyWaiting = async () => {
    const { rowCount } = await db.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount > 0
  }
  const everything = async () => {
    const all: Record<string, unknown> = {}
    for (const table of ['rounds', 'bets', 'audit_log', 'audit_tip', 'ledger_transfers', 'ledger_accounts'])
      all[table] = (await db.query(`select t::text as row from ${table} t order by 1`)).rows
    return all
  }

  /** A running round with a bet and 30 s left. */
  async function runningRound(): Promise<string> {
    const round = await createRound(db, { type: '60s', goneS: 30, leftS: 30 })
    const [player] = await createPlayers(db, 1)
    expect(await createBetPlacer(deps(), encodeBet)(wish(player, round.id))).toMatchObject({ ok: true })
    return round.id
  }
  const acts = [
    ['deleting a round', (roundId: string) => deleteRound(deps(), admin, roundId)],
    ['announcing a result', (roundId: string) => setResult(deps(), admin, roundId, 'up')],
  ] as const

  describe.each(LOCKS)('for %s', (_, take) => {
    test.each(acts)('%s changes nothing', async (__, act) => {
      const roundId = await runningRound()
      const before = await everything()
      const answer = await waitFor(
        (tx) => take(tx, admin, roundId),
        () => act(roundId),
        () => db.setAhead(21_000),
      )
      expect(answer).toMatchObject({ code: 'TOO_LATE' })
      expect(await everything()).toEqual(before)
      expect(await brokenInvariants(db)).toEqual([])
    })

    test.each(acts)('%s in time still happens', async (__, act) => {
      const roundId = await runningRound()
      const answer = await waitFor(
        (tx) => take(tx, admin, roundId),
        () => act(roundId),
        () => sleep(5),
      )
      expect(isRefused(answer)).toBe(false)
    })
  })

  test.each(LOCKS)('for %s: force-create creates no round', async (what, take) => {
    const window = windowOf('120s', Date.now())
    // At the window's start, whenever the test runs.
    await db.freezeAt(window.opensAtMs + 1_000)
    await openRound(db, rising, '120s', window.opensAtMs + 1_000)
    const { rows } = await db.query<{ id: string }>('update rounds set deleted_at = clock_timestamp() returning id')
    const before = await everything()
    const answer = await waitFor(
      (tx) => take(tx, admin, rows[0]?.id ?? ''),
      () => forceCreateRound(deps(), admin, '120s', window.opensAtMs + 1_000),
      () => db.freezeAt(window.closesAtMs - 9_999),
    )
    expect([what, answer]).toMatchObject([what, { code: 'TOO_LATE_TO_CREATE' }])
    expect(await everything()).toEqual(before)
  })

  test.each([
    ['the round', 'select 1 from rounds for update'],
    ['the player’s row', 'select 1 from users for update'],
    ['the session', 'select 1 from sessions for update'],
    ['the accounts', 'select 1 from ledger_accounts for update'],
  ])('for %s: a bet is refused, and its stake stays', async (_, lock) => {
    const round = await createRound(db, { leftS: 30 })
    const [player] = await createPlayers(db, 1)
    const before = await everything()
    const answer = await waitFor(
      (tx) => tx.query(lock),
      () => createBetPlacer(deps(), encodeBet)(wish(player, round.id)),
      () => db.setAhead(30_000),
    )
    expect(answer).toEqual({ ok: false, refusal: 'ROUND_CLOSING' })
    expect(await everything()).toEqual(before)
  })

  test('for a player’s accounts: a deleted round is deleted, and its bets are closed when they are free', async () => {
    const roundId = await runningRound()
    const impatient = openNative({ url: db.url ?? '', max: 2, lockTimeoutMs: 100 })
    const accounts = `select 1 from ledger_accounts where kind = 'wallet' and owner_id is not null for update`
    const held = await holdOpen(other, (tx) => tx.query(accounts))
    try {
      expect(await deleteRound({ ...deps(), db: impatient }, admin, roundId)).toBeNull()
    } finally {
      await held.commit()
      await impatient.close()
    }
    const statuses = async () => (await db.query('select status from bets')).rows.map(({ status }) => status)
    expect(await statuses()).toEqual(['open'])
    await settleRound(deps(), roundId)
    expect(await statuses()).toEqual(['voided'])
    expect(await brokenInvariants(db)).toEqual([])
  })

  test.each(acts)('for a session that ends meanwhile: %s is refused', async (_, act) => {
    const roundId = await runningRound()
    const before = await everything()
    await db.query(`update sessions set expires_at = clock_timestamp() + interval '5 s' where id = $1`, [
      admin.sessionId,
    ])
    const answer = await waitFor(
      (tx) => tx.query('select 1 from sessions where id = $1 for update', [admin.sessionId]),
      () => act(roundId),
      () => db.setAhead(6_000),
    )
    expect(answer).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await everything()).toEqual(before)
  })
})
