-- Players' own limits on play, and the raises that wait a day (rules §6).

create table player_limits (
  user_id uuid primary key references users (id),
  daily_stake bigint check (daily_stake >= 0),
  daily_loss bigint check (daily_loss >= 0),
  reminder_minutes integer,
  timeout_until timestamptz,
  pending_daily_stake bigint check (pending_daily_stake >= 0),
  pending_daily_loss bigint check (pending_daily_loss >= 0),
  pending_from timestamptz,
  updated_at timestamptz not null default clock_timestamp()
);
