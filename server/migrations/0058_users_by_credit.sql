-- Staff sort users by their credit score.
create index concurrently users_credit on users (credit_score, id) where deleted_at is null;
