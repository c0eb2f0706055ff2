-- Views of the back office's lists under a name, for their maker or for the whole team (rules §6.11).

create table saved_views (
  id uuid primary key,
  -- Which list of the back office, by the name that the web gives it.
  list text not null check (list ~ '^[a-z-]{1,40}$'),
  -- No foreign key: its lock on the maker's row would meet acts that lock users first, and no user is ever deleted.
  owner_id uuid not null,
  name text not null check (name <> ''),
  -- Lower case: one maker's names are unique in a list without regard to case.
  name_key text not null,
  -- The search parameters of the list's address.
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  is_shared boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (owner_id, list, name_key)
);
create index saved_views_shared on saved_views (list, name_key) where is_shared;
