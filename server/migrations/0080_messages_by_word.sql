-- For a search over the messages of everybody, however many.
create index concurrently messages_by_word on messages using gin (message_words(search_key)) where kind = 'text';
