-- What staff have to look at: conversations that wait for an answer, and what each admin wants to be told of (rules §6.12).

-- A row from the first of a player's messages in a row to the next one of customer care, so that those who wait are
-- found without reading any conversation.
create table conversations_waiting (
  conversation_id uuid primary key references conversations (id),
  since timestamptz not null
);
create index conversations_waiting_longest on conversations_waiting (since);

-- No row, and an empty list: told of everything.
create table attention_choices (
  user_id uuid primary key references users (id),
  muted text[] not null
);
