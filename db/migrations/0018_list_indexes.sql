-- Indexes of the lists of the back office, and a view that reads by them.

-- the stock of variants that is not in products: the others have none. A sale does not change it.
create index variants_with_stock on variants (product_id) where not is_default;

-- The payments that did not simply pay for an order, as before. By the offset, each candidate is read by its id: the
-- planner would read all captures.
create or replace view payment_exceptions as
  select overview.* from (
    select id from captures
    where purpose <> 'order' or issue is not null or voided_at is not null or confirmed_at is null
    union select capture_id from refunds
    union select paid.id from orders
      cross join lateral (select id from captures where payment_id = orders.payment_id offset 0) as paid
      where status = 'cancel'
    union select capture_id from disputes where state = 'open'
  ) as candidates
  cross join lateral (
    select id, listed_at, state from capture_overview where capture_overview.id = candidates.id offset 0
  ) as overview
  where state <> 'paid'
  union all
  select id, listed_at, state from started_overview
  union all
  select id, listed_at, state from owed_overview;
