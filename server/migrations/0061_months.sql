-- Tables that only grow become partitions by month, made ahead: the functions that the next migrations and the server do it with (decision 033).

-- Locks a table against everybody. An attempt waits 100 ms at most, since everybody else waits behind it meanwhile; then
-- others pass, and it tries again, for ten minutes.
create function lock_table_soon(name text) returns void language plpgsql as $$
begin
  -- Against VACUUM and the like alone: nobody waits behind this lock, and none of them begins between two attempts.
  execute format('lock table %I in share update exclusive mode', name);
  perform set_config('lock_timeout', '100', true);
  for attempt in 1..1200 loop
    begin
      execute format('lock table %I in access exclusive mode', name);
      perform set_config('lock_timeout', '0', true);
      return;
    exception when lock_not_available then
      if attempt = 1200 then
        raise exception '% is in use by a long transaction: end it, and start again', name;
      end if;
    end;
    perform pg_sleep(0.4);
  end loop;
end $$;

-- The partitions of a table. `starts` is null for the first one, which has everything before the months.
create function partitions_of(parent text)
returns table (name text, starts timestamptz, ends timestamptz, is_pending boolean) language sql stable as $$
  select c.relname::text, b.bounds[1], b.bounds[2], i.inhdetachpending
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
   cross join lateral (
     select array_agg(case when found[1] ~ '^\d+$' then to_timestamp(found[1]::bigint)
                           when found[1] <> 'MINVALUE' then found[1]::timestamptz end order by number) as bounds
       from regexp_matches(pg_get_expr(c.relpartbound, c.oid), '\(''?([^()'']+)''?\)', 'g') with ordinality as m (found, number)) b
   where i.inhparent = format('public.%I', parent)::regclass
   order by b.bounds[2]
$$;

-- Makes the partition of the month of a day, in UTC, unless the month is covered or older than every
-- partition: older ones were detached. The table is made first and attached then, which nobody who reads or writes waits
-- for. Answers whether it made one.
create function make_month(parent text, month date) returns boolean language plpgsql as $$
declare
  part text := parent || to_char(month, '_YYYY_MM');
  begins_at timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  ends_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  bounds text[];
begin
  -- An arbitrary number that nobody else uses: processes that start together make each month once.
  perform pg_advisory_xact_lock(7236905119);
  if exists (select from partitions_of(parent) p where coalesce(p.starts, '-infinity') < ends_at and p.ends > begins_at)
    or begins_at < (select coalesce(p.starts, '-infinity') from partitions_of(parent) p limit 1)
  then
    return false;
  end if;
  bounds := case parent
    when 'ticks' then array[extract(epoch from begins_at)::bigint::text, extract(epoch from ends_at)::bigint::text]
    else array[to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD 00:00:00+00'), to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD 00:00:00+00')]
  end;
  execute format('create table public.%I (like public.%I including all)', part, parent);
  -- A trigger for each row comes with the attaching.
  execute format('create trigger %I before truncate on public.%I for each statement execute function refuse_change()',
    parent || '_no_truncate', part);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)', parent, part, bounds[1], bounds[2]);
  return true;
end $$;
