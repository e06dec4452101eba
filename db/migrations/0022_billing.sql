-- The address to which a purchase is billed, in parts; null: the same as the delivery's.
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
