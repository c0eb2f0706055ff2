-- The open book: everything that decides a result, in one public log (docs/open-book.md).

-- One log for each key; after a restart the next generation begins, and the older ones stay readable.
create table book_logs (
  generation integer primary key check (generation >= 1),
  origin text not null unique,
  vkey text not null,
  why text check (why in ('RESTORED', 'KEY_LOST', 'KEY_EXPOSED')),
  began_at timestamptz not null default clock_timestamp(),
  check ((generation = 1) = (why is null))
);
create trigger book_logs_append_only before update or delete on book_logs
  for each row execute function refuse_change();
create trigger book_logs_no_truncate before truncate on book_logs
  for each statement execute function refuse_change();

-- Whoever holds the lock on the newest row seals.
create table book_tips (
  generation integer primary key references book_logs (generation),
  size bigint not null default 0 check (size >= 0),
  -- The newest signed note, and the newest one that a witness cosigned.
  note text,
  witnessed_note text,
  -- Time of the newest beat, Unix ms: never falls.
  beat_at_ms bigint not null default 0,
  -- The newest second of each live source that a beat told.
  ticks_told jsonb not null default '{}',
  -- Why no process signs this log any more, found by any of them; the next log begins without it.
  stopped text check (stopped in ('AHEAD', 'DIFFERS', 'DAMAGED', 'WITNESS')),
  check ((size = 0) = (note is null))
) with (fillfactor = 20);

-- What waits to be sealed, written in the transaction of the act: kind, time and the rest of the entry's text. The
-- numbers are given when the rows are written: what was committed before another transaction began has a lower one.
create table book_queue (
  seq bigint generated always as identity primary key,
  kind text not null,
  at_ms bigint not null default floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
  fields text not null,
  round_id uuid,
  bet_id uuid
);

-- Rows of a log name its generation without a foreign key: its check for each row would lengthen every batch,
-- and only the process that holds the tip's lock writes them.

-- Sealed entries as tlog-tiles bundles them, each with its length before it, and their leaf hashes. Rows are only
-- inserted; none reaches over a multiple of 256.
create table book_entries (
  generation integer not null,
  first_index bigint not null check (first_index >= 0),
  count integer not null check (count between 1 and 256),
  entries bytea not null,
  leaf_hashes bytea not null,
  primary key (generation, first_index),
  check (first_index / 256 = (first_index + count - 1) / 256),
  check (octet_length(leaf_hashes) = 32 * count)
);
create trigger book_entries_append_only before update or delete on book_entries
  for each row execute function refuse_change();
create trigger book_entries_no_truncate before truncate on book_entries
  for each statement execute function refuse_change();

-- Hashes of full tiles: level 1 holds the root of each 256 leaves, level 2 of each 256 of those.
create table book_nodes (
  generation integer not null,
  level smallint not null check (level >= 1),
  index bigint not null check (index >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (generation, level, index)
);
create trigger book_nodes_append_only before update or delete on book_nodes
  for each row execute function refuse_change();
create trigger book_nodes_no_truncate before truncate on book_nodes
  for each statement execute function refuse_change();

-- Where the entries of a round and of its bets stand.
create table book_places (
  round_id uuid not null,
  generation integer not null,
  index bigint not null,
  kind text not null,
  bet_id uuid,
  -- Time of the beat that ends the batch, Unix ms.
  sealed_at_ms bigint not null,
  primary key (round_id, generation, index),
  check ((kind = 'bet') = (bet_id is not null))
);
create unique index book_places_of_bet on book_places (bet_id, generation) where bet_id is not null;
create unique index book_places_once on book_places (round_id, kind, generation) where kind <> 'bet';
create trigger book_places_append_only before update or delete on book_places
  for each row execute function refuse_change();
create trigger book_places_no_truncate before truncate on book_places
  for each statement execute function refuse_change();

-- Entries that are read by kind and not by round: rules, seeds, acts, feeds, disputes, restarts.
create table book_notable (
  generation integer not null,
  index bigint not null,
  kind text not null,
  at_ms bigint not null,
  line text not null,
  primary key (generation, index)
);
create index book_notable_of_kind on book_notable (kind, generation, index);
create trigger book_notable_append_only before update or delete on book_notable
  for each row execute function refuse_change();
create trigger book_notable_no_truncate before truncate on book_notable
  for each statement execute function refuse_change();

-- Texts that a rules entry names.
create table book_texts (
  hash bytea primary key,
  text text not null,
  constraint hash_is_of_text check (hash = sha256(convert_to(text, 'UTF8')))
);
create trigger book_texts_append_only before update or delete on book_texts
  for each row execute function refuse_change();
create trigger book_texts_no_truncate before truncate on book_texts
  for each statement execute function refuse_change();

-- What the log said last of each source, so that several processes say each change once.
create table book_feeds (
  source text primary key,
  state text not null check (state in ('open', 'closed')),
  why text not null
);

-- Key of the pseudonyms of staff. One row.
create table book_secret (
  only_row boolean primary key default true check (only_row),
  secret bytea not null check (octet_length(secret) = 32)
);

-- out: begun before the log, or by an older process; open: its round entry is written; closed: its last entry is.
alter table rounds add column book text not null default 'out';
alter table rounds add constraint rounds_book_known check (book in ('out', 'open', 'closed')) not valid;

-- Null for bets from before the log.
alter table bets add column salt bytea;
-- From now on no process places a bet without a salt; settling an older bet writes its row again.
do $$ begin
  execute format('alter table bets add constraint bets_are_salted
    check (coalesce(octet_length(salt), 0) = 16 or (salt is null and accepted_at < %L)) not valid', clock_timestamp());
end $$;
