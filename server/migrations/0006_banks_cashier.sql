-- Linked banks, and requests to deposit or withdraw: staff decide each once, and the books follow (rules §3).

create table banks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  account_number text not null,
  account_holder text not null,
  bank_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index banks_owner on banks (owner_id, created_at, id);

create table cash_requests (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null check (kind in ('deposit', 'withdrawal')),
  amount bigint not null check (amount > 0),
  deposit_memo text,
  withdrawal_note text,
  -- The bank as it was when the request was filed: a later edit changes no decision.
  bank_id uuid not null,
  account_number text not null,
  account_holder text not null,
  bank_name text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text,
  decided_by uuid references users (id),
  decided_at timestamptz,
  created_at timestamptz not null,
  -- Removed from staff lists only; its owner keeps it.
  hidden_at timestamptz,
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'rejected') = (rejection_reason is not null))
);
create index cash_requests_owner on cash_requests (owner_id, created_at desc, id desc);
create index cash_requests_newest on cash_requests (created_at desc, id desc) where hidden_at is null;
create index cash_requests_pending on cash_requests (created_at, id) where status = 'pending' and hidden_at is null;
create index cash_requests_pending_owner on cash_requests (owner_id) where status = 'pending';

-- A decided request stays decided, and nothing rewrites what was asked for.
create function refuse_request_rewrite() returns trigger language plpgsql as $$
begin
  if new.owner_id <> old.owner_id or new.kind <> old.kind or new.amount <> old.amount
    or (old.status <> 'pending' and new.status <> old.status) then
    raise exception 'a decided request cannot be rewritten' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger cash_requests_are_fixed before update on cash_requests
  for each row execute function refuse_request_rewrite();
create trigger cash_requests_no_delete before delete on cash_requests
  for each row execute function refuse_change();
