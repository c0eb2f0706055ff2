-- The public list of the open book reads each kind's newest entries, of any range of time, without the others.
create index concurrently book_notable_by_time on book_notable (kind, at_ms, generation, index);
