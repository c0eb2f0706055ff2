import type { Database } from '#server/platform/database/db.ts'
import { SETTLED_TYPE, STAKE_POINTS, userIdSql } from './world.ts'

export interface RoundTimes {
  readonly id: string
  readonly opensAtMs: number
  /** Unix time in ms, of a whole second. */
  readonly closesAtMs: number
}

/**
 * Creates a round with open bets of the players `from` to `to`, by SQL. The bets are placed between one and three
 * seconds after the round's start.
 */
export async function openRoundWithBets(db: Database, round: RoundTimes, from: number, to: number): Promise<void> {
  await db.query(
    `insert into rounds (id, type, index, opens_at, locks_at, closes_at, price_source)
     select $1, $2, 910000000 + count(*), $3, $4, $5, 'simulated' from rounds`,
    [round.id, SETTLED_TYPE, new Date(round.opensAtMs), new Date(round.closesAtMs - 1000), new Date(round.closesAtMs)],
  )
  // The embedded engine blocks the event loop while a statement runs, so its statements are smaller.
  const step = db.engine === 'embedded' ? 1_000 : 100_000
  for (let first = from; first <= to; first += step) {
    await db.query(
      `with moved as (
         update ledger_accounts a set
             balance = a.balance + case a.kind when 'wallet' then -$4::bigint else $4 end,
             transfer_count = a.transfer_count + 1
           from generate_series($1::bigint, $2::bigint) n
          where a.owner_id = ${userIdSql('n')} and a.kind in ('wallet', 'staked')
         returning a.id, a.owner_id, a.kind, a.balance, a.transfer_count, n
       ), placed as (
         insert into bets (id, user_id, round_id, direction, stake, basis, seen_basis, accepted_at, entry_from,
             salt)
         select ${betIdSql('w.n')}, w.owner_id, $3, case when w.n % 2 = 0 then 'up' else 'down' end, $4, 'PRICE', 'PRICE',
             $5::timestamptz + (w.n % 2000) * interval '1 ms', floor(extract(epoch from $5::timestamptz))::bigint + 1,
             decode(md5(w.n::text), 'hex')
           from moved w where w.kind = 'wallet'
         returning 1
       )
       insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at,
           wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
       select 'bet:' || ${betIdSql('w.n')} || ':stake', w.id, s.id, $4, 'BET_STAKE', w.owner_id,
           'bet:' || ${betIdSql('w.n')}, $5, w.id, w.transfer_count, -$4, w.balance
         from moved w join moved s on s.n = w.n and s.kind = 'staked' where w.kind = 'wallet'`,
      [first, Math.min(to, first + step - 1), round.id, STAKE_POINTS * 100, new Date(round.opensAtMs + 1_000)],
    )
  }
}

const betIdSql = (n: string): string => `('01900000-0000-7000-b000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
