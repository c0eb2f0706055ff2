-- Who put a conversation back into the queue: an assignment gives it to somebody else.
alter table conversations add column put_back_by uuid;
