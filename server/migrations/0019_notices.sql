-- What a player is told: only what has no row of its own, and how far each has read (rules §6.10).

create table notices (
  id uuid primary key,
  -- No foreign key: its lock on the user's row would meet acts that lock users first. Whoever is told has a bet.
  user_id uuid not null,
  kind text not null check (kind in ('round', 'limit')),
  -- What it is about: the bet held in an announced round, or which limit on which day. Nobody is told the same thing twice.
  ref text not null,
  created_at timestamptz not null,
  constraint one_notice_of_a_thing unique (user_id, kind, ref)
);
create index notices_of_user on notices (user_id, created_at desc, id desc);
create index notices_age on notices using brin (created_at);

create table notice_marks (
  user_id uuid primary key references users (id),
  -- Everything up to here is read; never moves back.
  read_through timestamptz not null
) with (fillfactor = 80);

-- One row: what happened before there were notices is unread to nobody.
create table notice_start (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null default clock_timestamp()
);
insert into notice_start default values;
