-- What a player did, folded by day, so that a long history is read as quickly as a short one (rules §6.8).

-- How far a player's bets and transfers are folded. Written in the transaction that writes the days.
create table statistics_marks (
  user_id uuid primary key references users (id),
  -- A midnight in Vietnam: every bet accepted before it is folded.
  folded_before timestamptz not null,
  -- The number of bets folded: another number in the table of bets means that one came later, and folds all anew.
  bets bigint not null,
  -- The last of the wallet's transfers whose balance is in the days.
  wallet_seq bigint not null
);

-- A stretch of one day (domain/statistics/play.ts).
create table statistics_days (
  user_id uuid not null references users (id),
  day date not null,
  -- The balance after the day's last transfer; null on a day without one.
  closing_balance bigint,
  left_out integer not null,
  lead_bets integer not null,
  lead_staked bigint not null,
  after_win_bets integer not null,
  after_win_staked bigint not null,
  after_loss_bets integer not null,
  after_loss_staked bigint not null,
  first_run_outcome text,
  first_run integer,
  last_run_outcome text,
  last_run integer,
  longest_wins integer not null,
  longest_losses integer not null,
  played_ms bigint not null,
  first_at_ms bigint,
  last_end_ms bigint,
  primary key (user_id, day)
);

create table statistics_types (
  user_id uuid not null references users (id),
  day date not null,
  type text not null,
  won integer not null,
  lost integer not null,
  voided integer not null,
  staked bigint not null,
  net bigint not null,
  primary key (user_id, day, type)
);
