import { RATE_PERCENT } from '#domain/game/calendar.ts'
import { SETTLED_TYPE } from './world.ts'

/**
 * The yardstick for settling: one set-based statement that closes every open bet of round $1. $2 is the closing second.
 * Like the engine, it decides the outcomes by the ticks, and writes the same rows under the same indexes and triggers.
 */
export const SETTLE_ALL = `with outcome as materialized (
    select b.id, b.stake, b.user_id, w.id as wallet, w.balance, w.transfer_count, s.id as staked,
        t.second as entry_second, t.price as entry_price, x.price as exit_price,
        case when t.price is null or x.price is null then 'NO_TICK' when t.price = x.price then 'TIE' end as void_reason,
        case when t.price is null or x.price is null or t.price = x.price then 0
             when (x.price > t.price) = (b.direction = 'up') then b.stake / 100 * ${RATE_PERCENT[SETTLED_TYPE]}
             else -(b.stake / 100 * ${RATE_PERCENT[SETTLED_TYPE]}) end as profit
      from bets b
      join ledger_accounts w on w.owner_id = b.user_id and w.kind = 'wallet'
      join ledger_accounts s on s.owner_id = b.user_id and s.kind = 'staked'
      left join ticks x on x.source = 'simulated' and x.second = $2::bigint
      left join lateral (
        select t.second, t.price from ticks t
         where t.source = 'simulated' and t.second > floor(extract(epoch from b.accepted_at))::bigint and t.second < $2::bigint
           and t.price is not null and t.quote_at > b.accepted_at
         order by t.second limit 1
      ) t on true
     where b.round_id = $1 and b.status = 'open'
  ), closed as (
    update bets b set status = case when o.profit > 0 then 'won' when o.profit < 0 then 'lost' else 'voided' end,
        void_reason = o.void_reason, profit = o.profit, entry_second = o.entry_second, entry_price = o.entry_price,
        exit_price = o.exit_price, settled_at = now()
      from outcome o where b.id = o.id and b.status = 'open'
    returning 1
  ), booked as (
    insert into ledger_transfers (id, from_account, to_account, amount, reason, actor, ref, created_at,
        wallet_account, wallet_seq, wallet_delta, wallet_balance_after)
    select 'bet:' || o.id || ':close:' || p.part, p.from_account, p.to_account, p.amount, p.reason, 'system',
        'bet:' || o.id, now(), p.wallet, case when p.wallet is not null then o.transfer_count + p.part end,
        case when p.wallet is not null then p.amount end,
        case when p.wallet is not null then o.balance + o.stake + case when p.part = 1 then least(o.profit, 0) else o.profit end end
      from outcome o cross join lateral (values
        (1, o.staked, o.wallet, o.stake + least(o.profit, 0), 'BET_RETURN', o.wallet),
        (2, case when o.profit > 0 then 9000000000000000001 else o.staked end,
            case when o.profit > 0 then o.wallet else 9000000000000000001 end, abs(o.profit),
            case when o.profit > 0 then 'BET_PROFIT' else 'BET_LOSS' end, case when o.profit > 0 then o.wallet end)
      ) p (part, from_account, to_account, amount, reason, wallet)
     where p.amount > 0
    returning 1
  ), moved as (
    update ledger_accounts a set balance = a.balance + m.delta, transfer_count = a.transfer_count + m.added
      from (
        select wallet as id, stake + profit as delta, case when profit > 0 then 2 else 1 end as added from outcome
        union all
        select staked, -stake, case when profit < 0 then 2 else 1 end from outcome
        union all
        select 9000000000000000001, -sum(profit), count(*) filter (where profit <> 0) from outcome
      ) m (id, delta, added)
     where a.id = m.id
    returning 1
  )
  select (select count(*) from closed) as closed, (select count(*) from booked) as booked,
    (select count(*) from moved) as moved`
