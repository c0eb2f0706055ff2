-- What a side had read beyond its first unread message when two conversations were merged (docs/rules.md §7.4, §7.19).
select lock_table_soon('conversation_members');
alter table conversation_members add column read_apart int4multirange not null default '{}';
