-- The ticks from before are compared with the end of the first partition, while everybody reads and writes: attaching it then reads nothing.
alter table ticks validate constraint ticks_until;
