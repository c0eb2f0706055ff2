-- The message of the same conversation that a message answers, by its place there (docs/rules.md §7.15).
select lock_table_soon('messages');
alter table messages add column quoted_seq integer;
