-- A player has at most one conversation in the queue; staff read the queue by the same.
create unique index concurrently conversations_queue on conversations (player_id) where holder_id is null;
