-- The acts so far become the first partition. Where it ends is written down at first, three months ahead of the newest: acts that are there are compared with it later.
do $$
declare
  newest timestamptz;
begin
  select max(at) into newest from audit_log;
  perform lock_table_soon('audit_log');
  execute format('alter table audit_log add constraint audit_log_until check (at < %L::timestamptz) not valid',
    (date_trunc('month', greatest(clock_timestamp(), newest) at time zone 'UTC') + interval '3 months') at time zone 'UTC');
end $$;
