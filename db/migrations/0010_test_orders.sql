-- Payments in the sandbox or with test keys move no money: their orders are test orders, which are
-- sent like any other and count in no figure. Orders before this migration count as they did.

-- the same as its payment's
alter table orders add column test boolean not null default false;

-- counted apart, because the lists of orders need how many there are
alter table daily_sales
  add column test boolean not null default false,
  drop constraint daily_sales_pkey,
  add primary key (day, status, test, shard);
alter table daily_sales alter column test drop default;

alter table order_counts
  add column test boolean not null default false,
  drop constraint order_counts_pkey,
  add primary key (status, test, shard);
alter table order_counts alter column test drop default;

create or replace function book_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_counts (status, test, shard, orders)
    select status, test, shard_of(id), count(*) from inserted group by 1, 2, 3 order by 1, 2, 3
    on conflict (status, test, shard) do update set orders = order_counts.orders + excluded.orders;
  insert into daily_sales (day, status, test, shard, orders, revenue_minor)
    select day_of(created_at), status, test, shard_of(id), count(*), sum(total_minor)
    from inserted group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (day, status, test, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  insert into user_sales
    select user_id, count(*), sum(total_minor)
    from inserted where is_sale(status) and not test group by 1 order by 1
    on conflict (user_id) do update set
      orders = user_sales.orders + excluded.orders,
      spent_minor = user_sales.spent_minor + excluded.spent_minor;
  return null;
end
$$;

create or replace function book_new_lines() returns trigger language plpgsql as $$
begin
  insert into daily_product_sales
    select day_of(created_at), product_id, max(name), sum(quantity), sum(quantity::bigint * price_minor)
    from inserted join orders on orders.id = order_id
    where is_sale(status) and not test
    group by 1, 2 order by 1, 2
    on conflict (day, product_id) do update set
      name = excluded.name,
      pieces = daily_product_sales.pieces + excluded.pieces,
      revenue_minor = daily_product_sales.revenue_minor + excluded.revenue_minor;
  return null;
end
$$;

create or replace function book_status() returns trigger language plpgsql as $$
declare
  sign integer := case when is_sale(new.status) then 1 else -1 end;
begin
  insert into order_counts (status, test, shard, orders)
    select status, new.test, shard_of(new.id), change
    from (values (old.status, -1), (new.status, 1)) as moved (status, change) order by status
    on conflict (status, test, shard) do update set orders = order_counts.orders + excluded.orders;
  insert into daily_sales (day, status, test, shard, orders, revenue_minor)
    select day_of(new.created_at), status, new.test, shard_of(new.id), change, change * new.total_minor
    from (values (old.status, -1), (new.status, 1)) as moved (status, change) order by status
    on conflict (day, status, test, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  if new.test or is_sale(old.status) = is_sale(new.status) then return null; end if;
  insert into user_sales values (new.user_id, sign, sign * new.total_minor)
    on conflict (user_id) do update set
      orders = user_sales.orders + excluded.orders,
      spent_minor = user_sales.spent_minor + excluded.spent_minor;
  insert into daily_product_sales
    select
      day_of(new.created_at), product_id, max(name),
      sign * sum(quantity), sign * sum(quantity::bigint * price_minor)
    from order_lines where order_id = new.id
    group by product_id order by product_id
    on conflict (day, product_id) do update set
      pieces = daily_product_sales.pieces + excluded.pieces,
      revenue_minor = daily_product_sales.revenue_minor + excluded.revenue_minor;
  return null;
end
$$;
