-- What the back office sorts and filters by, at millions of rows: each order it offers has its index, each rare kind a small one.

create index users_deleted on users (created_at desc, id desc) where deleted_at is not null;
create index users_admins on users (created_at desc, id desc) where deleted_at is null and role = 'admin';
create index users_frozen on users (created_at desc, id desc) where deleted_at is null and is_frozen;
create index users_scripted on users (created_at desc, id desc) where deleted_at is null and scripted_outcome is not null;

create index cash_requests_amount on cash_requests (amount, id) where hidden_at is null;
create index cash_requests_status on cash_requests (status, created_at desc, id desc) where hidden_at is null;
