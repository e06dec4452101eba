-- The day's business, kept up to date as orders come in, so that nothing scans the orders.
-- A cancelled order counts for nothing; days are days in UTC.

create function is_sale(status text) returns boolean
  language sql immutable return status <> 'cancel';

create function day_of(moment timestamptz) returns date
  language sql immutable return (moment at time zone 'UTC')::date;

-- figures that many share are split over sixteen rows by the id of what is counted, so that what
-- comes in at once does not wait for each other
create function shard_of(id uuid) returns smallint
  language sql immutable return (get_byte(uuid_send(id), 15) % 16)::smallint;

-- also what is no sale, under its status: so that the orders of some days need not be counted
create table daily_sales (
  day date not null,
  status text not null,
  shard smallint not null check (shard between 0 and 15),
  orders integer not null,
  revenue_minor bigint not null,
  primary key (day, status, shard)
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

create function book_new_orders() returns trigger language plpgsql as $$
begin
  insert into order_counts
    select status, shard_of(id), count(*) from inserted group by 1, 2 order by 1, 2
    on conflict (status, shard) do update set orders = order_counts.orders + excluded.orders;
  insert into daily_sales
    select day_of(created_at), status, shard_of(id), count(*), sum(total_minor)
    from inserted group by 1, 2, 3 order by 1, 2, 3
    on conflict (day, status, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  insert into user_sales
    select user_id, count(*), sum(total_minor)
    from inserted where is_sale(status) group by 1 order by 1
    on conflict (user_id) do update set
      orders = user_sales.orders + excluded.orders,
      spent_minor = user_sales.spent_minor + excluded.spent_minor;
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
  insert into daily_sales
    select day_of(new.created_at), status, shard_of(new.id), change, change * new.total_minor
    from (values (old.status, -1), (new.status, 1)) as moved (status, change) order by status
    on conflict (day, status, shard) do update set
      orders = daily_sales.orders + excluded.orders,
      revenue_minor = daily_sales.revenue_minor + excluded.revenue_minor;
  if is_sale(old.status) = is_sale(new.status) then return null; end if;
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
create trigger book_status after update of status on orders
  for each row when (old.status <> new.status) execute function book_status();

-- What each product sold from a day on, for the best sellers of the last thirty days: to sum up a
-- month of daily_product_sales takes the longer, the more is sold.
create table recent_product_sales (
  product_id uuid primary key,
  pieces bigint not null,
  revenue_minor bigint not null
);
create index best_sellers on recent_product_sales (pieces desc, revenue_minor desc, product_id);

-- the day from which on: none yet, so that nothing is in it
create table recent_product_sales_start (day date not null);
insert into recent_product_sales_start values ('infinity');

create function follow_product_sales() returns trigger language plpgsql as $$
begin
  -- the start stays where it is until this transaction ends
  lock table recent_product_sales in row exclusive mode;
  if new.day < (select day from recent_product_sales_start) then return null; end if;
  insert into recent_product_sales values (
      new.product_id, new.pieces - coalesce(old.pieces, 0), new.revenue_minor - coalesce(old.revenue_minor, 0)
    )
    on conflict (product_id) do update set
      pieces = recent_product_sales.pieces + excluded.pieces,
      revenue_minor = recent_product_sales.revenue_minor + excluded.revenue_minor;
  return null;
end
$$;
create trigger follow_product_sales after insert or update on daily_product_sales
  for each row execute function follow_product_sales();

-- Moves the start: the days in between leave, or come in where it moves back. Sales wait for it,
-- which is once a day and as long as one day's products take; where it stands already, nobody waits.
create function start_recent_product_sales(wanted date) returns void language plpgsql as $$
declare
  present date;
begin
  if wanted = (select day from recent_product_sales_start) then return; end if;
  lock table recent_product_sales in share row exclusive mode;
  -- another view may have moved it meanwhile
  select day into present from recent_product_sales_start;
  insert into recent_product_sales
    select
      product_id,
      sum(case when wanted < present then pieces else -pieces end),
      sum(case when wanted < present then revenue_minor else -revenue_minor end)
    from daily_product_sales
    where day >= least(wanted, present) and day < greatest(wanted, present)
    group by product_id
    on conflict (product_id) do update set
      pieces = recent_product_sales.pieces + excluded.pieces,
      revenue_minor = recent_product_sales.revenue_minor + excluded.revenue_minor;
  delete from recent_product_sales where pieces = 0;
  update recent_product_sales_start set day = wanted;
end
$$;

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
  select day_of(created_at), status, shard_of(id), count(*), sum(total_minor)
  from orders group by 1, 2, 3;
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

-- how many users there are, so that nothing counts rows
create table user_counts (
  shard smallint primary key check (shard between 0 and 15),
  users integer not null
);
create function count_users() returns trigger language plpgsql as $$
begin
  insert into user_counts
    select shard_of(id), count(*) * case tg_op when 'DELETE' then -1 else 1 end
    from moved group by 1 order by 1
    on conflict (shard) do update set users = user_counts.users + excluded.users;
  return null;
end
$$;
create trigger count_new_users after insert on users
  referencing new table as moved for each statement execute function count_users();
create trigger count_gone_users after delete on users
  referencing old table as moved for each statement execute function count_users();
insert into user_counts select shard_of(id), count(*) from users group by 1;

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

-- The rows of a file under import: checked and kept here first, so that the products are held no
-- longer than it takes to write them.
create unlogged table import_rows (
  import_id uuid not null,
  line integer not null,
  -- which product the row is about: its id; of a new one the slug or, where none is given, the id
  product text not null,
  -- the product to be written; null where there is nothing to write
  id uuid,
  -- of a new product
  slug text,
  -- of a product to change: its last edit when the row was checked
  seen_at timestamptz(3),
  -- what the row gives
  facts jsonb,
  primary key (import_id, line),
  unique (import_id, product),
  unique (import_id, slug)
);

-- an address is claimed before the row that carries it is written
alter table category_slugs alter constraint category_slugs_category_id_fkey deferrable initially deferred;
alter table product_slugs alter constraint product_slugs_product_id_fkey deferrable initially deferred;

-- moved by whoever edits a product, not by sales; as precise as it travels, so that an editor can send it back
alter table products alter column updated_at type timestamptz(3);
