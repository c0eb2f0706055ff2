-- Rounds with void bets are found from the newest one on, without a join with every void bet; an ordinary bet has no row here.
create index concurrently bets_voided_of_round on bets (round_id) where status = 'voided';
