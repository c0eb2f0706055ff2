-- Bets of one round that were accepted together wait in one row of the queue: a row for each of them cost the statement
-- that accepts them, and the one that seals them, more than anything else of the log (docs/benchmarks.md).
--
-- No released version has the queue. A process of a build between neither queues nor seals from here on, instead of
-- sealing these rows wrongly: it fails on the column that is gone.
alter table book_queue
  alter column fields drop not null,
  -- Of kind bet: the bets in log order, and the commitments of 32 bytes each in the same order.
  add column bets uuid[],
  add column commitments bytea;
update book_queue
   set bets = array[bet_id], commitments = decode((('{' || substring(fields from 2))::jsonb) ->> 'c', 'base64'),
       fields = null
 where kind = 'bet';
alter table book_queue
  drop column bet_id,
  add constraint book_queue_of_its_kind check (
    case when kind = 'bet'
      then fields is null and round_id is not null and cardinality(bets) > 0
        and octet_length(commitments) = 32 * cardinality(bets)
      else fields is not null and bets is null and commitments is null end is true),
  -- A row of 128 bets fits a page. Its bytes are random: compressing them or moving them elsewhere gains nothing.
  set (toast_tuple_target = 8160);
