-- Steps of second factors are judged at their end (rules §4.10): what a session needs to take back a factor that another one
-- added, and how a proof that is sent twice is recognized.
select lock_table_soon('sessions');
-- The device on which the session began; null for one of an older version.
alter table sessions add column device_hash bytea;
-- The session that added it; null for one of an older version.
alter table staff_factors add column added_in uuid;
-- SHA-256 of the step's secret and of the proof that ended it.
alter table factor_challenges add column proof_hash bytea;
