-- Since when an admin may move points without interruption: who confirms a proposal has to for a day (rules §3.10). Kept by a
-- trigger, so that every version and every command keeps it.
select lock_table_soon('users');
-- Null for who may not; the next migration fills it for the admins of before.
alter table users add column money_since timestamptz;
-- What the proposer's side had moved for anybody, with this amount; and since when the confirmer could have moved it.
alter table money_proposals add column summed_by_admin bigint, add column confirmer_since timestamptz;

create function note_money_since() returns trigger language plpgsql as $$
begin
  if new.role <> 'admin' or not 'money' = any(new.capabilities) or new.is_frozen or new.deleted_at is not null
    or new.must_change_password then
    new.money_since := null;
  elsif new.money_since is null then
    new.money_since := case when tg_op = 'INSERT' then new.created_at else clock_timestamp() end;
  end if;
  return new;
end $$;
create trigger users_money_since
  before insert or update of role, capabilities, is_frozen, deleted_at, must_change_password on users
  for each row execute function note_money_since();
