-- What a sender made of a message afterwards: another text, or nothing (docs/rules.md §7.15). The message itself never changes.
create table message_changes (
  -- No foreign key: the message is there, and is never deleted.
  message_id uuid primary key,
  -- A new one with every change: in chat_outbox it says which change is not told yet.
  id uuid not null unique,
  conversation_id uuid not null,
  -- Null: taken back.
  content text,
  -- As in messages, of the text as it is now; empty where it was taken back.
  search_key text not null,
  changed_at timestamptz not null
);
-- For who was away, and for a search.
create index message_changes_of on message_changes (conversation_id, changed_at);
create index message_changes_newest on message_changes (changed_at desc);
