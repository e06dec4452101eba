-- The day's business, kept up to date as orders come in, so that nothing scans the orders.
-- A cancelled order counts for nothing; days are days in UTC.

create function is_sale(status text) returns boolean
  language sql immutable return status <> 'cancel';

create function day_of(moment timestamptz) returns date
  language sql immutable return (moment at time zone 'UTC')::date;

-- split over sixteen rows a day, so that orders coming in at once do not wait for each other
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
  pieces integer not null,
  revenue_minor bigint not null,
  primary key (day, product_id)
);

create table user_sales (
  user_id uuid primary key references users on delete cascade,
  orders integer not null,
  spent_minor bigint not null
);

-- adds an order (or takes it away: sign -1) to the figures of its day and its buyer
create function book_order(sold orders, sign integer) returns void language plpgsql as $$
begin
  insert into daily_sales values (day_of(sold.created_at), floor(random() * 16), sign, sign * sold.total_minor)
    on conflict (day, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  insert into user_sales values (sold.user_id, sign, sign * sold.total_minor)
    on conflict (user_id) do update set
      orders = user_sales.orders + excluded.orders,
      spent_minor = user_sales.spent_minor + excluded.spent_minor;
end
$$;

-- the same for one line; products are booked in the order of their ids, so that no two orders wait in a circle
create function book_line(day date, line order_lines, sign integer) returns void language sql as $$
  insert into daily_product_sales
    values (day, line.product_id, sign * line.quantity, sign::bigint * line.quantity * line.price_minor)
    on conflict (day, product_id) do update set
      pieces = daily_product_sales.pieces + excluded.pieces,
      revenue_minor = daily_product_sales.revenue_minor + excluded.revenue_minor
$$;

create function book_new_order() returns trigger language plpgsql as $$
begin
  if is_sale(new.status) then perform book_order(new, 1); end if;
  return null;
end
$$;
create trigger book_new_order after insert on orders for each row execute function book_new_order();

create function book_new_lines() returns trigger language plpgsql as $$
declare
  line order_lines;
  sold orders;
begin
  for line in select * from inserted order by product_id loop
    select * into sold from orders where id = line.order_id;
    if is_sale(sold.status) then perform book_line(day_of(sold.created_at), line, 1); end if;
  end loop;
  return null;
end
$$;
create trigger book_new_lines after insert on order_lines
  referencing new table as inserted for each statement execute function book_new_lines();

create function book_status() returns trigger language plpgsql as $$
declare
  line order_lines;
  sign integer := case when is_sale(new.status) then 1 else -1 end;
begin
  perform book_order(new, sign);
  for line in select * from order_lines where order_id = new.id order by product_id loop
    perform book_line(day_of(new.created_at), line, sign);
  end loop;
  return null;
end
$$;
create trigger book_status after update of status on orders
  for each row when (is_sale(old.status) <> is_sale(new.status)) execute function book_status();

-- how many orders stand at each status, and what the admin's lists are searched by
create index orders_by_status on orders (status, id);
create index orders_by_day on orders (created_at);
create index orders_by_buyer on orders using gin (lower(buyer_name) gin_trgm_ops);
create index users_by_name on users using gin (lower(name) gin_trgm_ops);
create index users_by_email on users using gin (email_key gin_trgm_ops);
create index admins on users (id) where is_admin;
create index products_running_low on products (quantity, id) where quantity <= 5;

-- an address is claimed before the row that carries it is written
alter table category_slugs alter constraint category_slugs_category_id_fkey deferrable initially deferred;
alter table product_slugs alter constraint product_slugs_product_id_fkey deferrable initially deferred;

-- moved by whoever edits a product, not by sales; as precise as it travels, so that an editor can send it back
alter table products alter column updated_at type timestamptz(3);
