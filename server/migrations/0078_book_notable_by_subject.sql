-- Acts by their name, disputes by the place of their bet and seeds by their day are found without reading all others.
create index concurrently book_notable_by_subject on book_notable
  (kind, coalesce(line::jsonb ->> 'act', line::jsonb ->> 'bet', line::jsonb ->> 'day'), at_ms, generation, index);
