-- Which admin has which request open, told to the others for two minutes at a time (rules §3.11).

create table request_views (
  -- Made by the page that shows it: one request at a time.
  id uuid primary key,
  -- No foreign keys: a row lives for minutes, and no request and no user is ever deleted.
  request_id uuid not null,
  admin_id uuid not null,
  until timestamptz not null
);
