-- What staff write about a conversation for each other (docs/rules.md §7.14): apart from messages, only added to, never shown to its player.
create table conversation_notes (
  -- Made by the writer's page, so that a note that is sent again is the same note.
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  -- No foreign keys on users: their locks would meet acts that lock users first, and no user is ever deleted.
  author_id uuid not null,
  content text not null check (content <> ''),
  mentions uuid[] not null,
  created_at timestamptz not null default clock_timestamp()
);
create index conversation_notes_newest on conversation_notes (conversation_id, created_at desc, id desc);
create trigger conversation_notes_are_fixed before update or delete on conversation_notes
  for each row execute function refuse_change();

-- Who was mentioned and has not opened the note yet; whoever opens it deletes the row.
create table conversation_mentions (
  user_id uuid not null,
  note_id uuid not null references conversation_notes (id),
  primary key (user_id, note_id)
);
