-- Since when the admins of before may move points: their last grant, else their account's beginning (rules §3.10). A handful of
-- rows, found by the index of admins; no lock is taken but on them.
update users u set money_since = coalesce(
    (select max(a.at) from audit_log a where a.target = 'user:' || u.id and a.act = 'user.grant'), u.created_at)
 where role = 'admin' and deleted_at is null and 'money' = any(capabilities) and not is_frozen and not must_change_password
   and money_since is null;
