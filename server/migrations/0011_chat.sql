-- Customer care: who talks to whom, every message in its place, how far each has read, who is there (rules §7).

create table conversations (
  id uuid primary key,
  player_id uuid not null references users (id),
  -- The admin who answers; claim and hand-over change it.
  holder_id uuid not null references users (id) check (holder_id <> player_id),
  last_seq integer not null default 0,
  last_activity timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint one_conversation_of_two unique (player_id, holder_id)
) with (fillfactor = 80);
create index conversations_holder on conversations (holder_id, last_activity desc, id desc);
create index conversations_player on conversations (player_id, last_activity desc, id desc);
create index conversations_latest on conversations (last_activity desc, id desc);

create table messages (
  conversation_id uuid not null references conversations (id),
  -- The order for everyone, from 1 and without holes: taken under the conversation's lock.
  seq integer not null check (seq > 0),
  id uuid not null unique,
  -- No foreign key: its lock on the user's row would meet acts that lock users first. Participants are users.
  sender_id uuid not null,
  client_id text not null,
  kind text not null check (kind in ('text', 'image')),
  content text not null,
  -- The text without accents, for searching; empty for an image.
  search_key text not null,
  image_width integer,
  image_height integer,
  image_thumbhash text,
  sent_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, seq),
  -- For ever: a message that is sent again is never a second one.
  constraint one_message_of_a_client_id unique (sender_id, client_id),
  check ((kind = 'image') = (image_width is not null and image_height is not null and image_thumbhash is not null))
);
create trigger messages_are_fixed before update or delete on messages for each row execute function refuse_change();

create table conversation_members (
  conversation_id uuid not null references conversations (id),
  user_id uuid not null references users (id),
  -- Read up to here; never moves back.
  read_seq integer not null default 0,
  -- Deleted for oneself up to here; -1 where it never was.
  hidden_through_seq integer not null default -1,
  -- Deleted, and not opened again since: out of the list until a later message.
  is_hidden boolean not null default false,
  primary key (conversation_id, user_id)
) with (fillfactor = 80);

-- Messages whose events are not told yet. Whoever stored one tells and deletes it; what a killed process left is taken
-- by the others once emit_after has passed.
create table chat_outbox (
  message_id uuid primary key,
  is_first boolean not null,
  emit_after timestamptz not null default clock_timestamp() + interval '2 s'
);
create index chat_outbox_due on chat_outbox (emit_after);

-- Presence by leases: a process renews one row, and its users are there while it does.
create table presence_processes (
  process_id uuid primary key,
  lease_until timestamptz not null
);
create table presence_users (
  process_id uuid not null references presence_processes (process_id) on delete cascade,
  user_id uuid not null,
  primary key (user_id, process_id)
);
create index presence_users_process on presence_users (process_id);
create table presence_last_seen (
  user_id uuid primary key,
  seen_at timestamptz not null
);

create table uploads (
  id uuid primary key,
  owner_id uuid not null references users (id),
  -- Unguessable: who knows it may look.
  storage_key text not null unique,
  mime text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  thumbhash text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- When a message first showed it; until then it is swept after a day.
  used_at timestamptz
);
create index uploads_unsent on uploads (created_at) where used_at is null;
