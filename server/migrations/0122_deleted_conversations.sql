-- Lists leave out the few conversations that their reader deleted, without looking each one up (docs/rules.md §7).
create index concurrently conversation_members_deleted on conversation_members (user_id, conversation_id) where is_hidden;
