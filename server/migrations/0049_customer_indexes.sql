-- What the page of one customer looks up: who else linked a bank number, and the rare transfers among many of bets.

create index concurrently banks_number on banks (account_number, owner_id);
create index concurrently ledger_transfers_rare on ledger_transfers (wallet_account, reason, wallet_seq desc)
  where reason in ('WELCOME', 'REFILL', 'DEPOSIT', 'WITHDRAWAL_HOLD', 'WITHDRAWAL_RELEASED', 'ADJUSTMENT');
