-- What the overview's pictures show, counted by the hour (rules §6.13), so that a year is read as quickly as a day.

-- What is counted so far: one row, which whoever counts holds locked.
create table figure_marks (
  only_row boolean primary key default true check (only_row),
  -- Everything that happened in [counted_from, counted_before) is in the tables below. Both null before the first count.
  counted_from timestamptz,
  counted_before timestamptz,
  -- Nothing lies before counted_from that is not counted.
  is_whole boolean not null default false,
  -- Hours before this one were counted a second time, an hour after their end.
  checked_before timestamptz,
  refusals_from timestamptz,
  states_from timestamptz,
  -- The last ten seconds whose state is noted, as a number since 1970.
  last_slot bigint,
  check ((counted_from is null) = (counted_before is null))
);
insert into figure_marks default values;

-- Bets that the price decides, by the hour of their acceptance; left_out are the others.
create table figure_bets (
  hour timestamptz not null,
  type text not null,
  bets integer not null,
  staked bigint not null,
  decided integer not null,
  -- What the house won.
  net bigint not null,
  tie integer not null,
  no_tick integer not null,
  round_deleted integer not null,
  left_out integer not null,
  primary key (hour, type)
);

create table figure_hours (
  hour timestamptz primary key,
  -- Of the house's result by chance, in minor units squared (domain/overview/chance.ts).
  variance double precision not null,
  active integer not null,
  accounts integer not null
);

-- Who bet on a day in Vietnam, and in which of its hours: bit 0 is the first.
create table figure_players (
  day date not null,
  user_id uuid not null,
  hours integer not null,
  primary key (day, user_id)
);
create table figure_days (
  day date primary key,
  active integer not null
);

create table figure_requests (
  hour timestamptz not null,
  kind text not null,
  filed integer not null,
  approved integer not null,
  rejected integer not null,
  cancelled integer not null,
  primary key (hour, kind)
);

-- How long something took, as counts of bins (domain/overview/duration-bins.ts).
create table figure_waits (
  hour timestamptz not null,
  what text not null check (what in ('deposit', 'withdrawal', 'reply')),
  bin smallint not null,
  n integer not null,
  primary key (hour, what, bin)
);

create table figure_refusals (
  hour timestamptz not null,
  code text not null,
  n bigint not null,
  primary key (hour, code)
);

-- In how many times ten seconds of an hour the feed and the ledger were in this state.
create table figure_states (
  hour timestamptz not null,
  feed text not null check (feed in ('open', 'silent', 'closed', 'unsure')),
  is_ledger_open boolean not null,
  slots integer not null,
  primary key (hour, feed, is_ledger_open)
);
