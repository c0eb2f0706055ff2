import { beforeEach, describe, expect, test } from 'vitest'
import { adjustmentTransfer, stakeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createPlayers, type TestPlayer } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { readTotalsAtMs, totalAccounts } from './account-totals.ts'
import { postTransfers } from './post-transfers.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const adjust = (player: TestPlayer, wholePoints: number) =>
  adjustmentTransfer(newId(), player.id, points(wholePoints), 'system', 'Điều chỉnh')
const stake = (player: TestPlayer, wholePoints: number) => stakeTransfer(newId(), player.id, points(wholePoints))

describe.each(testEngines)('the totals of accounts on %s', (engine) => {
  const db = useDatabase(engine)
  let players: TestPlayer[]
  beforeEach(async () => {
    players = await createPlayers(db, 6)
    await post(adjust(players[0]!, 25), stake(players[1]!, 40))
  })

  const post = (...transfers: Parameters<typeof postTransfers>[1]) =>
    db.tx((tx) => postTransfers(tx, transfers, Date.now()))
  /** Whose totals differ from what their accounts add up to, recounted. */
  const wrong = async () => {
    const { rows } = await db.query<{ id: string }>(
      `select a.owner_id as id from ledger_accounts a left join account_totals t on t.user_id = a.owner_id
        where a.owner_id is not null group by a.owner_id, t.user_id
       having (t.balance, t.staked, t.transfers) is distinct from (
          sum(a.balance) filter (where kind = 'wallet'), sum(a.balance) filter (where kind = 'staked'),
          sum(a.transfer_count))`,
    )
    return rows.map(({ id }) => id)
  }
  const tamper = (...statements: string[]) => tamperWith(db, ...statements)

  test('are exact when recounted, and of a time before the pass ended', async () => {
    expect(await readTotalsAtMs(db)).toBeNull()
    const beforeMs = Date.now()
    expect(await totalAccounts(db)).toBe(true)
    expect(await wrong()).toEqual([])
    const firstAtMs = (await readTotalsAtMs(db)) ?? 0
    expect(firstAtMs).toBeGreaterThanOrEqual(beforeMs - 1)

    for (let turn = 0; turn < 4; turn++) {
      await post(stake(players[turn]!, 10 + turn), adjust(players[turn + 1]!, -3), adjust(players[0]!, 1))
      expect(await wrong()).not.toEqual([])
      expect(await totalAccounts(db)).toBe(true)
      expect(await wrong()).toEqual([])
    }
    expect(await readTotalsAtMs(db)).toBeGreaterThan(firstAtMs)
  })

  test('have a new user at once, and what the user then wins in the next pass', async () => {
    await totalAccounts(db)
    const [late] = await createPlayers(db, 1, { prefix: 'late' })
    const { rows } = await db.query(`select balance from account_totals where user_id = $1`, [late.id])
    expect(rows).toEqual([{ balance: 0n }])
    await totalAccounts(db)
    expect(await wrong()).toEqual([])
  })

  test('are no answer before every user was filled, and a stopped fill goes on where it was', async () => {
    // Without their rows, as they are where users were there before the totals.
    await tamper(`delete from account_totals`)
    expect(await totalAccounts(db, () => true)).toBe(false)
    expect(await readTotalsAtMs(db)).toBeNull()
    // Stopped after half of the users.
    const half = players.map(({ id }) => id).toSorted()[2]!
    await db.query(`update account_totals_mark set filled_to = $1`, [half])
    await tamper(`delete from account_totals`)
    expect(await totalAccounts(db)).toBe(true)
    expect(await readTotalsAtMs(db)).not.toBeNull()
    const { rows } = await db.query<{ id: string }>(`select user_id as id from account_totals order by user_id`)
    expect(rows.map(({ id }) => id)).toEqual(
      players
        .map(({ id }) => id)
        .toSorted()
        .slice(3),
    )
  })

  test('are made by one process at a time; the claim of one that died ends', async () => {
    const asServers = () => totalAccounts(db, () => false, 60_000)
    const both = await Promise.all([asServers(), asServers(), asServers()])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await wrong()).toEqual([])
    // Fresh enough for another process.
    expect(await asServers()).toBe(false)

    await post(adjust(players[0]!, 5))
    await db.query(
      `update account_totals_mark set claimed_by = gen_random_uuid(), claimed_until = clock_timestamp() + interval '1 minute'`,
    )
    expect(await totalAccounts(db)).toBe(false)
    await db.query(`update account_totals_mark set claimed_until = clock_timestamp() - interval '1 second'`)
    expect(await totalAccounts(db)).toBe(true)
    expect(await wrong()).toEqual([])
  })

  test('a pass that lost its claim neither takes back newer totals nor moves the mark', async () => {
    await totalAccounts(db)
    const before = await readTotalsAtMs(db)
    await post(adjust(players[0]!, 5))
    // Another process takes over while this one was suspended before its batch.
    const suspended: Database = {
      ...db,
      query: async (text, params, options) => {
        if (text.includes('update account_totals t '))
          await db.query(`update account_totals_mark set claimed_by = gen_random_uuid()`)
        return db.query(text, params, options)
      },
    }
    const done = await totalAccounts(suspended)
    expect(done).toBe(false)
    expect(await readTotalsAtMs(db)).toBe(before)
    await db.query(`update account_totals_mark set claimed_by = null, claimed_until = null`)
    expect(await totalAccounts(db)).toBe(true)
    expect(await wrong()).toEqual([])
  })

  test('are filled again from a backup of another cluster, once', async () => {
    await totalAccounts(db)
    await tamper(
      `update account_totals_mark set snapshot_xmin = '900000000'`,
      `update ledger_transfers set tx_id = '899999999'`,
      `update account_totals set balance = 7, transfers = 0`,
    )
    expect(await totalAccounts(db)).toBe(true)
    expect(await wrong()).toEqual([])
    // The transfers from there stay ahead of this cluster's own: they are no reason to fill again.
    await tamper(`update account_totals set balance = 7 where user_id = '${players[5]!.id}'`)
    await post(adjust(players[0]!, 5))
    expect(await totalAccounts(db)).toBe(true)
    expect(await wrong()).toEqual([players[5]!.id])
  })

  test.runIf(engine === 'native')(
    'a transfer that is uncommitted during a pass is in the next one (PostgreSQL only)',
    async () => {
      await totalAccounts(db)
      let commit = () => {}
      const committed = new Promise<void>((resolve) => {
        commit = resolve
      })
      let posted = () => {}
      const isPosted = new Promise<void>((resolve) => {
        posted = resolve
      })
      const slow = db.tx(async (tx) => {
        await postTransfers(tx, [adjust(players[3]!, 77)], Date.now())
        posted()
        await committed
      })
      await isPosted
      // Of wallet and stake: the account that adjustments come from is locked.
      await post(stake(players[4]!, 5))
      expect(await totalAccounts(db)).toBe(true)
      commit()
      await slow
      expect(await wrong()).toEqual([players[3]!.id])
      expect(await totalAccounts(db)).toBe(true)
      expect(await wrong()).toEqual([])
    },
  )
})
