-- The audit log by month: the table so far becomes the first partition of a new one of its name, and no row is touched.
select lock_table_soon('audit_log');
alter table audit_log rename to audit_log_first;
alter table audit_log_first rename constraint audit_log_pkey to audit_log_first_pkey;
alter index audit_log_target rename to audit_log_first_target;
alter index audit_log_actor rename to audit_log_first_actor;
alter index audit_log_act rename to audit_log_first_act;
alter index audit_log_at rename to audit_log_first_at;
-- It comes back with the attaching, as a part of the new table's one.
drop trigger audit_log_append_only on audit_log_first;

create table audit_log (
  -- Given under the tip's lock, without gaps: a missing number is a missing row, and none is given twice.
  seq bigint not null,
  at timestamptz not null,
  actor text not null,
  act text not null,
  target text not null,
  before jsonb,
  after jsonb,
  reason text,
  previous_hash bytea not null,
  hash bytea not null
) partition by range (at);
create unique index audit_log_seq_at on audit_log (seq, at);
create index audit_log_target on audit_log (target, seq desc);
create index audit_log_actor on audit_log (actor, seq desc);
create index audit_log_act on audit_log (act, seq desc);
create index audit_log_at on audit_log (at);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

do $$
declare
  ends timestamptz;
begin
  select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1]::timestamptz into strict ends
    from pg_constraint where conname = 'audit_log_until' and conrelid = 'audit_log_first'::regclass;
  execute format('alter table audit_log attach partition audit_log_first for values from (minvalue) to (%L)', ends);
  alter table audit_log_first drop constraint audit_log_until;
  perform make_month('audit_log', (ends at time zone 'UTC')::date);
end $$;
