-- Web Push (rules §6.9): which browsers get pushes, about what and when, and those that are not handed over yet.

-- The key by which push services recognise this server (RFC 8292). The first start makes it; every process reads it.
create table push_keys (
  is_only boolean primary key default true check (is_only),
  -- Base64url, as the setting VAPID_PRIVATE_KEY has it.
  private_key text not null
);

create table push_preferences (
  user_id uuid primary key references users (id),
  request_decided boolean not null,
  care_replied boolean not null,
  points_adjusted boolean not null,
  -- Minutes of the day in Asia/Ho_Chi_Minh; null: pushes at any time.
  quiet_from integer check (quiet_from between 0 and 1439),
  quiet_to integer check (quiet_to between 0 and 1439),
  -- False once the user wants no screen to offer pushes any more.
  may_offer boolean not null,
  check ((quiet_from is null) = (quiet_to is null)),
  check (quiet_from <> quiet_to)
);

-- A session lives in one browser, and a browser has one subscription. It goes with its session.
create table push_subscriptions (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id uuid not null references users (id),
  endpoint text not null unique,
  p256dh text not null,
  auth_secret text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_user on push_subscriptions (user_id, created_at);

-- One row for each browser and kind that has something to tell: what happens twice before it is sent is sent once.
create table push_queue (
  session_id uuid not null,
  kind text not null check (kind in ('request-decided', 'care-replied', 'points-adjusted')),
  -- A new one with every event, so that a sender deletes only what it has sent.
  id uuid not null,
  happened_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (session_id, kind)
);
create index push_queue_due on push_queue (due_at);
