-- Days from before the trigger; apart from it, so that its lock is over. The first one is found by the index of opened_at.
insert into care_days_changed
  select day::date from generate_series((select care_day(min(opened_at)) from care_cases), care_day(now()), interval '1 day') day;
