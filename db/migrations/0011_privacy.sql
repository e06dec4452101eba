-- An order keeps who bought it and where it goes, as it was when it was paid. An account can be
-- closed. The ledger holds ids and no names.

alter table users
  add column closed_at timestamptz,
  add check (closed_at is null or not is_admin);

-- what follows is no change of an order
drop trigger ledger_insert on orders;
drop trigger ledger_update on orders;
drop trigger ledger_delete on orders;
drop trigger refuse_truncate on orders;
drop trigger note_buyer on orders;
drop function note_buyer;

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
  alter column buyer_address set not null,
  drop column search;
alter table orders add column search text not null
  generated always as (folded(buyer_name || ' ' || buyer_email)) stored;
create index orders_by_search on orders using gin (search gin_trgm_ops);

call write_ledger_of(
  'orders', 'order', 'id', 'id', 'search',
  'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address');

-- the names that were written down before
alter table ledger disable trigger keep_ledger;
update ledger set before = before - 'buyer_name', after = after - 'buyer_name'
  where object_kind = 'order' and coalesce(before, after) ? 'buyer_name';
alter table ledger enable trigger keep_ledger;

-- The closing of an account, by its id.
create function write_ledger_of_closing() returns trigger language plpgsql as $$
begin
  insert into ledger (actor_kind, actor_id, object_kind, object_id, action, before, after)
    values (actor_kind(), actor_id(), 'user', new.id, 'update',
      jsonb_build_object('closed_at', old.closed_at), jsonb_build_object('closed_at', new.closed_at));
  return null;
end
$$;
create trigger ledger_closing after update of closed_at on users
  for each row when (old.closed_at is distinct from new.closed_at)
  execute function write_ledger_of_closing();
