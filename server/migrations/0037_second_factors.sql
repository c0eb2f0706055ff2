-- A second factor of staff's sign-in, and when a session last proved one (rules §4.10).

create table staff_factors (
  id uuid primary key,
  -- No foreign key: its lock on the user's row would meet acts that lock users first.
  user_id uuid not null,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  -- Of TOTP: the secret, sealed with a key that is not in the database, and the newest time step used: a code works once.
  sealed_secret bytea,
  last_step bigint,
  -- Of a passkey: its id in base64url, its public key, how often its device says it was used, and how it is reached.
  credential_id text unique,
  public_key bytea,
  sign_count bigint,
  transports text[],
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  check ((kind = 'totp') = (sealed_secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null)),
  check ((kind = 'passkey') = (public_key is not null and sign_count is not null))
) with (fillfactor = 80);
create index staff_factors_of_user on staff_factors (user_id);

-- Each works once, in place of a factor.
create table recovery_codes (
  user_id uuid not null,
  -- SHA-256 of 80 random bits.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- A step that was begun and not finished: a sign-in after its password, a proof within a session, a factor to be added.
create table factor_challenges (
  -- SHA-256 of what the client holds.
  secret_hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'proof', 'add-totp', 'add-passkey')),
  user_id uuid not null,
  -- Null for a sign-in, which has none yet.
  session_id uuid,
  -- What a passkey has to sign, and the sealed secret of a TOTP that is being added.
  webauthn_challenge text,
  sealed_secret bytea,
  tries integer not null default 0,
  expires_at timestamptz not null,
  check ((purpose = 'sign-in') = (session_id is null))
);
create index factor_challenges_of_user on factor_challenges (user_id);

-- When this session last proved a second factor; and that it may do nothing but add one.
alter table sessions add column factor_at timestamptz, add column must_add_factor boolean not null default false;

-- A sign-in on a new device is told to the admin whose account it is. Checked by the server alone from here on, so that
-- the next kind needs no lock.
alter table notices drop constraint notices_kind_check;
