-- What bounds the guessing of passwords (rules §4): every attempt that failed, and the devices that signed in before.

-- One row for each password that was compared and wrong, or is being compared. It is written before the comparison and
-- deleted when the password was right.
create table password_attempts (
  id uuid primary key,
  -- SHA-256 of the name in lower case: the name may belong to nobody, or be a password typed into the wrong field.
  account bytea not null,
  -- The address as limits count it; or, of a known device or a live session, which one.
  source text not null,
  -- A known device or a live session: counts against itself and nobody else.
  is_known boolean not null,
  at timestamptz not null default clock_timestamp()
);
create index password_attempts_source on password_attempts (source, at);
create index password_attempts_account on password_attempts (account, at) where not is_known;
create index password_attempts_at on password_attempts (at);

-- A browser on which a user signed in. Its secret opens nothing: it only keeps room for that user.
create table known_devices (
  -- SHA-256 of the secret. Several users of one browser share it.
  secret_hash bytea not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  -- The last sign-in.
  seen_at timestamptz not null default clock_timestamp(),
  primary key (secret_hash, user_id)
);
create index known_devices_user on known_devices (user_id, seen_at);
create index known_devices_seen on known_devices (seen_at);
