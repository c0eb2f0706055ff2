import { beforeEach, describe, expect, test, vi } from 'vitest'
import { adjustmentTransfer, holdTransfer, stakeTransfer, welcomeTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNative } from '#server/platform/database/native.ts'
import { endWithdrawal, holdWithdrawal } from '#testing/play/books.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import {
  createPlayers,
  createRound,
  encodeBet,
  fixedPrices,
  noHints,
  type TestPlayer,
  wish,
} from '#testing/play/rounds.ts'
import { holdOpen } from '#testing/database/hold-open.ts'
import { resetDatabase, testEngines } from '#testing/database/test-database.ts'
import { useDatabase } from '#testing/database/use-database.ts'
import { startLedgerGuard } from './guard.ts'
import { postTransfers } from './post-transfers.ts'
import { clearLedgerFailure, readLedgerState, verifyLedger } from './verify-ledger.ts'
import { tamperWith } from '#testing/database/tamper.ts'

const adjust = (player: TestPlayer, wholePoints: number) =>
  adjustmentTransfer(newId(), player.id, points(wholePoints), 'system', 'Điều chỉnh')

describe.each(testEngines)('the ledger verifier on %s', (engine) => {
  const db = useDatabase(engine)
  let players: TestPlayer[]
  beforeEach(async () => {
    players = await createPlayers(db, 3)
    await post(adjust(players[0]!, 25), adjust(players[0]!, -5), adjust(players[1]!, -900))
    await holdWithdrawal(db, newId(), players[2]!.id, points(40))
  })

  const post = (...transfers: Parameters<typeof postTransfers>[1]) =>
    db.tx((tx) => postTransfers(tx, transfers, Date.now()))
  /** Number of transfers that a check counted, which moves the checkpoint by default; it must have no findings. */
  const counted = async (isFull: boolean, keepBelow = 0) => {
    const { findings, transfers } = await verifyLedger(db, isFull, keepBelow)
    expect(findings).toEqual([])
    return transfers
  }
  /**
   * Writers in other databases of the same server delay the snapshots too: repeats the check until no older transaction
   * is left.
   */
  const settled = async () => {
    await expect.poll(() => counted(false), { timeout: 10_000, interval: 20 }).toBe(0)
  }
  const rulesOf = async (isFull: boolean) =>
    [...new Set((await verifyLedger(db, isFull)).findings.map(({ rule }) => rule))].toSorted()
  /** Changes rows as an attacker with control of the database could: without triggers and foreign keys. */
  const tamper = (...statements: string[]) => tamperWith(db, ...statements)
  const walletOf = (nth: number) =>
    `(select id from ledger_accounts where owner_id = '${players[nth]!.id}' and kind = 'wallet')`
  const lastRowOf = (nth: number) =>
    `(select id from ledger_transfers where wallet_account = ${walletOf(nth)} order by wallet_seq desc limit 1)`
  const checkpoint = async () => {
    const { rows } = await db.query<{ xmin: bigint; balances: bigint }>(
      `select snapshot_xmin::text::bigint as xmin, (select count(*) from ledger_checkpoint_balances) as balances from ledger_checkpoint`,
    )
    return rows[0]!
  }

  test('counts new transfers, moves its checkpoint, and counts each once', async () => {
    const before = await checkpoint()
    expect(await counted(false)).toBe(7)
    const after = await checkpoint()
    expect(after.xmin).toBeGreaterThan(before.xmin)
    // Three wallets, one reserved account, and the grants account behind them.
    await settled()
    expect((await checkpoint()).balances).toBe(5n)
    expect(await counted(false)).toBe(0)
    await post(adjust(players[1]!, 3))
    expect(await counted(false)).toBe(1)
    expect(await counted(true)).toBe(8)
    await settled()
    expect(await counted(false)).toBe(0)
  })

  test('few transfers leave the checkpoint where it is, and are counted again with those that follow', async () => {
    await settled()
    const before = await checkpoint()
    await post(adjust(players[1]!, 3))
    expect((await verifyLedger(db, false)).transfers).toBe(1)
    expect(await counted(false, 2)).toBe(1)
    expect(await checkpoint()).toEqual(before)
    await post(adjust(players[1]!, -3), adjust(players[0]!, -1_020))
    await expect.poll(() => counted(false, 2), { timeout: 10_000, interval: 20 }).toBe(0)
    expect((await checkpoint()).xmin).toBeGreaterThan(before.xmin)
    expect(await rulesOf(false)).toEqual([])
  })

  test('a checkpoint from another cluster with higher transaction ids is recounted in full', async () => {
    await settled()
    // The state of a restored backup: the checkpoint and every transfer carry ids that this cluster has not reached.
    await tamper(
      `update ledger_checkpoint set snapshot_xmin = '900000000'`,
      `update ledger_transfers set tx_id = '899999999'`,
    )
    expect(await counted(false)).toBe(7)
    await post(adjust(players[1]!, 3))
    await counted(false)
    await counted(false)
    expect(await rulesOf(true)).toEqual([])
  })

  test('finds nothing wrong with a request that was reserved, paid or released', async () => {
    const [paid, released] = [newId(), newId()]
    await holdWithdrawal(db, paid, players[0]!.id, points(10))
    await holdWithdrawal(db, released, players[1]!.id, points(10))
    expect(await rulesOf(false)).toEqual([])
    await endWithdrawal(db, paid, players[0]!.id, 'capture', players[2]!.id)
    await endWithdrawal(db, released, players[1]!.id, 'release', players[2]!.id)
    expect(await rulesOf(false)).toEqual([])
    expect(await rulesOf(true)).toEqual([])
  })

  const BALANCE = 'BALANCE_NOT_SUM_OF_TRANSFERS'
  const ROWS = 'WALLET_ROWS_NOT_CONTINUOUS'
  test.each<[name: string, statements: () => string[], found: string[]]>([
    [
      'a balance that was raised',
      () => [`update ledger_accounts set balance = balance + 1 where id = ${walletOf(0)}`],
      [BALANCE, 'SUM_NOT_ZERO', ROWS],
    ],
    [
      'a balance that was moved without a transfer',
      () => [
        `update ledger_accounts set balance = balance + 5 where id = ${walletOf(0)}`,
        `update ledger_accounts set balance = balance - 5 where id = ${walletOf(1)}`,
      ],
      [BALANCE, ROWS],
    ],
    [
      'a transfer that moved no balance',
      () => [
        `insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at)
         values ('forged', 9000000000000000003, ${walletOf(0)}, 100, 'WELCOME', 'system', 'user:x', clock_timestamp())`,
      ],
      [BALANCE],
    ],
    [
      'a transfer that its wallet’s rows leave out',
      () => [
        `insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at)
         values ('forged', 9000000000000000003, ${walletOf(0)}, 100, 'WELCOME', 'system', 'user:x', clock_timestamp())`,
        `update ledger_accounts set balance = balance + 100, transfer_count = transfer_count + 1 where id = ${walletOf(0)}`,
        `update ledger_accounts set balance = balance - 100, transfer_count = transfer_count + 1 where kind = 'grants'`,
      ],
      [ROWS],
    ],
    ['a transfer that was deleted', () => [`delete from ledger_transfers where id = ${lastRowOf(1)}`], [BALANCE, ROWS]],
    [
      'an amount that was changed',
      () => [`update ledger_transfers set amount = amount + 1 where id = ${lastRowOf(1)}`],
      [BALANCE, ROWS],
    ],
    [
      'a balance that its owner is shown',
      () => [`update ledger_transfers set wallet_balance_after = wallet_balance_after + 1 where id = ${lastRowOf(0)}`],
      [ROWS],
    ],
    [
      'a change that its owner is shown',
      () => [
        `update ledger_transfers set wallet_delta = wallet_delta + case when wallet_seq = 1 then 1 else -1 end
          where wallet_account = ${walletOf(0)} and wallet_seq < 3`,
      ],
      [ROWS],
    ],
    [
      'a row that was taken out of its wallet',
      () => [
        `update ledger_transfers set wallet_account = null, wallet_seq = null, wallet_delta = null,
           wallet_balance_after = null where id = ${lastRowOf(0)}`,
      ],
      [ROWS],
    ],
    [
      'a pending withdrawal that was made larger',
      () => [`update cash_requests set amount = amount + 1`],
      ['RESERVED_NOT_PENDING_WITHDRAWALS'],
    ],
    [
      'a pending withdrawal that disappeared',
      () => [`delete from cash_requests`],
      ['RESERVED_NOT_PENDING_WITHDRAWALS'],
    ],
  ])('a full check finds %s', async (_name, statements, found) => {
    expect(await rulesOf(false)).toEqual([])
    await tamper(...statements())
    expect(await rulesOf(true)).toEqual(found)
    expect(await readLedgerState(db)).toMatchObject({ isOpen: false })
  })

  test.each<[name: string, statements: () => string[], found: string[]]>([
    [
      'a balance that was raised by a cent',
      () => [`update ledger_accounts set balance = balance + 1 where id = ${walletOf(0)}`],
      [BALANCE, 'SUM_NOT_ZERO'],
    ],
    [
      'a balance that was moved without a transfer',
      () => [
        `update ledger_accounts set balance = balance + 5 where id = ${walletOf(0)}`,
        `update ledger_accounts set balance = balance - 5 where id = ${walletOf(1)}`,
      ],
      [BALANCE],
    ],
    [
      'a withdrawal that ended and left its hold',
      () => [`update cash_requests set status = 'rejected', decided_at = clock_timestamp(), rejection_reason = 'x'`],
      ['RESERVED_NOT_PENDING_WITHDRAWALS'],
    ],
  ])('a check of new transfers finds %s, though no transfer touches it', async (_name, statements, found) => {
    await settled()
    await tamper(...statements())
    expect(await rulesOf(false)).toEqual(found)
    expect(await readLedgerState(db)).toMatchObject({ isOpen: false })
  })

  test('a bet that was left open in a round that ended is found', async () => {
    const round = await createRound(db)
    const placer = createBetPlacer({ db, prices: fixedPrices(() => 2_500_000), hints: noHints }, encodeBet)
    expect((await placer(wish(players[0]!, round.id))).ok).toBe(true)
    expect(await rulesOf(false)).toEqual([])
    await tamper(`update rounds set status = 'ended' where id = '${round.id}'`)
    expect(await rulesOf(false)).toEqual(['OPEN_BET_OF_ENDED_ROUND'])
    expect(await rulesOf(true)).toEqual(['OPEN_BET_OF_ENDED_ROUND'])
  })

  test('an incremental check finds faults in accounts that new transfers touch', async () => {
    expect(await rulesOf(false)).toEqual([])
    const before = await checkpoint()
    await tamper(`update ledger_accounts set balance = balance + 1 where id = ${walletOf(0)}`)
    await post(adjust(players[0]!, 3))
    const report = await verifyLedger(db, false)
    expect(report.findings).toMatchObject([
      { rule: BALANCE, expected: '102300', found: '102301' },
      { rule: 'SUM_NOT_ZERO', expected: '0', found: '1' },
    ])
    // The evidence is checked again until an operator repairs it.
    expect(await checkpoint()).toEqual(before)
    expect(await rulesOf(false)).toEqual([BALANCE, 'SUM_NOT_ZERO'])
  })

  test('money that was staked without a bet, or reserved without a request, is found', async () => {
    await post(stakeTransfer(newId(), players[0]!.id, points(10)))
    expect(await rulesOf(false)).toEqual(['STAKED_NOT_OPEN_STAKES'])
    await post(holdTransfer(newId(), players[0]!.id, points(10)))
    expect(await rulesOf(true)).toEqual(['RESERVED_NOT_PENDING_WITHDRAWALS', 'STAKED_NOT_OPEN_STAKES'])
  })

  test('a balance below zero is refused by the table, and found when the table was altered', async () => {
    const overdraw = `update ledger_accounts set balance = -1 where id = ${walletOf(0)}`
    await expect(db.query(overdraw)).rejects.toThrow(/user_account_not_below_zero/)
    await db.query(`alter table ledger_accounts drop constraint user_account_not_below_zero`)
    await db.query(overdraw)
    expect(await rulesOf(true)).toContain('BELOW_ZERO')
    await resetDatabase(db)
    await db.query(
      `alter table ledger_accounts add constraint user_account_not_below_zero check (owner_id is null or balance >= 0)`,
    )
  })

  test('transfers and accounts refuse to be changed, deleted or truncated', async () => {
    for (const statement of [
      `update ledger_transfers set amount = 1`,
      `delete from ledger_transfers`,
      `truncate ledger_transfers`,
      `delete from ledger_accounts`,
      `truncate ledger_accounts cascade`,
    ])
      await expect(db.query(statement)).rejects.toThrow(/append-only/)
    await expect(post(welcomeTransfer(players[0]!.id, points(1)))).rejects.toThrow(/ledger_transfers_pkey/)
    expect(await rulesOf(true)).toEqual([])
  })

  test('a full check reads everything in chunks, also when a wallet’s rows lie in several', async () => {
    // The first player's rows lie before and after everybody else's.
    await createPlayers(db, engine === 'embedded' ? 1_100 : 5_100)
    await post(adjust(players[0]!, 7), adjust(players[0]!, -7))
    const { findings, transfers } = await verifyLedger(db, true)
    expect(findings).toEqual([])
    expect(transfers).toBe((engine === 'embedded' ? 1_100 : 5_100) + 9)
    await tamper(
      `update ledger_transfers set wallet_balance_after = wallet_balance_after + 1 where id = ${lastRowOf(0)}`,
    )
    expect(await rulesOf(true)).toEqual([ROWS])
  })

  test('a failure closes money acts in all processes, and only correct books reopen them', async () => {
    const log = createLog('silent')
    const [guard, other] = await Promise.all([startLedgerGuard(db, log), startLedgerGuard(db, log)])
    try {
      await guard.check()
      expect([guard.isOpen(), other.isOpen()]).toEqual([true, true])
      expect(guard.checkedAtMs()).toBeGreaterThan(Date.now() - 10_000)
      await tamper(`update ledger_accounts set balance = balance + 1 where id = ${walletOf(0)}`)
      await guard.check()
      expect(guard.isOpen()).toBe(false)
      // An incremental check without new findings reopens nothing.
      await guard.check()
      expect(guard.isOpen()).toBe(false)
      expect((await clearLedgerFailure(db, async () => {})).findings.map(({ rule }) => rule)).toContain(BALANCE)
      expect((await readLedgerState(db)).isOpen).toBe(false)
      // The other process reads the state by itself within a second.
      await expect.poll(() => other.isOpen(), { timeout: 1_500, interval: 50 }).toBe(false)
      await tamper(`update ledger_accounts set balance = balance - 1 where id = ${walletOf(0)}`)
      expect((await clearLedgerFailure(db, async () => {})).findings).toEqual([])
      await expect.poll(() => other.isOpen(), { timeout: 1_500, interval: 50 }).toBe(true)
    } finally {
      await Promise.all([guard.stop(), other.stop()])
    }
  })

  test('what another process finds after the check that was to reopen keeps money acts closed', async () => {
    const tampered = async (by: number) => {
      await tamper(`update ledger_accounts set balance = balance + ${by} where id = ${walletOf(0)}`)
      await verifyLedger(db, true)
    }
    await tampered(1)
    await tamper(`update ledger_accounts set balance = balance - 1 where id = ${walletOf(0)}`)
    const slow: Database = {
      ...db,
      async tx(work, options) {
        const done = await db.tx(work, options)
        if (options?.isolation === 'repeatable read') await tampered(2)
        return done
      },
    }
    const recorded = vi.fn<() => Promise<void>>()
    await expect(clearLedgerFailure(slow, recorded)).rejects.toThrow('stay closed')
    expect([(await readLedgerState(db)).isOpen, recorded.mock.calls]).toEqual([false, []])
  })

  test('a full check is due a day after the last one, in whichever process that ran', async () => {
    expect((await readLedgerState(db)).isFullDue).toBe(true)
    await verifyLedger(db, true)
    expect((await readLedgerState(db)).isFullDue).toBe(false)
    await db.query(`update ledger_checkpoint set fully_checked_at = fully_checked_at - interval '25 hours'`)
    await verifyLedger(db, false)
    expect((await readLedgerState(db)).isFullDue).toBe(true)
  })

  test('simultaneous checks wait for each other and count everything once, under load', async () => {
    const load = new AbortController()
    const working = (async () => {
      while (!load.signal.aborted) await post(adjust(players[0]!, 1), adjust(players[1]!, 1))
    })()
    for (let round = 0; round < 5; round++) {
      const reports = await Promise.all([false, true, false, false].map((isFull) => verifyLedger(db, isFull, 0)))
      expect(reports.flatMap(({ findings }) => findings)).toEqual([])
    }
    load.abort()
    await working
    await settled()
    const { rows } = await db.query<{ off: bigint }>(
      `select count(*) as off from ledger_accounts a left join ledger_checkpoint_balances b on b.account_id = a.id
        where a.balance <> coalesce(b.balance, 0)`,
    )
    // All transactions have committed: the checkpoint's balances equal those of the books.
    expect(rows).toEqual([{ off: 0n }])
  })

  test('a full check lets money move meanwhile, and counts those transfers too', async () => {
    await createPlayers(db, 3_000)
    const checking = { isOver: false }
    const check = verifyLedger(db, true).finally(() => (checking.isOver = true))
    let moved = 0
    while (!checking.isOver) {
      await post(adjust(players[0]!, 1))
      moved++
    }
    expect((await check).findings).toEqual([])
    // One transfer would fit after the whole check; on the embedded engine transfers also run between its three chunks.
    expect(moved).toBeGreaterThan(engine === 'embedded' ? 3 : 1)
    await settled()
    expect(await counted(true)).toBe(3_007 + moved)
  })

  test('a full check that fails midway spoils none after it', async () => {
    const failing: Database = {
      ...db,
      tx: (work, options) =>
        db.tx(async (tx) => {
          const done = await work(tx)
          if (options?.isolation !== undefined) throw new Error('cut off')
          return done
        }, options),
    }
    await expect(verifyLedger(failing, true)).rejects.toThrow('cut off')
    expect([await counted(false), await counted(true)]).toEqual([7, 7])
  })

  test('of two processes whose full check is due at once, one counts everything', async () => {
    const log = createLog('silent')
    const elsewhere = db.url === null ? db : openNative({ url: db.url })
    const guards = await Promise.all([startLedgerGuard(db, log), startLedgerGuard(elsewhere, log)])
    try {
      const reports = await Promise.all(guards.map((guard) => guard.check()))
      expect(reports.map(({ isFull }) => isFull).toSorted()).toEqual([false, true])
    } finally {
      await Promise.all(guards.map((guard) => guard.stop()))
      if (elsewhere !== db) await elsewhere.close()
    }
  })

  describe.runIf(engine === 'native')('with several connections (PostgreSQL only)', () => {
    test('a process lets another one finish its full check, and reports no failure', async () => {
      const hurried = openNative({ url: db.url ?? '', lockTimeoutMs: 50, statementTimeoutMs: 500 })
      const log = createLog('silent')
      const failed = vi.spyOn(log, 'error')
      const checks = vi.spyOn(hurried, 'tx')
      const other = await holdOpen(db, (tx) => tx.query('lock table ledger_checkpoint in share row exclusive mode'))
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const guard = await startLedgerGuard(hurried, log)
      vi.advanceTimersByTime(60_000)
      vi.useRealTimers()
      try {
        await expect.poll(() => checks.mock.settledResults[0]?.type).toBe('rejected')
        await guard.stop()
        expect(failed).not.toHaveBeenCalled()
      } finally {
        await other.commit()
        await hurried.close()
      }
    })

    test('a transfer left uncommitted across two checks raises no alarm and is counted later', async () => {
      const other = openNative({ url: db.url ?? '', max: 1 })
      try {
        for (const isForged of [false, true]) {
          await settled()
          const held = await holdOpen(other, async (tx) => {
            if (!isForged) await postTransfers(tx, [adjust(players[0]!, 11)], Date.now())
            else
              await tx.query(`insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at)
                values ('late', 9000000000000000003, ${walletOf(2)}, 100, 'WELCOME', 'system', 'user:x', clock_timestamp())`)
          })
          try {
            // A younger transaction commits first, and is counted at once, again and again.
            await holdWithdrawal(db, newId(), players[1]!.id, points(10))
            expect(await counted(false)).toBe(1)
            expect(await counted(false)).toBe(1)
          } finally {
            await held.commit()
          }
          const late = await verifyLedger(db, false)
          expect(late.transfers).toBe(2)
          expect(late.findings.map(({ rule }) => rule)).toEqual(isForged ? [BALANCE, BALANCE] : [])
          expect(await rulesOf(true)).toEqual(isForged ? [BALANCE] : [])
        }
      } finally {
        await other.close()
      }
    })
  })
})
