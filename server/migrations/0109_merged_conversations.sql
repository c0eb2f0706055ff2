-- Conversations of one player that staff made into one (docs/rules.md §7.19): where their ids lead from then on.
create table merged_conversations (
  id uuid primary key,
  -- No foreign keys: the conversation of `id` is gone, and a later merge leads its row on in the transaction that ends `into_id`.
  into_id uuid not null check (into_id <> id)
);
create index merged_conversations_into on merged_conversations (into_id);

-- A message stays as it was sent. A merge alone gives it another place, and only in the conversation that its own leads
-- to; what it says, who sent it, and when, never change. Once a merge is committed its old conversation holds nothing
-- that could be moved.
create function refuse_change_of_message() returns trigger language plpgsql as $$
declare
  rehomed messages := old;
begin
  if tg_op = 'UPDATE' then
    rehomed.conversation_id := new.conversation_id;
    rehomed.seq := new.seq;
    rehomed.quoted_seq := new.quoted_seq;
    if new is not distinct from rehomed and (old.quoted_seq is null) = (new.quoted_seq is null)
      and exists (select from merged_conversations g where g.id = old.conversation_id and g.into_id = new.conversation_id)
    then return new; end if;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create function refuse_change_of_note() returns trigger language plpgsql as $$
declare
  rehomed conversation_notes := old;
begin
  if tg_op = 'UPDATE' then
    rehomed.conversation_id := new.conversation_id;
    if new is not distinct from rehomed
      and exists (select from merged_conversations g where g.id = old.conversation_id and g.into_id = new.conversation_id)
    then return new; end if;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

select lock_table_soon('messages');
create or replace trigger messages_are_fixed before update or delete on messages
  for each row execute function refuse_change_of_message();
select lock_table_soon('conversation_notes');
create or replace trigger conversation_notes_are_fixed before update or delete on conversation_notes
  for each row execute function refuse_change_of_note();
