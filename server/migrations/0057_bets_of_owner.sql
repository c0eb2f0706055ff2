-- Staff's list of one player's bets counts up to 10,000 by state: now by the index alone, not from pages all over the table.

create index concurrently bets_of_owner on bets (user_id, accepted_at desc, id desc)
  include (status, basis, round_id, hidden_at);
drop index concurrently bets_of_user;
