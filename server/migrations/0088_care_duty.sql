-- Who of staff takes conversations from the queue, and how many (docs/rules.md §7.13).
create table care_duty (
  -- No foreign key: its lock on the user's row would meet acts that lock users first, and no user is ever deleted.
  user_id uuid primary key,
  is_on_duty boolean not null,
  -- Their last act while on duty: after a while without one they are away.
  active_at timestamptz not null default clock_timestamp(),
  -- The most open conversations with which they are still given another.
  capacity integer not null check (capacity between 1 and 100),
  -- Of several with as few conversations, who was given one longest ago gets the next.
  assigned_at timestamptz
);
