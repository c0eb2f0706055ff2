-- An image is read by who may read a message that shows it (rules §7): its messages are found by its address.

create index messages_image on messages (content) where kind = 'image';
