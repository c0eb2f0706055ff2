-- Four eyes: what one admin proposes to move, until another one confirms it or it ends (rules §3.10).

create table money_proposals (
  id uuid primary key,
  kind text not null check (kind in ('deposit', 'withdrawal', 'adjustment', 'correction')),
  -- No foreign keys: users, requests and disputes are never deleted.
  owner_id uuid not null,
  -- Minor units; negative where an adjustment takes.
  amount bigint not null check (amount <> 0),
  request_id uuid,
  dispute_id uuid,
  -- What is executed with it: the reason of an adjustment, the sentence of a dispute's answer.
  reason text,
  -- What staff had moved in the 24 hours before, with this amount.
  summed bigint not null check (summed > 0),
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null default 'open'
    check (status in ('open', 'confirmed', 'withdrawn', 'refused', 'overtaken', 'expired')),
  -- Null where it expired; the player's where they cancelled their request.
  ended_by uuid,
  ended_at timestamptz,
  end_reason text,
  check (kind = 'adjustment' or amount > 0),
  check ((kind in ('deposit', 'withdrawal')) = (request_id is not null)),
  check ((kind = 'correction') = (dispute_id is not null)),
  check ((kind in ('adjustment', 'correction')) = (reason is not null)),
  check ((status = 'open') = (ended_at is null)),
  check ((status in ('open', 'expired')) = (ended_by is null)),
  -- Never the same person.
  constraint confirmed_by_another check (status <> 'confirmed' or ended_by <> proposed_by)
) with (fillfactor = 80);
create unique index one_proposal_of_a_request on money_proposals (request_id) where status = 'open';
create unique index one_proposal_of_a_dispute on money_proposals (dispute_id) where status = 'open';
create unique index one_adjustment_proposed on money_proposals (owner_id) where status = 'open' and kind = 'adjustment';
create index money_proposals_open on money_proposals (expires_at) where status = 'open';
create index money_proposals_newest on money_proposals (proposed_at desc, id desc);
create index money_proposals_owner on money_proposals (owner_id, proposed_at desc, id desc);

-- An ended proposal stays ended, and nothing rewrites what was proposed.
create function refuse_proposal_rewrite() returns trigger language plpgsql as $$
begin
  if old.status <> 'open' or new.owner_id <> old.owner_id or new.kind <> old.kind or new.amount <> old.amount
    or new.proposed_by <> old.proposed_by or new.expires_at <> old.expires_at
    or new.reason is distinct from old.reason or new.request_id is distinct from old.request_id
    or new.dispute_id is distinct from old.dispute_id then
    raise exception 'an ended proposal cannot be rewritten' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger money_proposals_are_fixed before update on money_proposals
  for each row execute function refuse_proposal_rewrite();
create trigger money_proposals_no_delete before delete on money_proposals
  for each row execute function refuse_change();
create trigger money_proposals_no_truncate before truncate on money_proposals
  for each statement execute function refuse_change();
