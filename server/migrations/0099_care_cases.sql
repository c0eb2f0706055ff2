-- Matters of players with customer care, each from its first message to done (docs/rules.md §7.16).
create table care_cases (
  -- That of the message which began it.
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  -- No foreign keys to users: their locks would meet acts that lock users first, and no user is ever deleted.
  player_id uuid not null,
  topic text check (topic in ('bet', 'deposit', 'withdrawal', 'account', 'other')),
  opened_at timestamptz not null,
  first_reply_at timestamptz,
  first_reply_by uuid,
  done_at timestamptz,
  done_by uuid,
  -- The player wrote again within 24 hours after done.
  is_reopened boolean not null default false,
  satisfaction text check (satisfaction in ('good', 'bad')),
  satisfaction_text text check (length(satisfaction_text) <= 500),
  -- When the player answered the question, or closed it.
  rated_at timestamptz
);
create unique index one_open_case_of_a_conversation on care_cases (conversation_id) where done_at is null;
create index care_cases_of_conversation on care_cases (conversation_id, opened_at desc);
create index care_cases_opened on care_cases (opened_at);
