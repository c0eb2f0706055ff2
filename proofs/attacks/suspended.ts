import { setTimeout as sleep } from 'node:timers/promises'
import { settleDue } from '#server/features/game/index.ts'
import type { Connections, Database } from '#server/platform/database/db.ts'
import { newId } from '#server/platform/process/ids.ts'
import { createLog } from '#server/platform/process/log.ts'
import { openNativeConnections } from '#server/platform/database/native.ts'
import { createAdmin, subjectOfPlayer } from '#testing/play/books.ts'
import { createFakeClock } from '#testing/time/fake-clock.ts'
import { createPlayers, fixedPrices, noHints, type TestPlayer, wish } from '#testing/play/rounds.ts'
import type { SuspendOrder } from '#testing/killed/suspend-child.ts'
import { startSuspender } from '#testing/killed/suspend.ts'
import { openRoundWithBets } from '../../bench/open-bets.ts'
import { checkLedger, onDatabase } from '../../bench/scratch.ts'
import { makeWorld } from '../../bench/world.ts'
import type { BarLine } from '../report.ts'

const BETS_A_ROUND = 1_000
/** How many rounds of other players end one after the other while the process is suspended. */
const OTHERS = 3
const BAR_MS = 3_000

/**
 * A process is suspended in the middle of a command, as SIGSTOP or a frozen virtual machine does. Measures, at a
 * healthy process, how long after a round's end all bets of other players are settled, and how long after the
 * suspension those that the command had locked.
 */
export async function suspended(): Promise<BarLine[]> {
  const acts: ReadonlyArray<
    readonly [string, string, (who: TestPlayer, admin: TestPlayer, roundId: string) => SuspendOrder['act']]
  > = [
    ['settling: result being fixed', 'from rounds r where r.id = $1 for update', () => ({ is: 'settle' })],
    ['settling: 500 bets locked', 'for update skip locked', () => ({ is: 'settle' })],
    ['settling: their owners’ accounts locked', 'from ledger_accounts', () => ({ is: 'settle' })],
    [
      'filing of a player with an open bet',
      'insert into cash_requests',
      (who) => ({ is: 'file', subject: subjectOfPlayer(who), amountMinor: 100n }),
    ],
    ['bet on the round', 'from rounds r', (who, _, roundId) => ({ is: 'bet', call: wish(who, roundId) })],
    [
      'staff deleting another round',
      'from audit_tip for update',
      (_, admin, roundId) => ({ is: 'delete-round', subject: subjectOfPlayer(admin, 'admin'), roundId }),
    ],
  ]
  return onDatabase('suspended', async (url, db) => {
    await makeWorld(db, acts.length * (OTHERS + 1) * BETS_A_ROUND)
    const healthy = openNativeConnections(url)
    const lines: BarLine[] = []
    try {
      for (const [nth, [what, after, actOf]] of acts.entries()) {
        const { othersMs, heldMs } = await measure(url, db, healthy, nth, after, actOf)
        lines.push({
          what: `process suspended in: ${what}`,
          seen: `bets of others ${othersMs} ms after their end, its own ${heldMs} ms after it stopped`,
          bar: `≤ ${BAR_MS} ms`,
          isMet: othersMs <= BAR_MS && heldMs <= BAR_MS,
        })
        process.stderr.write(`  ${lines.at(-1)?.what}: ${lines.at(-1)?.seen}\n`)
      }
    } finally {
      await healthy.close()
    }
    await checkLedger(db)
    return lines
  })
}

async function measure(
  url: string,
  db: Database,
  healthy: Connections,
  nth: number,
  after: string,
  actOf: (who: TestPlayer, admin: TestPlayer, roundId: string) => SuspendOrder['act'],
): Promise<{ readonly othersMs: number; readonly heldMs: number }> {
  const first = nth * (OTHERS + 1) * BETS_A_ROUND + 1
  const nowMs = Math.floor(Date.now() / 1000) * 1000
  const open = async (index: number, closesAtMs: number) => {
    const id = newId()
    const from = first + index * BETS_A_ROUND
    await openRoundWithBets(db, { id, opensAtMs: nowMs - 60_000, closesAtMs }, from, from + BETS_A_ROUND - 1)
    return id
  }
  const isOfStaff = after.includes('audit_tip')
  // Staff delete a running round; for a player's or the engine's command the round is due.
  const held = await open(0, isOfStaff ? nowMs + 86_400_000 : nowMs - 1_000)
  const others: string[] = []
  for (let index = 1; index <= OTHERS; index++) others.push(await open(index, nowMs + 86_400_000))
  await db.query('analyze')
  const [who] = await createPlayers(db, 1)
  const { rows } = await db.query<{ id: string }>(`select user_id as id from bets where round_id = $1 limit 1`, [held])
  const [owner] = after.includes('cash_requests') ? await signedInAs(db, rows[0]?.id ?? '') : [who]
  const admin = await createAdmin(db)
  const suspender = await startSuspender(url)
  try {
    const adminPlayer = { ...who, id: admin.userId, token: { ...who.token, sessionId: admin.sessionId } }
    const stopped = await suspender.suspend({ act: actOf(owner ?? who, adminPlayer, held), after })
    const stoppedAtMs = Date.now() - (performance.now() - stopped.atMs)
    const firstEndMs = Math.ceil((stoppedAtMs + 200) / 1000) * 1000 - 500
    for (const [index, id] of others.entries())
      await db.query('update rounds set closes_at = $2, locks_at = $2 where id = $1', [
        id,
        new Date(firstEndMs + index * 500),
      ])
    const watched = isOfStaff ? others : [held, ...others]
    const engine = {
      db: healthy.engine,
      prices: fixedPrices((second) => second),
      hints: noHints,
      clock: createFakeClock(),
      log: createLog('silent'),
    }
    let open = Number.POSITIVE_INFINITY
    while (open > 0 && Date.now() - stoppedAtMs < 60_000) {
      await settleDue(engine)
      const { rows: left } = await db.query<{ n: number }>(
        `select count(*)::int4 as n from rounds where id = any($1::uuid[]) and status <> 'ended'`,
        [watched],
      )
      open = left[0]?.n ?? 0
      await sleep(20)
    }
    const { rows: ends } = await db.query<{ id: string; last: Date; closes_at: Date }>(
      `select r.id, r.closes_at, greatest(max(b.settled_at), r.ended_at) as last from rounds r join bets b on b.round_id = r.id
        where r.id = any($1::uuid[]) group by r.id`,
      [watched],
    )
    const lagOf = ({ last, closes_at }: (typeof ends)[number]) => last.getTime() - closes_at.getTime()
    const own = ends.find(({ id }) => id === held)
    await stopped.wake()
    return {
      othersMs: Math.max(...ends.filter(({ id }) => id !== held).map(lagOf)),
      heldMs: own === undefined ? 0 : Math.round(own.last.getTime() - stoppedAtMs),
    }
  } finally {
    suspender.end()
  }
}

/** A session of an existing player, with a bank account. */
async function signedInAs(db: Database, userId: string): Promise<TestPlayer[]> {
  const sessionId = newId()
  await db.query(
    `insert into sessions (id, user_id, secret_hash, expires_at) values ($1, $2, 'x', now() + interval '1 day')`,
    [sessionId, userId],
  )
  await db.query(
    `insert into banks (id, owner_id, account_number, account_holder, bank_name) values ($1, $2, '1', 'A', 'B')`,
    [newId(), userId],
  )
  return [{ id: userId, username: 'p', bearer: '', token: { userId, sessionId, secretHash: new Uint8Array(32) } }]
}
