-- Tags that staff put on conversations, to find them again (docs/rules.md §7.18).
create table conversation_tags (
  -- No foreign keys: their locks would meet acts that lock in another order, and neither rows are ever deleted.
  conversation_id uuid not null,
  tag text not null check (char_length(tag) between 1 and 30),
  added_by uuid not null,
  added_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, tag)
);
create index conversation_tags_by_tag on conversation_tags (tag, conversation_id);
