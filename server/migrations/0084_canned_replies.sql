-- Replies of customer care under a name, for their maker or for the whole team (docs/rules.md §7.12).
create table canned_replies (
  id uuid primary key,
  -- No foreign key: its lock on the maker's row would meet acts that lock users first, and no user is ever deleted.
  owner_id uuid not null,
  name text not null check (name ~ '^[a-z0-9]{1,20}$'),
  content text not null check (content <> ''),
  is_shared boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (owner_id, name)
);
create index canned_replies_shared on canned_replies (name) where is_shared;
