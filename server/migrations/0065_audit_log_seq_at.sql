-- A unique index of a partitioned table contains what it is partitioned by: the one that the first partition of the audit log brings along.
create unique index concurrently audit_log_first_seq_at on audit_log (seq, at);
