-- What staff filter requests, bets, rounds and the audit log by: each rare value leads to its rows.

create index concurrently cash_requests_number on cash_requests ((reverse(account_number) collate "C")) where hidden_at is null;
create index concurrently cash_requests_bank on cash_requests ((lower(bank_name) collate "C"), created_at desc, id desc)
  where hidden_at is null;
create index concurrently cash_requests_decided_by on cash_requests (decided_by, created_at desc, id desc)
  where decided_by is not null and hidden_at is null;
create index concurrently bets_by_stake on bets (stake) where hidden_at is null;
create index concurrently bets_not_by_price on bets (id desc) where basis <> 'PRICE' and hidden_at is null;
-- Also of hidden bets: a round's voids count them.
create index concurrently bets_void_reasons on bets (void_reason, id desc) include (round_id) where status = 'voided';
create index concurrently rounds_announced_by on rounds (announced_by) where announced_by is not null;
create index concurrently rounds_deleted_by on rounds (deleted_by) where deleted_by is not null;
create index concurrently rounds_of_days on rounds (type, opens_at desc);
create index concurrently audit_log_at on audit_log (at);
