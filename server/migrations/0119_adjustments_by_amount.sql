-- The finder lists adjustments of exactly an amount, newest first (docs/rules.md §6.14).
create index concurrently ledger_transfers_adjusted_amount on ledger_transfers (amount, seq) where reason = 'ADJUSTMENT';
