-- The finder lists requests of exactly an amount, those that wait first, however many others have it (docs/rules.md §6.14).
create index concurrently cash_requests_waiting_amount on cash_requests (amount, id) where status = 'pending' and hidden_at is null;
