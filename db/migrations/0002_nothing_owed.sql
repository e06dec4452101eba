-- Added to the schema of 0001_shop.sql, which is never edited from here on: shops run it already.
-- Domain by domain, in the same order. Constraints and triggers have to hold for the rows of a running shop.


-- Settings ---------------------------------------------------------------------------------------

-- in which the shop's days begin: of invoices, figures, coupons and tax rates; a name of the IANA
-- database, such as Europe/Berlin
alter table settings add column time_zone text not null default 'UTC'
  check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$');


-- Accounts ---------------------------------------------------------------------------------------


-- Taxes, products, shipping ----------------------------------------------------------------------


-- Payments ---------------------------------------------------------------------------------------


-- Coupons ----------------------------------------------------------------------------------------


-- Orders and invoices ----------------------------------------------------------------------------

comment on column orders.number is
  'the number by which customers and admins call the order; a purchase that is undone leaves a gap';
create unique index orders_by_number on orders (number);

-- Issued invoices, which never change: the seller is copied, the lines are those of the order. Their numbers
-- are given after the purchase, one after the other, and have no gaps. A test order has none.
create table invoices (
  number bigint primary key check (number > 0),
  order_id uuid not null unique references orders,
  issued_at timestamptz not null default clock_timestamp(),
  -- the day of issue in the time zone that the shop had then
  issued_on date not null,
  seller_name text not null,
  seller_address text not null,
  seller_tax_number text not null
);

-- The orders whose invoice is not issued yet. The statement that places an order inserts it here, the one
-- that issues invoices deletes it. Few rows, so it has no index.
create table invoices_due (
  order_id uuid not null
);

-- Invoices were numbered like their orders, and seen with the seller of the moment and days in UTC.
insert into invoices (number, order_id, issued_at, issued_on, seller_name, seller_address, seller_tax_number)
  select orders.number, orders.id, orders.created_at, (orders.created_at at time zone 'UTC')::date,
    coalesce(nullif(seller_name, ''), settings.name, 'Haat'), coalesce(seller_address, ''),
    coalesce(seller_tax_number, '')
  from orders left join settings on true left join tax_settings on true
  where not orders.test;
create trigger append_only before update or delete or truncate on invoices
  for each statement execute function refuse_change();


-- E-mails ----------------------------------------------------------------------------------------


-- Audit log --------------------------------------------------------------------------------------
