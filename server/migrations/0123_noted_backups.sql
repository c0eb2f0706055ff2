-- Jobs around a PostgreSQL server note its backups and rehearsed restores, which no server process makes or sees (docs/operations/backup.md).

alter table installation
  add column backed_up_at timestamptz,
  add column rehearsed_at timestamptz,
  add column rehearsal_failed_at timestamptz;
