-- Where the audit log begins after its oldest partitions were detached, signed with its key: a cut made without the key is still found.
create table audit_anchors (
  -- The last row that was detached, and its hash.
  through_seq bigint primary key,
  hash bytea not null,
  -- The end of the detached partitions: every act before it is in them.
  until timestamptz not null,
  made_at timestamptz not null default clock_timestamp(),
  mark bytea not null
);
create trigger audit_anchors_append_only before update or delete on audit_anchors
  for each row execute function refuse_change();
create trigger audit_anchors_no_truncate before truncate on audit_anchors
  for each statement execute function refuse_change();
