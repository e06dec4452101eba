-- Who pays, in parts and as text; null: the account, at the address of the delivery.
alter table payments add column billing jsonb;
-- copied from the payment
alter table orders add column billing jsonb;

-- Admins find orders by the name that they are billed to; few have one of their own.
create index orders_by_billing_name on orders
  using gin (folded(billing ->> 'name') gin_trgm_ops) where billing is not null;

-- Personal data stays out of the history.
drop trigger audit on orders;
create trigger audit after update of status, carrier, tracking_number, customer_note on orders
  for each row execute function write_audit_log('id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address',
    'delivery', 'billing', 'mailed_statuses');
drop trigger audit_insert on orders;
create trigger audit_insert after insert on orders
  for each row when (current_setting('haat.actor', true) like 'admin %')
  execute function write_audit_log('id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery',
    'billing', 'mailed_statuses');

-- 0.6.0, which may close accounts beside this version, does not know the columns.
create function delete_billing() returns trigger language plpgsql as $$
begin
  update payments set billing = null where user_id = new.id and billing is not null;
  update orders set billing = null where user_id = new.id and billing is not null;
  return null;
end $$;
create trigger delete_billing after update of closed_at on users
  for each row when (new.closed_at is not null) execute function delete_billing();
