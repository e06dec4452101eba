-- Variants own what is sold: price, sale price, stock and weight have one home.

-- The shop has to be stopped for it: 0.7.0 reads the price and the stock of a default variant in products.
insert into shop_facts (key, value) values ('oldest_version', '0.8.0')
  on conflict (key) do update set value = excluded.value;

set constraints all immediate;
drop view sellables;
drop view wanted_facets;
drop trigger stock_event on products;
drop trigger facets_stock on products;
drop trigger facets_stock on variants;
drop trigger facets_update on variants;
drop trigger default_variant on products;
drop function insert_default_variant;
drop trigger audit on products;
drop trigger audit_update on products;
drop trigger audit_insert on variants;
drop trigger audit_delete on variants;
drop trigger audit_update on variants;
drop trigger stock_event on variants;


-- Variants ---------------------------------------------------------------------------------------

alter table variants
  drop constraint variants_default_is_in_products,
  -- the price of a sale, which applies from sale_from to sale_until while it is lower; all null without one
  add column sale_price_minor integer check (sale_price_minor >= 0),
  add column sale_from timestamptz,
  add column sale_until timestamptz,
  add constraint variants_sale_is_whole check (
    num_nonnulls(sale_price_minor, sale_from, sale_until) in (0, 3) and sale_until > sale_from);

-- A price that was edited during a sale ended the sale of its variant.
update variants set
  price_minor = sold.price_minor,
  compare_at_minor = sold.compare_at_minor,
  quantity = sold.quantity,
  weight_grams = sold.weight_grams,
  sale_price_minor = sale.sale_price_minor,
  sale_from = sale.sale_from,
  sale_until = sale.sale_until
from (
  select present.id, products.id as product_id, is_in_sale,
    case when is_in_sale then regular_price_minor else present.price_minor end as price_minor,
    case when is_in_sale then regular_compare_at_minor else present.compare_at_minor end as compare_at_minor,
    present.quantity, present.weight_grams,
    -- a sale that has not begun is of the variants that cost the same as the default one
    is_in_sale or regular_price_minor is null and present.price_minor = products.price_minor
      and present.compare_at_minor is not distinct from products.compare_at_minor as takes_part
  from (
    select id, product_id, is_default or in_sale as is_marked,
      coalesce(variants.price_minor, of_product.price_minor) as price_minor,
      case when is_default then of_product.compare_at_minor else variants.compare_at_minor end as compare_at_minor,
      coalesce(variants.quantity, of_product.quantity) as quantity,
      case when is_default then of_product.weight_grams else variants.weight_grams end as weight_grams
    from variants join (
      select id as of, price_minor, compare_at_minor, quantity, weight_grams from products
    ) as of_product on of_product.of = product_id
  ) as present
  join products on products.id = present.product_id
  cross join lateral (select is_marked and regular_price_minor is not null
    and present.price_minor = products.sale_price_minor as is_in_sale) as marked
) as sold
left join products as sale on sale.id = sold.product_id and takes_part and sale.sale_until > now()
where sold.id = variants.id;

alter table products drop constraint products_default_variant;
drop index products_with_plans, products_by_price, products_of_category, products_of_category_by_price,
  products_sold_out, variants_default, variants_with_stock;
alter table variants
  alter column price_minor set not null,
  alter column quantity set not null,
  -- pieces that are free to be sold: reserved ones are subtracted already
  drop constraint variants_of_product,
  drop column is_default,
  drop column in_sale,
  add constraint variants_of_product unique (id, product_id);

-- The price of a variant now, in minor units.
create function price_of(variant variants) returns integer language sql stable as $$
  select case when now() >= variant.sale_from and now() < variant.sale_until
    then least(variant.sale_price_minor, variant.price_minor) else variant.price_minor end
$$;

-- Its price before a reduction, which is shown beside the price; null without one.
create function price_before(variant variants) returns integer language sql stable as $$
  select case when price_of(variant) < variant.price_minor then variant.price_minor
    when variant.compare_at_minor > variant.price_minor then variant.compare_at_minor end
$$;


-- Products ---------------------------------------------------------------------------------------

alter table products
  drop column in_stock,
  drop column price_minor,
  drop column compare_at_minor,
  drop column quantity,
  drop column weight_grams,
  drop column has_default,
  drop column sale_price_minor,
  drop column sale_from,
  drop column sale_until,
  drop column regular_price_minor,
  drop column regular_compare_at_minor;
-- Derived from variants by refresh_listing.
alter table products rename column default_variant_id to listed_variant_id;
alter table products
  alter column listed_variant_id drop default,
  -- that of the listed variant
  add column list_price_minor integer not null default 0,
  -- when list_price_minor changes by itself: a sale begins or ends
  add column list_price_until timestamptz,
  -- whether a variant has pieces
  add column in_stock boolean not null default false,
  add column has_options boolean not null default false,
  add constraint products_listed_variant foreign key (listed_variant_id, id)
    references variants (id, product_id) deferrable initially deferred;

-- What products are listed by. The listed variant is the cheapest that can be bought, or, if none can, the cheapest.
-- Pieces that a payment has reserved count: it may let them go again, and the listed variant would change back and forth.
create view listings as
  select distinct on (product_id) product_id, id as listed_variant_id, price_of(variants) as list_price_minor,
    min(least(
      case when sale_from > now() then sale_from end, case when sale_until > now() then sale_until end
    )) over of_product as list_price_until,
    bool_or(quantity > 0) over of_product as in_stock,
    exists (select from product_options where product_options.product_id = variants.product_id) as has_options
  from variants
  window of_product as (partition by product_id)
  order by product_id,
    (quantity > 0 or exists (
      select from payments cross join jsonb_to_recordset(quote -> 'lines') as line (variant_id uuid)
      where state = 'open' and reserved_until is not null and line.variant_id = variants.id)) desc,
    price_of(variants), position, id;

-- Derives what these products are listed by, after a change of their variants or options. The statement that reads the
-- variants comes after the lock: it sees what another transaction took of them meanwhile.
create function refresh_listing(refreshed uuid[]) returns void language plpgsql as $$
begin
  perform from products where id = any (refreshed) order by id for no key update;
  update products set listed_variant_id = listings.listed_variant_id, list_price_minor = listings.list_price_minor,
    list_price_until = listings.list_price_until, in_stock = listings.in_stock, has_options = listings.has_options
  from listings
  where product_id = any (refreshed) and products.id = product_id
    and (products.listed_variant_id, products.list_price_minor, products.list_price_until, products.in_stock,
        products.has_options)
      is distinct from (listings.listed_variant_id, listings.list_price_minor, listings.list_price_until,
        listings.in_stock, listings.has_options);
end
$$;
perform refresh_listing(array(select id from products));

-- The last piece is taken, also by a reservation, or there are pieces again. The purchase has locked the product. One
-- that leaves a piece fires no trigger.
create function change_availability() returns trigger language plpgsql as $$
begin
  update variant_facets set in_stock = new.quantity > 0 where variant_id = new.id;
  perform refresh_listing(array[new.product_id]);
  insert into events (kind, subject_id, facts)
  values (case new.quantity when 0 then 'sold_out' else 'back_in_stock' end, new.id, '{}');
  return null;
end
$$;
create trigger availability after update of quantity on variants
  for each row when ((old.quantity = 0) <> (new.quantity = 0)) execute function change_availability();
drop function record_stock_event;
drop function set_facet_stock;

-- The reserved pieces of an order are sold for good: a variant without others is not listed any more. A join would read
-- all variants of a small shop, at each purchase.
create function list_others() returns trigger language plpgsql as $$
declare
  sold_out uuid[] := array(
    select distinct product_id
    from (
      select (select product_id from variants where id = variant_id and quantity = 0) as product_id
      from jsonb_to_recordset(new.quote -> 'lines') as line (variant_id uuid)
    ) as lines
    where product_id is not null);
begin
  if cardinality(sold_out) > 0 then perform refresh_listing(sold_out); end if;
  return null;
end
$$;
create trigger listing after update of state, reserved_until on payments
  for each row when (old.state = 'open' and old.reserved_until is not null
    and not (new.state = 'open' and new.reserved_until is not null))
  execute function list_others();

create index products_by_price on products (list_price_minor, id) include (status);
create index products_of_category on products (category_id, id) include (list_price_minor, in_stock, status);
create index products_of_category_by_price on products (category_id, list_price_minor, id)
  include (in_stock, status);
create index products_sold_out on products (category_id, list_price_minor) include (status) where not in_stock;
-- by the time at which a job has to do something next
create index products_with_plans on products (least(publish_at, unpublish_at, list_price_until))
  where num_nonnulls(publish_at, unpublish_at, list_price_until) > 0;


-- Facets -----------------------------------------------------------------------------------------

-- as in 0015
create view wanted_facets as
  select variants.id as variant_id, variants.product_id, variants.quantity > 0 as in_stock,
    array_agg(facet_key(facet.name, value) order by value_id is null, facet.name) as keys
  from variants
  cross join lateral (
    select value_id, name, value from facets_of_products
    where facets_of_products.product_id = variants.product_id offset 0
  ) as facet
  where value_id is null or value_id in (value1, value2, value3)
  group by variants.id;
create trigger facets_update after update of value1, value2, value3 on variants
  for each row when ((old.value1, old.value2, old.value3) is distinct from (new.value1, new.value2, new.value3))
  execute function refresh_facets_of_variant();


-- Audit log --------------------------------------------------------------------------------------

create trigger audit after insert or update or delete on products
  for each row execute function write_audit_log(
    'id', 'listed_variant_id', 'list_price_minor', 'list_price_until', 'in_stock', 'has_options');
create trigger audit after insert or delete on variants
  for each row execute function write_audit_log('id', 'slot1', 'slot2', 'slot3');
-- a purchase changes only the quantity
create trigger audit_update after update on variants
  for each row when (old.quantity = new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id', 'position');
