import { beforeAll, describe, expect, test } from 'vitest'
import { adjustmentTransfer, depositTransfer, refillTransfer } from '#domain/ledger/transfers.ts'
import { minorToNumber, points } from '#domain/money.ts'
import { recordAct } from '#server/features/audit/index.ts'
import { createBetPlacer, settleDue } from '#server/features/game/index.ts'
import { createClock } from '#server/platform/process/clock.ts'
import type { Database, Tx } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { createAdmin, endWithdrawal, holdWithdrawal, letPass } from '#testing/play/books.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { auditLedger, explainTransfers } from './explain-transfers.ts'
import { postTransfers } from './post-transfers.ts'

const NOTE = 'Điều chỉnh'

describe.each(testEngines)('every transfer beside its cause on %s', (engine) => {
  const db = useDatabase(engine, { areReset: false })
  /** One transfer of each kind, by its reason. */
  let reasons: string[]
  beforeAll(async () => {
    const admin = await createAdmin(db)
    const [bettor, winner, loser, filer, adjusted] = await createPlayers(db, 5)
    const prices = fixedPrices((second) => 2_500_000 + (second % 10_000))
    const place = createBetPlacer({ db, prices, hints: noHints }, encodeBet)
    const ended = await createRound(db, { leftS: 40 })
    for (const [player, direction] of [
      [winner, 'up'],
      [loser, 'down'],
    ] as const)
      expect((await place(wish(player, ended.id, 10, direction))).ok).toBe(true)
    await letPass(db, 45)
    const clock = await createClock(db)
    await settleDue({ db, clock, log: createLog('silent'), prices, hints: noHints })
    clock.stop()
    expect((await place(wish(bettor, (await createRound(db)).id))).ok).toBe(true)
    for (const how of ['capture', 'release'] as const) {
      const id = newId()
      await holdWithdrawal(db, id, filer.id, points(5))
      await endWithdrawal(db, id, filer.id, how, admin.userId)
    }
    const depositId = newId()
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Ho_Chi_Minh' }).format(new Date())
    await db.tx(async (tx) => {
      await tx.query(
        `insert into cash_requests (id, owner_id, kind, amount, bank_id, account_number, account_holder, bank_name, created_at,
             status, decided_by, decided_at)
         values ($1, $2, 'deposit', $3, $1, '0', 'TEST', 'TEST', clock_timestamp(), 'approved', $4, clock_timestamp())`,
        [depositId, filer.id, points(7), admin.userId],
      )
      await postTransfers(tx, [depositTransfer(depositId, filer.id, points(7), admin.userId)], Date.now())
      const { rows } = await tx.query<{ balance: bigint }>(
        `select balance from ledger_accounts where kind = 'wallet' and owner_id = $1`,
        [adjusted.id],
      )
      const before = rows[0]?.balance ?? 0n
      const down = adjustmentTransfer(newId(), adjusted.id, points(5) - before, admin.userId, NOTE)
      await postTransfers(tx, [down], Date.now())
      await recordAct(tx, admin.userId, 'user.update', `user:${adjusted.id}`, {
        before: { balance: minorToNumber(before) },
        after: { balance: 5 },
        reason: NOTE,
      })
      await postTransfers(tx, [refillTransfer(adjusted.id, day, points(3))], Date.now())
    })
    const { rows } = await db.query<{ reason: string }>('select distinct reason from ledger_transfers order by reason')
    reasons = rows.map(({ reason }) => reason)
  })

  const ROLLBACK = new Error('rolled back')
  /** What is found after a change by somebody who may do everything in SQL; the change is taken back. */
  async function foundAfter(change: string): Promise<string[]> {
    const found: string[] = []
    await db
      .tx(async (tx: Tx) => {
        await tx.query('set local session_replication_role = replica')
        if ((await tx.query(change)).rowCount === 0) throw new Error(`Nothing was changed: ${change}`)
        found.push(...(await findingsIn(tx)))
        throw ROLLBACK
      })
      .catch((error: unknown) => {
        if (error !== ROLLBACK) throw error
      })
    return found
  }
  const findingsIn = async (tx: Tx): Promise<string[]> => {
    // The same statement on the same rows, in the transaction that changed them.
    const inside: Database = Object.assign(Object.create(db) as Database, { query: tx.query.bind(tx) })
    return (await explainTransfers(inside)).findings.map(({ found }) => found)
  }

  test('finds nothing in books that nobody changed', async () => {
    expect(reasons).toEqual([
      ...['ADJUSTMENT', 'BET_LOSS', 'BET_PROFIT', 'BET_RETURN', 'BET_STAKE', 'DEPOSIT', 'REFILL', 'WELCOME'],
      ...['WITHDRAWAL_HOLD', 'WITHDRAWAL_PAID', 'WITHDRAWAL_RELEASED'],
    ])
    expect((await auditLedger(db)).findings).toEqual([])
  })

  test.each([
    ['reason', `reason = case reason when 'ADJUSTMENT' then 'DEPOSIT' else 'ADJUSTMENT' end`],
    ['actor', `actor = 'system!'`],
    ['ref', `ref = 'user:x'`],
    ['note', `note = 'khác'`],
    ['created_at', `created_at = created_at - interval '1 day'`],
    ['amount', `amount = amount + 1`],
  ])('names %s where it is not what the cause says', async (field, flip) => {
    for (const reason of reasons) {
      // Welcome points have no other record of their amount, and a refill only one of what was there before: sums show those.
      if (field === 'amount' && ['WELCOME', 'REFILL'].includes(reason)) continue
      const found = await foundAfter(
        `update ledger_transfers set ${flip} where seq = (select min(seq) from ledger_transfers where reason = '${reason}')`,
      )
      expect({ reason, flip, found: found.length }).toEqual({ reason, flip, found: 1 })
      const isUncaused = reason === 'ADJUSTMENT' && (field === 'note' || field === 'created_at')
      expect(found[0]).toContain(isUncaused ? 'nothing caused it' : `: ${field}`)
    }
  })

  test('names a transfer that nothing caused, and one that nobody’s act is behind', async () => {
    expect(
      await foundAfter(
        `update ledger_transfers set id = 'forged' where seq = (select max(seq) from ledger_transfers where reason = 'BET_STAKE')`,
      ),
    ).toEqual(['transfer forged: nothing caused it'])
    const [found, ...others] = await foundAfter(`delete from audit_log where act = 'user.update'`)
    expect(found).toMatch(/^transfer adjust:.*: nothing caused it$/)
    expect(others).toEqual([])
  })

  test('one act explains one adjustment, of its amount and side, and a refill fills up what is nearly empty', async () => {
    const another = (values: string) =>
      foundAfter(`insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, note, created_at,
          wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
        select 'adjust:00000000-0000-4000-8000-000000000001', ${values} from ledger_transfers where reason = 'ADJUSTMENT'`)
    const rest = 'reason, actor, ref, note, created_at, wallet_account, wallet_seq + 9, amount'
    expect(await another(`to_account, from_account, amount, ${rest}, wallet_balance_after + amount`)).toEqual([
      expect.stringContaining('nothing caused it'),
    ])
    expect(await another(`to_account, from_account, amount + 1, ${rest}, wallet_balance_after`)).toEqual([
      expect.stringContaining('accounts, amount'),
    ])
    expect(
      await foundAfter(`update ledger_transfers set wallet_balance_after = 200000 where reason = 'REFILL'`),
    ).toEqual([expect.stringContaining('amount')])
  })
})
