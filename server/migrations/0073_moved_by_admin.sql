-- What one admin moved in the last 24 hours, over all players (rules §3.10).
create index concurrently cash_requests_approved_by on cash_requests (decided_by, decided_at) where status = 'approved';
create index concurrently ledger_transfers_adjusted_by on ledger_transfers (actor, created_at) where reason = 'ADJUSTMENT';
