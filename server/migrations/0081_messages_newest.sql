-- A text that many messages contain is found among the newest.
create index concurrently messages_newest on messages (sent_at desc, id desc);
