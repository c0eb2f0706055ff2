-- Staff's list of one topic, the latest first.
create index concurrently conversations_by_topic on conversations (topic, last_activity desc, id desc) where topic is not null;
