-- The day's business, kept up to date as orders come in, so that nothing scans the orders.
-- A cancelled order counts for nothing; days are days in UTC.

create function is_sale(status text) returns boolean
  language sql immutable return status <> 'cancel';

create function day_of(moment timestamptz) returns date
  language sql immutable return (moment at time zone 'UTC')::date;

-- figures are split over sixteen rows by the order's id, so that orders coming in at once do not wait
-- for each other
create function shard_of(order_id uuid) returns smallint
  language sql immutable return (get_byte(uuid_send(order_id), 15) % 16)::smallint;

create table daily_sales (
  day date not null,
  shard smallint not null check (shard between 0 and 15),
  orders integer not null,
  revenue_minor bigint not null,
  primary key (day, shard)
);

create table daily_product_sales (
  day date not null,
  product_id uuid not null,
  -- as it was sold last: a product may be deleted
  name text not null,
  pieces integer not null,
  revenue_minor bigint not null,
  primary key (day, product_id)
);

create table user_sales (
  user_id uuid primary key references users on delete cascade,
  orders integer not null,
  spent_minor bigint not null
);

-- how many orders stand at each status; these and all figures are booked in the order of their
-- keys, so that no two orders wait in a circle
create table order_counts (
  status text not null,
  shard smallint not null check (shard between 0 and 15),
  orders integer not null,
  primary key (status, shard)
);

-- adds orders (or takes them away: sign -1) to the figures of their days and their buyers
create function book_orders(ids uuid[], sign integer) returns void language sql as $$
  insert into daily_sales
    select day_of(created_at), shard_of(id), sign * count(*), sign * sum(total_minor)
    from orders where id = any(ids) group by 1, 2 order by 1, 2
    on conflict (day, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  insert into user_sales
    select user_id, sign * count(*), sign * sum(total_minor)
    from orders where id = any(ids) group by 1 order by 1
    on conflict (user_id) do update set
      orders = user_sales.orders + excluded.orders,
      spent_minor = user_sales.spent_minor + excluded.spent_minor;
$$;

create function book_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_counts
    select status, shard_of(id), count(*) from inserted group by 1, 2 order by 1, 2
    on conflict (status, shard) do update set orders = order_counts.orders + excluded.orders;
  perform book_orders(array(select id from inserted where is_sale(status)), 1);
  return null;
end
$$;
create trigger book_new_orders after insert on orders
  referencing new table as inserted for each statement execute function book_new_orders();

create function book_new_lines() returns trigger language plpgsql as $$
begin
  insert into daily_product_sales
    select day_of(created_at), product_id, max(name), sum(quantity), sum(quantity::bigint * price_minor)
    from inserted join orders on orders.id = order_id
    where is_sale(status)
    group by 1, 2 order by 1, 2
    on conflict (day, product_id) do update set
      name = excluded.name,
      pieces = daily_product_sales.pieces + excluded.pieces,
      revenue_minor = daily_product_sales.revenue_minor + excluded.revenue_minor;
  return null;
end
$$;
create trigger book_new_lines after insert on order_lines
  referencing new table as inserted for each statement execute function book_new_lines();

create function book_status() returns trigger language plpgsql as $$
declare
  sign integer := case when is_sale(new.status) then 1 else -1 end;
begin
  insert into order_counts
    select status, shard_of(new.id), change
    from (values (old.status, -1), (new.status, 1)) as moved (status, change) order by status
    on conflict (status, shard) do update set orders = order_counts.orders + excluded.orders;
  if is_sale(old.status) = is_sale(new.status) then return null; end if;
  perform book_orders(array[new.id], sign);
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
create trigger book_status after update of status on orders
  for each row when (old.status <> new.status) execute function book_status();

-- Products with five pieces or fewer, kept apart: an index over the quantity of products would make
-- each sale write to all their other indexes, too.
create table running_low (
  product_id uuid primary key references products on delete cascade,
  quantity integer not null
);
create index running_low_by_quantity on running_low (quantity, product_id);

create function note_stock() returns trigger language plpgsql as $$
begin
  if new.quantity > 5 then
    delete from running_low where product_id = new.id;
  else
    insert into running_low values (new.id, new.quantity)
      on conflict (product_id) do update set quantity = excluded.quantity;
  end if;
  return null;
end
$$;
create trigger note_new_stock after insert on products
  for each row when (new.quantity <= 5) execute function note_stock();
create trigger note_stock after update of quantity on products
  for each row when (old.quantity <> new.quantity and least(old.quantity, new.quantity) <= 5)
  execute function note_stock();

-- what was sold, and what was left, before there were figures
insert into daily_sales
  select day_of(created_at), shard_of(id), count(*), sum(total_minor)
  from orders where is_sale(status) group by 1, 2;
insert into daily_product_sales
  select day_of(created_at), product_id, max(name), sum(quantity), sum(quantity::bigint * price_minor)
  from order_lines join orders on orders.id = order_id where is_sale(status) group by 1, 2;
insert into user_sales
  select user_id, count(*), sum(total_minor) from orders where is_sale(status) group by 1;
insert into order_counts select status, shard_of(id), count(*) from orders group by 1, 2;
insert into running_low select id, quantity from products where quantity <= 5;

-- The admin's lists: searched by a part of a text, in any case and with or without accents.

-- the pattern of a text's part, in which every character stands for itself
create function containing(text) returns text language sql immutable
  return concat('%', regexp_replace(folded($1), '([\\%_])', '\\\1', 'g'), '%');

alter table users add column search text not null
  generated always as (folded(name || ' ' || email_key)) stored;
create index users_by_search on users using gin (search gin_trgm_ops);
create index admins on users (id) where is_admin;

-- the buyer's name, as it was then, and e-mail
alter table orders add column search text not null default '';
update orders set search = folded(buyer_name || ' ' || email_key) from users where users.id = user_id;
create function note_buyer() returns trigger language plpgsql as $$
begin
  select folded(new.buyer_name || ' ' || email_key) into new.search from users where id = new.user_id;
  return new;
end
$$;
create trigger note_buyer before insert on orders for each row execute function note_buyer();

create index orders_by_search on orders using gin (search gin_trgm_ops);
create index orders_by_time on orders (created_at, id);
create index orders_by_status on orders (status, created_at, id);

-- an address is claimed before the row that carries it is written
alter table category_slugs alter constraint category_slugs_category_id_fkey deferrable initially deferred;
alter table product_slugs alter constraint product_slugs_product_id_fkey deferrable initially deferred;

-- moved by whoever edits a product, not by sales; as precise as it travels, so that an editor can send it back
alter table products alter column updated_at type timestamptz(3);
