-- Finding names among millions: every run of one to three letters of a name leads to it, and names have an order for
-- their beginnings that holds under any collation of the database.

-- The cost keeps it out of plans that would compute it for row after row instead of asking the index.
create function name_parts(name text) returns text[] language sql immutable strict parallel safe cost 5000 as $$
  select array_agg(distinct substr(name, at, size))
    from generate_series(1, 3) size, generate_series(1, length(name) - size + 1) at
$$;

-- Without a list of pending entries, which every search would have to read through.
create index users_name_parts on users using gin (name_parts(username_key)) with (fastupdate = off);
-- Holds all that a walk in the names' order looks at.
create index users_name_order on users (username_key collate "C", id) include (deleted_at);

-- An act that is rare among the others is found without reading them.
create index audit_log_act on audit_log (act, seq desc);

-- With its round: which type a bet has is seen without reading the bet.
drop index bets_voided;
create index bets_voided on bets (id desc) include (round_id) where status = 'voided' and hidden_at is null;
