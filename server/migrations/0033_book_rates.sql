-- Measured rates by day: what the log says of each closed round, added up once (docs/open-book.md §6).

create table book_rates (
  -- Days since 1970-01-01 (UTC), by the round's opening.
  day integer not null,
  type text not null,
  source text not null,
  up bigint not null,
  down bigint not null,
  ties bigint not null,
  missing bigint not null,
  won bigint not null,
  lost bigint not null,
  tied bigint not null,
  voided bigint not null,
  staked bigint not null,
  profit bigint not null,
  -- Sum of the squares of each round's profit.
  squares numeric not null,
  late bigint not null,
  late_won bigint not null,
  late_lost bigint not null,
  primary key (day, type, source)
);
