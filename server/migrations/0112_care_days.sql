-- The cases of each day in Vietnam in one row, so that a report of a year reads 366 rows (docs/rules.md §7.16).
create function care_day(at timestamptz) returns date language sql immutable strict parallel safe as $$
  select (at at time zone interval '7 hours')::date
$$;

create table care_days (
  day date primary key,
  -- Grows with every packing: a process that has read this version reads it no more.
  version integer not null default 1,
  -- Who replied first or was done with one.
  admins uuid[] not null,
  -- Each case in 15 bytes (server/features/chat/care-days.ts).
  packed bytea not null
);

-- Days with a case that changed since they were packed. Without a key: whoever notes the same day waits for nobody.
create table care_days_changed (day date not null);

create function note_care_day() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into care_days_changed values (care_day(old.opened_at));
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.opened_at <> old.opened_at) then
    insert into care_days_changed values (care_day(new.opened_at));
  end if;
  return null;
end
$$;

select lock_table_soon('care_cases');
-- A trigger, since processes of the version before change cases as well while they still run.
create trigger care_cases_note_day after insert or update or delete on care_cases
  for each row execute function note_care_day();
