import { describe, expect, test } from 'vitest'
import { holdTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createPlayers } from '#testing/play/rounds.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { lockAccounts, lockFreeAccounts } from './accounts.ts'
import { postTransfers } from './post-transfers.ts'

describe.runIf(testEngines.includes('native'))('accounts that are locked (PostgreSQL only)', () => {
  const db = useDatabase('native')

  test('who waits for them reads what their last holder wrote; who does not wait leaves their owner out', async () => {
    const [busy, free] = await createPlayers(db, 2)
    const balances = (lock: typeof lockAccounts) =>
      db.tx(async (tx) =>
        (await lock(tx, [busy.id, free.id])).map(
          ({ ownerId, kind, balanceMinor }) => `${ownerId === busy.id ? 'busy' : 'free'} ${kind} ${balanceMinor}`,
        ),
      )
    const ofFree = ['free wallet 100000', 'free staked 0', 'free reserved 0']
    const held = await holdOpen(db, (tx) => postTransfers(tx, [holdTransfer(newId(), busy.id, points(40))], Date.now()))
    const waits = balances(lockAccounts)
    try {
      await expect.poll(async () => (await db.query(WAITING)).rows, { timeout: 10_000 }).toHaveLength(1)
      expect(await balances(lockFreeAccounts)).toEqual(ofFree)
    } finally {
      await held.commit()
    }
    expect(await waits).toEqual(['busy wallet 96000', 'busy staked 0', 'busy reserved 4000', ...ofFree])
  })
})

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
