-- A refill is a transfer of its own reason (rules §3). Old rows are compared in the next file, under a lock that blocks nobody.
alter table ledger_transfers
  drop constraint ledger_transfers_reason_check,
  add constraint ledger_transfers_reason_check check (reason in (
    'WELCOME', 'REFILL', 'BET_STAKE', 'BET_RETURN', 'BET_PROFIT', 'BET_LOSS', 'DEPOSIT',
    'WITHDRAWAL_HOLD', 'WITHDRAWAL_PAID', 'WITHDRAWAL_RELEASED', 'ADJUSTMENT')) not valid;
