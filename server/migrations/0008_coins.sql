-- The last good list of coins, shared by all processes: one of them asks upstream, at most once a minute (rules §5).

create table coin_market (
  only_row boolean primary key default true check (only_row),
  asked_at timestamptz not null default '-infinity',
  fetched_at timestamptz,
  coins jsonb
);
insert into coin_market default values;
