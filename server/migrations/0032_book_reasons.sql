-- Salts of the reasons that entries of the open book commit to (docs/open-book.md §2, act): what opens them to the
-- player concerned.

create table book_reasons (
  -- c = SHA-256(salt ‖ reason).
  commitment bytea primary key check (octet_length(commitment) = 32),
  salt bytea not null check (octet_length(salt) = 16),
  -- What the reason belongs to: the id of a transfer, or a user.
  ref text not null
);
create index book_reasons_of on book_reasons (ref);
create trigger book_reasons_append_only before update or delete on book_reasons
  for each row execute function refuse_change();
create trigger book_reasons_no_truncate before truncate on book_reasons
  for each statement execute function refuse_change();
