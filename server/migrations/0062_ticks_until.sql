-- The ticks so far become the first partition. Where it ends is written down at first, three months ahead of the newest: ticks that are there are compared with it later.
do $$
declare
  newest bigint;
begin
  -- Through the key, source by source.
  with recursive sources (source) as (
    (select source from ticks order by source limit 1)
    union all
    select (select t.source from ticks t where t.source > s.source order by t.source limit 1) from sources s where s.source is not null
  )
  select max(t.second) into newest
    from sources s cross join lateral (select second from ticks where source = s.source order by second desc limit 1) t;
  perform lock_table_soon('ticks');
  execute format('alter table ticks add constraint ticks_until check (second < %L::bigint) not valid',
    extract(epoch from (date_trunc('month', greatest(clock_timestamp(), to_timestamp(newest)) at time zone 'UTC')
      + interval '3 months') at time zone 'UTC')::bigint);
end $$;
