-- Sessions that ran out long ago are forgotten, without reading all the others.
create index sessions_expires on sessions (expires_at);
