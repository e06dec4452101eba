-- Added to the schema of 0001 to 0012: drafts, times of publication, and sale prices for a time. The code of 0.5.0 runs
-- on it: its products are published, and it shows drafts, so there may be none until the last process runs this version.

create type product_status as enum ('draft', 'published', 'archived');

alter table products
  -- only published products are in the shop
  add column status product_status not null default 'published',
  -- when a job publishes and archives it; null: it does not, or has
  add column publish_at timestamptz,
  add column unpublish_at timestamptz,
  -- the price of a coming or running sale, and when it begins and ends; all null without one
  add column sale_price_minor integer,
  add column sale_from timestamptz,
  add column sale_until timestamptz,
  -- While a sale runs: price and compare-at price from before, which come back at its end. Meanwhile price_minor is the
  -- price of the sale, and compare_at_minor the regular one.
  add column regular_price_minor integer,
  add column regular_compare_at_minor integer;
alter table products
  add constraint products_times_in_order check (unpublish_at > publish_at) not valid,
  add constraint products_sale_is_whole check (
    num_nonnulls(sale_price_minor, sale_from, sale_until) in (0, 3)
    and sale_price_minor >= 0 and sale_until > sale_from
    and (sale_until is not null or num_nonnulls(regular_price_minor, regular_compare_at_minor) = 0)) not valid;

-- Variants that take part in a running sale: their prices are the sale's, and end with it.
alter table variants add column in_sale boolean not null default false;
drop trigger audit_insert on variants;
create trigger audit_insert after insert on variants
  for each row when (not new.is_default)
  execute function write_audit_log('id', 'slot1', 'slot2', 'slot3', 'in_sale');
drop trigger audit_delete on variants;
create trigger audit_delete after delete on variants
  for each row when (not old.is_default)
  execute function write_audit_log('id', 'slot1', 'slot2', 'slot3', 'in_sale');
drop trigger audit_update on variants;
create trigger audit_update after update on variants
  for each row when (old.quantity is not distinct from new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id', 'position', 'in_sale');

-- By the time at which a job has to do something next: a sale that runs ends, another one begins, or is dropped.
create index products_with_plans on products (
    least(publish_at, unpublish_at, case when regular_price_minor is null then sale_from else sale_until end))
  where num_nonnulls(publish_at, unpublish_at, sale_until) > 0;
-- Few products are drafts: lists skip them, in the index.
drop index products_by_price, products_of_category, products_of_category_by_price, products_by_edit, products_sold_out;
create index products_by_price on products (price_minor, id) include (status);
create index products_of_category on products (category_id, id) include (price_minor, in_stock, status);
create index products_of_category_by_price on products (category_id, price_minor, id)
  include (in_stock, status);
create index products_by_edit on products (id) include (updated_at, status);
create index products_sold_out on products (category_id, price_minor) include (status) where not in_stock;
