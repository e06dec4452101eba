-- The address of the account when the order was placed, where somebody else receives the parcel and the purchase
-- named no billing address. Null otherwise, and in orders of 0.7.0, whose invoices stay as they were printed.
alter table orders add column payer_address text;

-- Personal data stays out of the history.
drop trigger audit on orders;
create trigger audit after update of status, carrier, tracking_number, customer_note on orders
  for each row execute function write_audit_log('id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address',
    'delivery', 'billing', 'payer_address', 'mailed_statuses');
drop trigger audit_insert on orders;
create trigger audit_insert after insert on orders
  for each row when (current_setting('haat.actor', true) like 'admin %')
  execute function write_audit_log('id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery',
    'billing', 'payer_address', 'mailed_statuses');
