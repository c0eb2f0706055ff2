-- For a search over the messages of everybody, however many.
create index concurrently messages_by_beginning on messages using gin (message_beginnings(search_key)) where kind = 'text';
drop index concurrently messages_by_word;
