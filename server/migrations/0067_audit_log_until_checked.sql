-- The acts from before are compared with the end of the first partition, while everybody reads and writes: attaching it then reads nothing.
alter table audit_log validate constraint audit_log_until;
