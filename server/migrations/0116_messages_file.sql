-- A file is read by who may read a message with it: its messages are found by its key.
create index concurrently messages_file on messages (file_key) where file_key is not null;
