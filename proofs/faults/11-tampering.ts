import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { adjustmentTransfer } from '#domain/ledger/transfers.ts'
import { points } from '#domain/money.ts'
import { brokenText, recordAct, verifyAuditLog } from '#server/features/audit/index.ts'
import { createBetPlacer } from '#server/features/game/index.ts'
import { auditLedger, postTransfers } from '#server/features/wallet/index.ts'
import type { Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createAdmin, endWithdrawal, holdWithdrawal } from '#testing/play/books.ts'
import { createPlayers, createRound, encodeBet, fixedPrices, noHints, wish } from '#testing/play/rounds.ts'
import { onDatabase } from '../../bench/scratch.ts'
import { seeded } from '#testing/run/seeded.ts'
import type { BarLine } from '../report.ts'

/** How many of the 200 changes are made to each kind of book. */
const CHANGES = { full: { book: 100, audit: 50, ledger: 50 }, short: { book: 10, audit: 15, ledger: 15 } } as const
const SEED = 11
const PLAYERS = 40
const ACTS = 80

/** Somebody who may do everything in SQL changes stored rows: the checkers have to find and name each change. */
export async function tampering(isShort: boolean): Promise<BarLine[]> {
  const changes = CHANGES[isShort ? 'short' : 'full']
  const lines = [
    found('the open book and the bets in it', changes.book, (await tamperBook(changes.book)) ? changes.book : 0),
  ]
  await onDatabase('tamper', async (_url, db) => {
    const known = await makeBooks(db)
    await db.query('create schema kept')
    for (const table of TABLES) await db.query(`create table kept.${table} as table public.${table}`)
    const random = seeded(SEED)
    const inLog = async () => {
      const { broken } = await verifyAuditLog(db, known)
      return broken.length === 0 ? null : brokenText(broken)
    }
    const inLedger = async () => {
      const [finding] = (await auditLedger(db)).findings
      return finding === undefined ? null : `${finding.rule} ${finding.accountId ?? ''} ${finding.found}`
    }
    for (const [what, count, draw, look] of [
      ['the audit log', changes.audit, drawAudit, inLog],
      ['the ledger', changes.ledger, drawLedger, inLedger],
    ] as const) {
      if ((await look()) !== null) throw new Error(`Something is found in ${what} before it is changed.`)
      let noticed = 0
      for (let changed = 0; changed < count;) {
        const statement = draw(random)
        const isChanged = await change(db, statement)
        if (!isChanged) continue
        changed++
        if ((await look()) !== null) noticed++
        else process.stderr.write(`  ${what}, not found: ${statement}\n`)
        await restore(db)
      }
      lines.push(found(what, count, noticed))
    }
  })
  return lines
}

const found = (what: string, changes: number, noticed: number): BarLine => ({
  what: `${changes} changes of ${what}: found and named`,
  seen: String(noticed),
  bar: String(changes),
  isMet: noticed === changes,
})

/** server/features/book/tampered-book.test.ts draws the changes of the book, and fails for one that is not found. */
async function tamperBook(count: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['scripts/test.mjs', '--project', 'server', 'server/features/book/tampered-book.test.ts', '--retry=0'],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, TAMPERINGS: String(count) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (bytes) => (said += String(bytes)))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.stderr.write(said)
  if (code === 0 && !/[1-9][0-9]* passed/.test(said)) throw new Error(`Nothing was changed: ${said}`)
  return code === 0
}

/** Books with every kind of transfer. Returns the audit log's tip, which the server's machine remembers. */
async function makeBooks(db: Database): Promise<{ readonly seq: bigint; readonly hash: Uint8Array }> {
  const admin = await createAdmin(db)
  const players = await createPlayers(db, PLAYERS)
  const round = await createRound(db)
  const place = createBetPlacer({ db, prices: fixedPrices(() => 2_500_000), hints: noHints }, encodeBet)
  await Promise.all(players.slice(0, PLAYERS / 2).map((player) => place(wish(player, round.id))))
  for (const [n, { id }] of players.entries()) {
    const adjustment = adjustmentTransfer(newId(), id, points(n + 1), admin.userId, 'Điều chỉnh')
    await db.tx(async (tx) => {
      await postTransfers(tx, [adjustment], Date.now())
      const change = { after: { balance: n + 1 }, reason: 'Điều chỉnh' }
      await recordAct(tx, admin.userId, 'user.update', `user:${id}`, change)
    })
    const withdrawal = newId()
    await holdWithdrawal(db, withdrawal, id, points(5))
    if (n % 3 === 0) await endWithdrawal(db, withdrawal, id, n % 2 === 0 ? 'capture' : 'release', admin.userId)
  }
  for (let n = 0; n < ACTS; n++)
    await db.tx((tx) =>
      recordAct(tx, admin.userId, 'bank.edit', `user:${players[n % PLAYERS]?.id}`, {
        before: { number: n },
        after: { number: n + 1 },
        reason: n % 2 === 0 ? null : 'Theo yêu cầu',
      }),
    )
  const { rows } = await db.query<{ seq: bigint; hash: Uint8Array }>('select seq, hash from audit_tip')
  const tip = rows[0]
  if (tip === undefined) throw new Error('The audit log has no tip.')
  return tip
}

const TABLES = ['audit_log', 'audit_tip', 'ledger_transfers', 'ledger_accounts', 'ledger_checkpoint'] as const

/** Runs with triggers and foreign keys off; false where nothing was changed, or a constraint refused it. */
async function change(db: Database, statement: string): Promise<boolean> {
  try {
    return await db.tx(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      let changed = 0
      for (const one of statement.split(';')) changed += (await tx.query(one)).rowCount
      return changed > 0
    })
  } catch {
    return false
  }
}

const restore = (db: Database): Promise<void> =>
  db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const table of TABLES) {
      await tx.query(`delete from public.${table}`)
      await tx.query(`insert into public.${table} overriding system value table kept.${table}`)
    }
    await tx.query('delete from ledger_checkpoint_balances')
  })

const pick = <T>(random: () => number, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

function drawAudit(random: () => number): string {
  const seq = 1 + Math.floor(random() * ACTS)
  const other = 1 + Math.floor(random() * ACTS)
  const flips = [
    `at = at + interval '1 microsecond'`,
    `actor = 'system'`,
    `act = 'user.update'`,
    `target = 'user:x'`,
    `before = '{"number": -1}'`,
    `after = null`,
    `reason = 'khác'`,
    `previous_hash = sha256(previous_hash)`,
    `hash = set_byte(hash, ${seq % 32}, get_byte(hash, ${seq % 32}) # 1)`,
  ]
  return pick(random, [
    ...flips.map((flip) => `update audit_log set ${flip} where seq = ${seq}`),
    `delete from audit_log where seq = ${seq}`,
    `update audit_log a set actor = b.actor, target = b.target, before = b.before, after = b.after from audit_log b
      where (a.seq = ${seq} and b.seq = ${other}) or (a.seq = ${other} and b.seq = ${seq}) and a.seq <> b.seq`,
    `update audit_log set seq = seq + 1000 where seq >= ${seq}`,
    `insert into audit_log select seq + 1000, at, actor, act, target, before, after, reason, previous_hash, hash from audit_log where seq = ${seq}`,
    `delete from audit_log where seq > ${seq}`,
    `delete from audit_log where seq > ${seq};update audit_tip set seq = ${seq}, hash = (select hash from audit_log where seq = ${seq})`,
    `update audit_tip set seq = seq - 1`,
  ])
}

function drawLedger(random: () => number): string {
  const row = `(select id from ledger_transfers order by seq offset ${Math.floor(random() * 2 * PLAYERS)} limit 1)`
  const other = `(select id from ledger_transfers order by seq desc offset ${Math.floor(random() * PLAYERS)} limit 1)`
  const account = `(select id from ledger_accounts order by id offset ${Math.floor(random() * PLAYERS)} limit 1)`
  const flips = [
    'amount = amount + 1',
    'amount = 2 * amount',
    `from_account = ${account}`,
    `to_account = ${account}`,
    'wallet_seq = wallet_seq + 1000',
    'wallet_delta = -wallet_delta',
    'wallet_balance_after = wallet_balance_after - 1',
    `wallet_account = ${account}`,
    `reason = case reason when 'ADJUSTMENT' then 'DEPOSIT' else 'ADJUSTMENT' end`,
    `actor = 'system!'`,
    `ref = 'user:x'`,
    `note = 'khác'`,
    `created_at = created_at - interval '1 day'`,
  ]
  return pick(random, [
    // Fields that a transfer does not have cannot be changed.
    ...flips.map(
      (flip) =>
        `update ledger_transfers set ${flip} where id = ${row}${flip.startsWith('wallet_') ? ' and wallet_account is not null' : ''}`,
    ),
    `delete from ledger_transfers where id = ${row}`,
    `update ledger_transfers a set amount = b.amount from ledger_transfers b
      where a.amount <> b.amount and ((a.id = ${row} and b.id = ${other}) or (a.id = ${other} and b.id = ${row}))`,
    `insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at)
      select 'forged', from_account, to_account, amount, reason, actor, ref, created_at from ledger_transfers where id = ${row}`,
    `delete from ledger_transfers where seq > (select seq from ledger_transfers where id = ${other})`,
    `update ledger_accounts set balance = balance + 1 where id = ${account}`,
    `update ledger_accounts set transfer_count = transfer_count + 1 where id = ${account} and kind = 'wallet'`,
    `delete from ledger_accounts where id = ${account}`,
  ])
}
