-- A conversation that nobody holds is in the queue of everybody with care (docs/rules.md §7.13).
select lock_table_soon('conversations');
alter table conversations alter column holder_id drop not null;
