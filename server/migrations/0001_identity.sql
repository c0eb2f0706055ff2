-- Who may sign in, and every sign-in as a row that ends it (rules §4).

create table users (
  id uuid primary key,
  username text not null check (username ~ '^[A-Za-z0-9]{3,32}$'),
  -- Lower case: names are unique without regard to case and stay taken after a delete.
  username_key text not null unique,
  password_hash text not null,
  must_change_password boolean not null default false,
  password_reset_at timestamptz,
  role text not null default 'player' check (role in ('player', 'admin')),
  avatar text,
  credit_score integer not null default 100 check (credit_score between 0 and 100),
  vip integer check (vip between 0 and 10),
  -- Set on demonstration accounts only, and shown wherever it decides a bet.
  scripted_outcome text check (scripted_outcome in ('win', 'lose')),
  is_frozen boolean not null default false,
  -- Counts writes of staff-editable fields only: the first half of the wire's version.
  row_version bigint not null default 1,
  ip text,
  created_at timestamptz not null default clock_timestamp(),
  -- When the account was last frozen, given another role or deleted: sockets opened before it are closed.
  access_changed_at timestamptz,
  deleted_at timestamptz
);
create index users_access_changed on users (access_changed_at) where access_changed_at is not null;
create index users_created on users (created_at desc, id desc) where deleted_at is null;

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of the token's secret half: the database alone opens no session.
  secret_hash bytea not null,
  ip text,
  user_agent text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logout', 'password-changed', 'password-reset', 'role-changed', 'deleted'))
);
create index sessions_user on sessions (user_id) where ended_at is null;
create index sessions_ended on sessions (ended_at) where ended_at is not null;
