-- All sessions of a user, also those that ended: they are part of the data that a user may save (rules §4.8).

create index concurrently sessions_of_user on sessions (user_id, created_at, id);
