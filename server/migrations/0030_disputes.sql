-- Disputes of settled bets: what a player says is wrong, and what staff answered (rules §9).

create table disputes (
  id uuid primary key,
  -- No foreign keys on bets, conversations and users: a bet is disputed under its owner's lock, and none is ever deleted.
  bet_id uuid not null constraint one_dispute_of_a_bet unique,
  owner_id uuid not null,
  -- Where the case is talked about.
  conversation_id uuid not null,
  status text not null default 'open' check (status in ('open', 'upheld', 'rejected')),
  text text not null,
  salt bytea not null check (octet_length(salt) = 16),
  opened_at timestamptz not null,
  -- The log that tells of this dispute, and the index of the bet's entry there; null for a bet without an entry in the
  -- log of that moment.
  generation integer,
  bet_index bigint,
  answer text,
  answer_salt bytea check (octet_length(answer_salt) = 16),
  answered_by uuid,
  answered_at timestamptz,
  -- Minor units, from the house's grants to the player; only where upheld.
  correction bigint check (correction > 0),
  check ((generation is null) = (bet_index is null)),
  check ((status = 'open') = (answered_at is null)),
  check ((status = 'upheld') = (correction is not null)),
  check ((answered_at is null) = (answer is null) and (answered_at is null) = (answer_salt is null)
    and (answered_at is null) = (answered_by is null))
) with (fillfactor = 80);
create index disputes_opened on disputes (opened_at, id);
create index disputes_of_status on disputes (status, opened_at, id);
create index disputes_of_owner on disputes (owner_id, opened_at desc, id desc);
create index disputes_answered on disputes (owner_id, answered_at desc, id desc) where answered_at is not null;

-- Written by the server alone: the message tells of this dispute, and clients show its card. No sender can forge one.
alter table messages add column dispute_id uuid;
