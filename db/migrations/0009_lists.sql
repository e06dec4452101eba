-- Lists of products that cost the same however long they are: any page of them is found by counts.

-- to compile what is short takes longer than to run it, and here it would be done for each product
perform set_config('jit', 'off', true);

-- Lists are in the order of the numbers, which are those in which products came. Products that were
-- there before there were numbers got theirs as they lay; where that was another order, it ends.
update products set number = ranked.place
from (select id, row_number() over (order by id) as place from products) as ranked
where ranked.id = products.id and exists (
  select from (select number < lag(number) over (order by id) as is_late from products) as numbered
  where is_late
);
update search_entries set number = products.number,
  terms = terms_of(name, description, products.category_id, products.price_minor, products.number)
from products
where products.id = product_id and products.number <> search_entries.number;

-- by each there are few, so a list is made of few lists that an index has; a sale that leaves
-- something over changes neither and so still writes to no index
alter table products
  add column price_band smallint not null generated always as (price_band(price_minor)) stored,
  add column in_stock boolean not null generated always as (quantity > 0) stored;

drop index products_of_category;
drop index products_by_price;
-- The number stands in each of a category's in another way, so that none can be taken for another:
-- the planner would walk along all products for those of one category, as if it had some everywhere.
-- It stands there as itself, too, so that only what a page shows is read from the table.
create unique index products_by_number on products (number)
  include (category_id, price_band, in_stock);
create index products_of_category on products (category_id, (-number)) include (number);
create index products_of_cell on products (category_id, price_band, in_stock, (~number))
  include (number);
create index products_of_band on products (price_band, in_stock, number);
create index products_of_category_by_price on products (category_id, in_stock, price_minor, number);

-- How many products a list has among 2^level numbers that follow each other: for each category, and
-- under no category for all of them. `cells` counts by price band, in each what is sold out and what
-- is in stock.
create table product_slices (
  list uuid not null,
  level smallint not null check (level in (9, 14, 19)),
  slice integer not null,
  cells integer[] not null check (array_length(cells, 1) = 12),
  products integer not null generated always as (
    cells[1] + cells[2] + cells[3] + cells[4] + cells[5] + cells[6]
      + cells[7] + cells[8] + cells[9] + cells[10] + cells[11] + cells[12]
  ) stored,
  primary key (list, level, slice)
);

-- Where the product stands that comes after `rest` newer ones of some lists: in which smallest slice,
-- and how many newer ones are left there. No slice where there are not so many. `wanted` has a one for
-- each cell that counts and a nought for the others; null means all of them.
-- Three looks in a function, which a connection plans once; as one statement they took longer to plan
-- than to run.
create function place_in_lists(
  lists uuid[], wanted integer[], inout rest bigint, out smallest integer
) language plpgsql stable as $$
declare
  height smallint;
  first integer := -2147483648;
  last integer := 2147483647;
  counted record;
begin
  foreach height in array array[19, 14, 9] loop
    smallest := null;
    for counted in
      select slice, sum(case when wanted is null then products
        else cells[1] * wanted[1] + cells[2] * wanted[2] + cells[3] * wanted[3]
          + cells[4] * wanted[4] + cells[5] * wanted[5] + cells[6] * wanted[6]
          + cells[7] * wanted[7] + cells[8] * wanted[8] + cells[9] * wanted[9]
          + cells[10] * wanted[10] + cells[11] * wanted[11] + cells[12] * wanted[12]
        end) as members
      from product_slices
      where list = any(lists) and level = height and slice between first and last
      group by slice order by slice desc
    loop
      if rest < counted.members then
        smallest := counted.slice;
        exit;
      end if;
      rest := rest - counted.members;
    end loop;
    exit when smallest is null;
    first := smallest * 32;
    last := first + 31;
  end loop;
end
$$;

-- The products of a category by price, and of one price by number, in blocks of at most a thousand:
-- where each begins, and how many it has.
create table product_blocks (
  category_id uuid not null references categories on delete cascade,
  from_price integer not null,
  from_number integer not null,
  products integer not null check (products >= 0),
  in_stock integer not null check (in_stock between 0 and products),
  primary key (category_id, from_price, from_number)
);

-- What a transaction has to count when it ends; outside of transactions it is empty. Whoever counted
-- at once would hold up all others until its end.
create unlogged table product_moves (
  transaction xid8 not null default pg_current_xact_id(),
  category_id uuid not null,
  number integer not null,
  price_minor integer not null,
  in_stock boolean not null,
  change smallint not null check (change in (-1, 1)),
  -- asks for the counting: only the first does, for each would look through all that was counted
  wakes boolean not null
);
create index product_moves_by_transaction on product_moves (transaction);

drop trigger count_product on products;
drop trigger count_moved_product on products;
drop function count_product;

create function note_moves() returns trigger language plpgsql as $$
begin
  insert into product_moves (category_id, number, price_minor, in_stock, change, wakes)
    select category_id, number, price_minor, in_stock, case tg_op when 'DELETE' then -1 else 1 end,
      row_number() over () = 1
        and not exists (select from product_moves where transaction = pg_current_xact_id())
    from moved;
  return null;
end
$$;
create trigger note_new_products after insert on products
  referencing new table as moved for each statement execute function note_moves();
create trigger note_gone_products after delete on products
  referencing old table as moved for each statement execute function note_moves();

create function note_move() returns trigger language plpgsql as $$
begin
  insert into product_moves (category_id, number, price_minor, in_stock, change, wakes) values
    (old.category_id, old.number, old.price_minor, old.in_stock, -1,
      not exists (select from product_moves where transaction = pg_current_xact_id())),
    (new.category_id, new.number, new.price_minor, new.in_stock, 1, false);
  return null;
end
$$;
create trigger note_move after update on products for each row
  when (
    (old.category_id, old.number, old.price_minor, old.in_stock)
      is distinct from (new.category_id, new.number, new.price_minor, new.in_stock)
  )
  execute function note_move();

-- a sum for each of the twelve cells
create function added_cells(a integer[], b integer[]) returns integer[] language sql immutable
  return array(
    select x + y from unnest(a, b) with ordinality as pair (x, y, cell) order by cell
  );

create function cell_of(price_band smallint, in_stock boolean) returns integer
  language sql immutable return price_band * 2 + 1 + in_stock::integer;

-- the moves of a transaction, as what they change in the slices
create function slices_of(counted xid8)
  returns table (list uuid, level integer, slice integer, cells integer[])
  language sql stable
begin atomic
  with smallest as (
    select category_id, number >> 9 as slice, cell_of(price_band(price_minor), in_stock) as cell,
      sum(change) as change
    from product_moves where transaction = counted
    group by 1, 2, 3 having sum(change) <> 0
  )
  select lists.list, levels.level, smallest.slice >> (levels.level - 9), array[
      coalesce(sum(change) filter (where cell = 1), 0),
      coalesce(sum(change) filter (where cell = 2), 0),
      coalesce(sum(change) filter (where cell = 3), 0),
      coalesce(sum(change) filter (where cell = 4), 0),
      coalesce(sum(change) filter (where cell = 5), 0),
      coalesce(sum(change) filter (where cell = 6), 0),
      coalesce(sum(change) filter (where cell = 7), 0),
      coalesce(sum(change) filter (where cell = 8), 0),
      coalesce(sum(change) filter (where cell = 9), 0),
      coalesce(sum(change) filter (where cell = 10), 0),
      coalesce(sum(change) filter (where cell = 11), 0),
      coalesce(sum(change) filter (where cell = 12), 0)
    ]::integer[]
  from smallest cross join (values (9), (14), (19)) as levels (level)
    cross join lateral (values
      (category_id), ('00000000-0000-0000-0000-000000000000'::uuid)
    ) as lists (list)
  group by 1, 2, 3;
end;

-- A block that has grown too large becomes several, which have room.
create function split_blocks(category uuid) returns void language plpgsql as $$
declare
  large record;
begin
  for large in
    select * from (
      select from_price, from_number, products,
        lead(from_price) over by_key as next_price, lead(from_number) over by_key as next_number
      from product_blocks where category_id = category
      window by_key as (order by from_price, from_number)
    ) as blocks where products > 1000
  loop
    delete from product_blocks
      where (category_id, from_price, from_number) = (category, large.from_price, large.from_number);
    insert into product_blocks
      select category,
        case when place / 500 = 0 then large.from_price
          else max(price_minor) filter (where place % 500 = 0) end,
        case when place / 500 = 0 then large.from_number
          else max(number) filter (where place % 500 = 0) end,
        count(*), count(*) filter (where in_stock)
      from (
        select price_minor, number, in_stock,
          row_number() over (order by price_minor, number) - 1 as place
        from products
        where category_id = category
          and (price_minor, number) >= (large.from_price, large.from_number)
          and (large.next_price is null or (price_minor, number) < (large.next_price, large.next_number))
      ) as inside
      group by place / 500;
  end loop;
end
$$;

create function count_blocks(counted xid8) returns void language plpgsql as $$
declare
  category uuid;
begin
  insert into product_blocks
    select distinct category_id, 0, 0, 0, 0
    from product_moves join categories on categories.id = category_id where transaction = counted
    on conflict do nothing;
  update product_blocks as blocks
    set products = blocks.products + moved.products, in_stock = blocks.in_stock + moved.in_stock
    from (
      select moves.category_id, from_price, from_number, sum(change) as products,
        coalesce(sum(change) filter (where moves.in_stock), 0) as in_stock
      from product_moves as moves cross join lateral (
        select from_price, from_number from product_blocks
        where category_id = moves.category_id
          and (from_price, from_number) <= (moves.price_minor, moves.number)
        order by from_price desc, from_number desc limit 1
      ) as block
      where transaction = counted
      group by 1, 2, 3
    ) as moved
    where (blocks.category_id, blocks.from_price, blocks.from_number)
      = (moved.category_id, moved.from_price, moved.from_number);
  for category in select distinct category_id from product_moves where transaction = counted loop
    -- the block before it takes over
    delete from product_blocks
      where category_id = category and products = 0 and (from_price, from_number) <> (0, 0);
    perform split_blocks(category);
  end loop;
end
$$;

-- Counts what a transaction did, at its very end. Everybody takes the categories first and in their
-- order, and then the counts of all products in theirs, so nobody waits in a circle.
create function count_moves() returns trigger language plpgsql set jit = off as $$
declare
  mine constant xid8 := pg_current_xact_id();
begin
  perform from categories
    where id in (select category_id from product_moves where transaction = mine)
    order by id for no key update;
  insert into product_counts as counts (category_id, price_band, products, in_stock)
    select category_id, price_band(price_minor), sum(change),
      coalesce(sum(change) filter (where in_stock), 0)
    from product_moves join categories on categories.id = category_id
    where transaction = mine
    group by 1, 2 order by 1, 2
    on conflict (category_id, price_band) do update set
      products = counts.products + excluded.products, in_stock = counts.in_stock + excluded.in_stock;
  insert into product_slices as slices
    select * from slices_of(mine) order by list, level, slice
    on conflict (list, level, slice) do update
      set cells = added_cells(slices.cells, excluded.cells);
  delete from product_slices using slices_of(mine) as touched
    where (product_slices.list, product_slices.level, product_slices.slice)
      = (touched.list, touched.level, touched.slice)
      and 0 = all (product_slices.cells);
  perform count_blocks(mine);
  delete from product_moves where transaction = mine;
  return null;
end
$$;
create constraint trigger count_moves after insert on product_moves
  deferrable initially deferred for each row when (new.wakes) execute function count_moves();

-- a count that is to fall is written as one below zero first
alter table product_counts drop constraint product_counts_products_check;
alter table product_counts add column in_stock integer not null default 0;

-- the products that are there
delete from product_counts;
insert into product_moves
  select pg_current_xact_id(), category_id, number, price_minor, in_stock, 1,
    row_number() over () = 1
  from products;
set constraints count_moves immediate;
