-- What staff write down about a customer for each other (rules §4.9): only added to, never shown to the customer.

create table staff_notes (
  id uuid primary key,
  -- No foreign keys: their locks on users' rows would meet acts that lock users first, and no user is ever deleted.
  user_id uuid not null,
  author_id uuid not null check (author_id <> user_id),
  text text not null check (text <> ''),
  created_at timestamptz not null default clock_timestamp()
);
create index staff_notes_of_user on staff_notes (user_id, created_at desc, id desc);

create trigger staff_notes_append_only before update or delete on staff_notes
  for each row execute function refuse_change();
create trigger staff_notes_no_truncate before truncate on staff_notes
  for each statement execute function refuse_change();
