-- Decided requests and adjustments of one user, newest first, however long the lists are that they stand in (rules §6.10).

create index concurrently cash_requests_decided on cash_requests (owner_id, decided_at desc, id desc)
  where decided_by <> owner_id;
create index concurrently ledger_transfers_adjustments on ledger_transfers (wallet_account, wallet_seq desc)
  where reason = 'ADJUSTMENT';
