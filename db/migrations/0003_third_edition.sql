-- Added to the schema of 0001_shop.sql and 0002_nothing_owed.sql, domain by domain, in the same order. Each
-- change carries the rows of a running shop over; nothing that a merchant or a customer sees changes by it.

-- The shop has to be stopped for it: 0.2.0 reads and writes tables that are merged here.
insert into shop_facts (key, value) values ('oldest_version', '0.3.0')
  on conflict (key) do update set value = excluded.value;


-- Settings and pictures --------------------------------------------------------------------------


-- Accounts ---------------------------------------------------------------------------------------


-- Taxes ------------------------------------------------------------------------------------------


-- Categories and products ------------------------------------------------------------------------


-- Shipping ---------------------------------------------------------------------------------------


-- Payments ---------------------------------------------------------------------------------------


-- Coupons ----------------------------------------------------------------------------------------


-- Orders and invoices ----------------------------------------------------------------------------

alter table orders add constraint orders_mailed_statuses_check
  check (mailed_statuses <@ array['Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel']);


-- E-mails ----------------------------------------------------------------------------------------


-- Audit log --------------------------------------------------------------------------------------

alter table audit_log add constraint audit_log_action_check
  check (action in ('insert', 'update', 'delete', 'signed_in', 'password_reset_by_answer',
    'password_reset_by_link', 'sessions_ended'));
