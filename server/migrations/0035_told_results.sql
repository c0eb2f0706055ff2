-- Rounds that the measured rates have counted already, although their last entry is still to be written: a restart of the
-- log has it written again.
alter table rounds add column in_rates boolean not null default false;

-- The process that fixed the result also queued its entry. An older process does not know that it has to, and is refused.
alter table rounds add column result_told boolean not null default false;
alter table rounds add constraint rounds_tell_results
  check (status <> 'settling' or book <> 'open' or result_told) not valid;
