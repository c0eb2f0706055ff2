-- The finder tells who signed in from an address (docs/rules.md §6.14).
create index concurrently sessions_address on sessions (ip, created_at desc);
create index concurrently users_address on users (ip);
