-- What staff did, as a chain of signed rows: a flip, insert, delete or cut made without the key is found (rules §1.3, §7).

create table audit_log (
  -- Given under the tip's lock, without gaps: a missing number is a missing row.
  seq bigint primary key,
  at timestamptz not null,
  -- A user id, or `system`.
  actor text not null,
  act text not null,
  -- What it was done to: `user:{id}`, `round:{id}`, `request:{id}`.
  target text not null,
  before jsonb,
  after jsonb,
  reason text,
  previous_hash bytea not null,
  -- HMAC-SHA256 of this row and the hash before it, with a key that is kept outside of the database.
  hash bytea not null
);
create index audit_log_target on audit_log (target, seq desc);
create index audit_log_actor on audit_log (actor, seq desc);

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

-- One row, the last of every transaction's locks: whoever writes an act holds it, so the chain never forks.
create table audit_tip (
  only_row boolean primary key default true check (only_row),
  seq bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  -- Tells a wrong key at start, before it signs anything.
  key_mark bytea
);
insert into audit_tip default values;
create trigger audit_tip_no_delete before delete on audit_tip
  for each row execute function refuse_change();
create trigger audit_tip_no_truncate before truncate on audit_tip
  for each statement execute function refuse_change();
