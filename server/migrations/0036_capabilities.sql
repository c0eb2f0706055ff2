-- What each admin may do beside reading (rules §4.5). Whoever was an admin before keeps everything; players have none.
alter table users add column capabilities text[] not null default '{}';
alter table users add constraint users_capabilities check (
  capabilities <@ array['money', 'care', 'rounds', 'users', 'owner']) not valid;
update users set capabilities = array['money', 'care', 'rounds', 'users', 'owner'] where role = 'admin' and deleted_at is null;
