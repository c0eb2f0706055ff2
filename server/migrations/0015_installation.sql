-- Installations that share a Redis server are told apart by an id, which the first start makes.
create table installation (
  id uuid not null,
  is_only boolean primary key default true check (is_only)
);
