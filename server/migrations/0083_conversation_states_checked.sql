-- Apart from the migration before, which holds everybody up while it runs.
alter table conversations validate constraint conversations_state;
