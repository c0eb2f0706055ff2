-- Office hours of customer care, and what players read outside them: one row, which is changed alone (docs/rules.md §7.17).
create table care_hours (
  is_only boolean primary key default true check (is_only),
  -- Seven days, Monday first: minutes of the day in Vietnam, or null on a day that is closed.
  week jsonb not null check (jsonb_array_length(week) = 7),
  away_text text not null check (away_text <> ''),
  -- What an owner saw when they changed it.
  version integer not null default 1
);
-- Always open, as before.
insert into care_hours (week, away_text)
  select jsonb_agg('{"fromMinute": 0, "toMinute": 1440}'::jsonb),
         'Hiện ngoài giờ chăm sóc khách hàng. Bạn cứ nhắn, chúng tôi trả lời khi mở lại.'
    from generate_series(1, 7);
