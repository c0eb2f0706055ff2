-- The gold price as it was known each second, the seeds behind simulated prices, and closed candles: facts, written once (rules §2, §5).

-- A tick is keyed by what is asked of it; no other index, since a source adds 86,400 rows a day for ever.
-- A null price says that nobody had a quote in time, and nothing fills it later.
create table ticks (
  source text not null,
  second bigint not null,
  -- Thousandths of a dollar.
  price integer check (price > 0),
  quote_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (source, second),
  check ((price is null) = (quote_at is null))
);
create trigger ticks_append_only before update or delete on ticks
  for each row execute function refuse_change();
create trigger ticks_no_truncate before truncate on ticks
  for each statement execute function refuse_change();

-- What the provider signed, for ticks that priced something. No foreign key to ticks: its check would be planned while
-- ticks is almost empty and then scan a table of many million rows.
create table tick_evidence (
  source text not null,
  second bigint not null,
  evidence bytea not null,
  primary key (source, second)
);
create trigger tick_evidence_append_only before update or delete on tick_evidence
  for each row execute function refuse_change();
create trigger tick_evidence_no_truncate before truncate on tick_evidence
  for each statement execute function refuse_change();

-- One seed per UTC day. The commitment is public from the start, the seed after its day.
create table simulated_seeds (
  day date primary key,
  seed bytea not null check (octet_length(seed) = 32),
  -- SHA-256 of the seed.
  commitment bytea not null constraint commitment_is_of_seed check (commitment = sha256(seed)),
  -- Yesterday's last price, in thousandths: where this day's path begins.
  start_price integer not null check (start_price > 0),
  -- True for the days before the install, whose seeds are known to everybody.
  is_public_history boolean not null,
  committed_at timestamptz not null default clock_timestamp(),
  -- Whether the commitment was public before its day began; not so for the day of the install.
  is_committed_ahead boolean not null
    generated always as (committed_at < (day::timestamp at time zone 'UTC')) stored
);
create trigger simulated_seeds_append_only before update or delete on simulated_seeds
  for each row execute function refuse_change();
create trigger simulated_seeds_no_truncate before truncate on simulated_seeds
  for each statement execute function refuse_change();

-- Closed candles, folded once from ticks that can no longer change. One without prices says that no second had any.
create table candles (
  source text not null,
  minutes smallint not null check (minutes in (1, 60)),
  -- Unix second, a multiple of the length.
  opened_at bigint not null,
  open integer,
  high integer,
  low integer,
  close integer,
  primary key (source, minutes, opened_at),
  check (num_nulls(open, high, low, close) in (0, 4))
);
create trigger candles_append_only before update or delete on candles
  for each row execute function refuse_change();
create trigger candles_no_truncate before truncate on candles
  for each statement execute function refuse_change();
