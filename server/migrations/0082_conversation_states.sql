-- How far staff are with a conversation (docs/rules.md §7.12). A player's message opens it again.
alter table conversations
  add column state text not null default 'open',
  add column snoozed_until timestamptz,
  add constraint conversations_state check (state in ('open', 'snoozed', 'done')) not valid;
