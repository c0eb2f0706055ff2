-- Files in chat beside pictures (docs/rules.md §7.7): an upload that is no picture has a name instead of a size in pixels. Its
-- message is a text for the version before, and names the upload.
alter table uploads add column name text, alter column width drop not null, alter column height drop not null,
  alter column thumbhash drop not null;
select lock_table_soon('messages');
alter table messages add column file_key text;
