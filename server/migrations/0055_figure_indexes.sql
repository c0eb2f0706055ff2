-- What the overview's figures are counted from, by the time at which it happened.

create index concurrently cash_requests_filed on cash_requests (created_at);
create index concurrently cash_requests_decided_at on cash_requests (decided_at) where decided_at is not null;
create index concurrently messages_sent on messages using brin (sent_at) with (pages_per_range = 32, autosummarize = on);
