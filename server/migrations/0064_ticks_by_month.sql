-- Ticks by month: the table so far becomes the first partition of a new one of its name, and no row is touched.
select lock_table_soon('ticks');
alter table ticks rename to ticks_first;
alter table ticks_first rename constraint ticks_pkey to ticks_first_pkey;
-- It comes back with the attaching, as a part of the new table's one.
drop trigger ticks_append_only on ticks_first;

create table ticks (
  source text not null,
  second bigint not null,
  price integer constraint ticks_price_check check (price > 0),
  quote_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (source, second),
  constraint ticks_check check ((price is null) = (quote_at is null))
) partition by range (second);
create trigger ticks_append_only before update or delete on ticks
  for each row execute function refuse_change();
create trigger ticks_no_truncate before truncate on ticks
  for each statement execute function refuse_change();

do $$
declare
  ends bigint;
begin
  select (regexp_match(pg_get_constraintdef(oid), '(\d+)'))[1]::bigint into strict ends
    from pg_constraint where conname = 'ticks_until' and conrelid = 'ticks_first'::regclass;
  execute format('alter table ticks attach partition ticks_first for values from (minvalue) to (%L)', ends);
  alter table ticks_first drop constraint ticks_until;
  perform make_month('ticks', (to_timestamp(ends) at time zone 'UTC')::date);
end $$;
