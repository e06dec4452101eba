-- Added for the pages of orders in the back office: shipment, notes, and the indexes of their lists.


-- Orders ------------------------------------------------------------------------------------------

alter table orders
  add column carrier text check (carrier ~ '\S'),
  add column tracking_number text check (tracking_number ~ '\S'),
  -- of the merchant, on the order's page and in the e-mails about its status
  add column customer_note text check (customer_note ~ '\S');

-- orders that may be to be sent, by their time
create index orders_to_send on orders (created_at, id) include (payment_id)
  where status in ('Not Process', 'Processing') and stock_returned_at is null;
-- the list, sorted by total and by buyer
create index orders_by_total on orders (total_minor, id);
create index orders_by_buyer on orders (left(search, 100), id);

-- Notes of admins on an order, which its buyer does not see.
create table order_notes (
  id uuid primary key,
  order_id uuid not null references orders,
  author_id uuid not null references users,
  text text not null check (text ~ '\S'),
  created_at timestamptz not null default now()
);
create index notes_of_order on order_notes (order_id, id);


-- Audit log --------------------------------------------------------------------------------------

-- That of 0003_third_edition.sql, with two more secrets: of a tracking number and of a note to the customer, too,
-- it stores only that they changed.
create or replace function write_audit_log() returns trigger language plpgsql as $$
declare
  secret constant text[] := '{password_hash,answer_hash,token_hash,email,tracking_number,customer_note}';
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

drop trigger audit on orders;
create trigger audit after update of status, carrier, tracking_number, customer_note on orders
  for each row execute function write_audit_log(
    'id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery', 'mailed_statuses');
-- the entries of a note have the id of its order, and not its text
create trigger audit after insert or delete on order_notes
  for each row execute function write_audit_log('order_id', 'text');
