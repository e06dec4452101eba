-- What services changed, by the tags of the answers that show it. The processes of the shop poll it
-- twice a second, and invalidate what they keep in memory. A row is deleted after minutes.
create table change_feed (
  -- transactions commit in another order than they begin: a poll compares snapshots
  transaction xid8 not null default pg_current_xact_id(),
  tag text not null,
  -- for how long an answer with this tag may still be served while a new one is made
  stale_ms integer not null check (stale_ms >= 0),
  at timestamptz not null default now()
);
create index change_feed_by_transaction on change_feed (transaction);
