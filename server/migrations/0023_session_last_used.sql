-- When a session was last used, so that its owner can tell a device in use from a forgotten one (rules §4.8).

-- Null until then, also on every session of a version before.
alter table sessions add column last_used_at timestamptz;
