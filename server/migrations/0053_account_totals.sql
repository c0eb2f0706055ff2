-- What each account holds, as of at most a minute ago: staff sort users by it. An index on the balances themselves would be written by every bet.
create table account_totals (
  user_id uuid primary key references users (id),
  balance bigint not null default 0,
  staked bigint not null default 0,
  -- Transfers of the user's accounts so far: an older state never replaces a newer one.
  transfers bigint not null default 0
) with (fillfactor = 80);
create index account_totals_balance on account_totals (balance, user_id);
create index account_totals_staked on account_totals (staked, user_id);

-- One row: how far the totals have followed the ledger, and which process follows it at present.
create table account_totals_mark (
  only_row boolean primary key default true check (only_row),
  -- Every transfer of a transaction before this one is in the totals, or its user is not filled yet; null before the first fill.
  snapshot_xmin xid8,
  -- The highest transaction of transfers from another cluster, whose backup this database was filled from.
  foreign_to xid8,
  -- The last user that the running fill has reached; null while none is running.
  filled_to uuid,
  -- The time that the totals speak of; null until every user has been filled once.
  as_of timestamptz,
  claimed_by uuid,
  claimed_until timestamptz
);
insert into account_totals_mark default values;

-- A new user is in every order at once, whichever version of the server opened the account.
create function open_account_total() returns trigger language plpgsql as $$
begin
  insert into account_totals (user_id) values (new.owner_id) on conflict do nothing;
  return null;
end $$;
create trigger ledger_accounts_open_total after insert on ledger_accounts
  for each row when (new.kind = 'wallet') execute function open_account_total();
