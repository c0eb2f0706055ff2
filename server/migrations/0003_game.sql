-- Rounds by the calendar and the bets on them (rules §2). What a bet was decided by is stored with it.

create table rounds (
  id uuid primary key,
  type text not null check (type in ('30s', '60s', '90s', '120s')),
  index bigint not null,
  -- 0 is made by the calendar; staff may replace a deleted attempt by the next.
  attempt integer not null default 0,
  opens_at timestamptz not null,
  locks_at timestamptz not null,
  closes_at timestamptz not null,
  status text not null default 'running' check (status in ('running', 'settling', 'ended')),
  price_source text not null,
  open_price integer,
  close_price integer,
  -- The result everybody reads after the end: staff's direction, or the two prices; null on a tie or a missing tick.
  result text check (result in ('up', 'down')),
  -- What staff announced: the commitment is public at once, direction and nonce after the end.
  staff_direction text check (staff_direction in ('up', 'down')),
  staff_nonce bytea,
  staff_commitment bytea,
  announced_at timestamptz,
  announced_by uuid references users (id),
  settling_at timestamptz,
  ended_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid references users (id),
  -- An ended round that staff removed from its own lists; players keep it.
  hidden_at timestamptz,
  unique (type, index, attempt),
  check ((staff_direction is null) = (announced_at is null)
     and (staff_direction is null) = (staff_nonce is null)
     and (staff_direction is null) = (staff_commitment is null))
);
create index rounds_due on rounds (closes_at) where status <> 'ended';
create index rounds_newest on rounds (opens_at desc, id desc);
create index rounds_by_type on rounds (type, index desc, attempt desc);

-- An announcement is made once and never changed.
create function refuse_second_announcement() returns trigger language plpgsql as $$
begin
  if old.staff_direction is not null and (
    new.staff_direction is distinct from old.staff_direction
    or new.staff_nonce is distinct from old.staff_nonce
    or new.staff_commitment is distinct from old.staff_commitment
    or new.announced_at is distinct from old.announced_at) then
    raise exception 'an announced result cannot be changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger rounds_announced_once before update on rounds
  for each row execute function refuse_second_announcement();

create table bets (
  id uuid primary key,
  user_id uuid not null references users (id),
  round_id uuid not null references rounds (id),
  direction text not null check (direction in ('up', 'down')),
  stake bigint not null check (stake > 0),
  -- Fixed at acceptance (rules §1.2); seen_basis is the recorded disclosure.
  basis text not null check (basis in ('PRICE', 'ADMIN', 'SCRIPTED')),
  seen_basis text not null check (seen_basis in ('PRICE', 'ADMIN', 'SCRIPTED')),
  scripted_outcome text check (scripted_outcome in ('win', 'lose')),
  accepted_at timestamptz not null,
  entry_from bigint not null,
  status text not null default 'open' check (status in ('open', 'won', 'lost', 'voided')),
  void_reason text check (void_reason in ('TIE', 'NO_TICK', 'ROUND_DELETED')),
  entry_second bigint,
  entry_price integer,
  exit_price integer,
  profit bigint,
  settled_at timestamptz,
  -- Removed from staff lists only.
  hidden_at timestamptz,
  check ((status = 'open') = (settled_at is null)),
  check ((status = 'open') = (profit is null)),
  check ((status = 'voided') = (void_reason is not null))
);
create index bets_open on bets (round_id, id) where status = 'open';
create index bets_of_user on bets (user_id, accepted_at desc, id desc);

-- What decides a bet is fixed when it is accepted, and a settled bet stays as it is.
create function refuse_bet_rewrite() returns trigger language plpgsql as $$
begin
  if new.user_id <> old.user_id or new.round_id <> old.round_id or new.direction <> old.direction
    or new.stake <> old.stake or new.basis <> old.basis or new.seen_basis <> old.seen_basis
    or new.scripted_outcome is distinct from old.scripted_outcome or new.accepted_at <> old.accepted_at
    or (old.status <> 'open' and (new.status <> old.status or new.profit is distinct from old.profit
      or new.entry_price is distinct from old.entry_price or new.exit_price is distinct from old.exit_price)) then
    raise exception 'an accepted bet cannot be rewritten' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bets_are_fixed before update on bets for each row execute function refuse_bet_rewrite();
create trigger bets_no_delete before delete on bets for each row execute function refuse_change();
