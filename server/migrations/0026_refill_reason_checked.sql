-- The rows from before the reason of refills are compared with the list of reasons, while everybody reads and writes.
alter table ledger_transfers validate constraint ledger_transfers_reason_check;
