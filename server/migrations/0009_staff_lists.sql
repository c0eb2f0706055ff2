-- What staff lists are read by at millions of rows: a rare status by its own index, today's bets by their place in time.

create index bets_voided on bets (id desc) where status = 'voided';
create index bets_accepted on bets using brin (accepted_at) with (pages_per_range = 32);
