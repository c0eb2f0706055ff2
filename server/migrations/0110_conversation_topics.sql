-- What the last case of a conversation is about, beside its activity, so that staff's list by topic is one walk through an index (docs/rules.md §7.18).
select lock_table_soon('conversations');
alter table conversations add column topic text;

-- By a trigger, since a process of the version before writes cases as well; each is written under its conversation's lock.
create function note_topic() returns trigger language plpgsql as $$
begin
  update conversations c set topic = k.topic
    from (select (select topic from care_cases where conversation_id = new.conversation_id
                   order by done_at desc nulls first, opened_at desc limit 1) as topic) k
   where c.id = new.conversation_id and c.topic is distinct from k.topic;
  return null;
end $$;
select lock_table_soon('care_cases');
create trigger care_cases_topic after insert or update of topic, done_at, conversation_id on care_cases
  for each row execute function note_topic();
