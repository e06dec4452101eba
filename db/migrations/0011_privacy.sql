-- An order keeps who bought it and where it goes, as it was when it was paid. An account can be
-- closed.

alter table users
  add column closed_at timestamptz,
  add check (closed_at is null or not is_admin);


alter table orders
  add column buyer_email text,
  add column buyer_phone text,
  add column buyer_address text;
-- of orders before this migration nobody knows it better
update orders set buyer_email = email, buyer_phone = phone, buyer_address = address
  from users where users.id = user_id;
alter table orders
  alter column buyer_email set not null,
  alter column buyer_phone set not null,
  alter column buyer_address set not null;
alter table orders add column search text not null
  generated always as (folded(buyer_name || ' ' || buyer_email)) stored;
create index orders_by_search on orders using gin (search gin_trgm_ops);
