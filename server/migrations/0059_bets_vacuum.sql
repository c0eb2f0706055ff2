-- An index answers alone for pages that were vacuumed: at the usual fifth of the table that would be weeks behind.

alter table bets set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
