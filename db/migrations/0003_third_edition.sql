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

-- Writes the entry of one changed row: each column by itself, but the row's id, computed columns, keys for
-- comparison, and the times of creation and of the last edit. Arguments: the column with the row's id, then
-- the columns that are personal, secret, or of no interest to the owner. An update of nothing else writes no
-- entry. A password, an answer or an e-mail is not stored: only that it changed, as {"password": "changed"}.
create or replace function write_audit_log() returns trigger language plpgsql as $$
declare
  secret constant text[] := '{password_hash,answer_hash,token_hash,email}';
  omitted text[] := tg_argv || '{id,name_key,email_key,created_at,updated_at}'::text[] || array(
    select attname::text from pg_attribute where attrelid = tg_relid and attgenerated <> '');
  former jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  present jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  insert into audit_log (action, table_name, row_id, before, after)
  select
    lower(tg_op),
    tg_table_name,
    (coalesce(present, former) ->> tg_argv[0])::uuid,
    case when tg_op <> 'INSERT' then jsonb_object_agg(label, before_value) end,
    case when tg_op <> 'DELETE' then jsonb_object_agg(label, after_value) end
  from jsonb_object_keys(coalesce(present, former)) as name
  cross join lateral (
    select regexp_replace(name, '_hash$', '') as label,
      case when name <> all (secret) then former -> name end as before_value,
      case when name <> all (secret) then present -> name else '"changed"' end as after_value
  ) as shown
  where former -> name is distinct from present -> name
    and name <> all (omitted)
    and (tg_op = 'UPDATE' or name <> all (secret))
  having count(*) > 0;
  return null;
end
$$;

-- A sale changes only the quantity, and not the time of the last edit.
drop trigger audit on products;
create trigger audit after insert or delete on products
  for each row execute function write_audit_log('id');
create trigger audit_update after update on products
  for each row when (old.quantity = new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id');

drop trigger audit on categories;
create trigger audit after insert or update or delete on categories
  for each row execute function write_audit_log('id');
drop trigger audit on shipping_zones;
create trigger audit after insert or update or delete on shipping_zones
  for each row execute function write_audit_log('id');
drop trigger audit on tax_classes;
create trigger audit after insert or update or delete on tax_classes
  for each row execute function write_audit_log('id');

-- A purchase changes the number of uses, and an edit does not.
drop trigger audit on coupons;
create trigger audit after insert or delete on coupons
  for each row execute function write_audit_log('id', 'uses');
create trigger audit_update after update on coupons
  for each row when (old.uses = new.uses) execute function write_audit_log('id', 'uses');

drop trigger audit on orders;
create trigger audit after update of status on orders
  for each row execute function write_audit_log(
    'id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery', 'mailed_statuses');

drop trigger audit_insert on users;
create trigger audit_insert after insert on users
  for each row when (new.is_admin)
  execute function write_audit_log('id', 'name', 'phone', 'address', 'delivery', 'email_confirmed_at');
drop trigger audit on users;
create trigger audit
  after delete or update of is_admin, password_hash, answer_hash, email on users
  for each row
  execute function write_audit_log('id', 'name', 'phone', 'address', 'delivery', 'email_confirmed_at');

alter table audit_log add constraint audit_log_action_check
  check (action in ('insert', 'update', 'delete', 'signed_in', 'password_reset_by_answer',
    'password_reset_by_link', 'sessions_ended'));
