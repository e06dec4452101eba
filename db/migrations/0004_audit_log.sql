-- The audit log: changes that people make to the catalogue, orders' status and roles, and what the
-- shop does with refunds. Orders, payments and reservations are their own history, and a purchase
-- writes no entry. The triggers write in the transaction of the change.

-- The actor of this transaction, set by the shop: 'admin <id>', 'user <id>', 'provider', 'owner'.
-- Without a setting it is the shop itself.
create function actor_kind() returns text language sql stable return
  coalesce(nullif(split_part(current_setting('haat.actor', true), ' ', 1), ''), 'shop');
create function actor_id() returns uuid language sql stable return
  nullif(split_part(current_setting('haat.actor', true), ' ', 2), '')::uuid;

create table audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null default actor_kind()
    check (actor_kind in ('user', 'admin', 'provider', 'shop', 'owner')),
  actor_id uuid default actor_id(),
  -- insert, update or delete; of an account also what is no change of its row, such as a sign-in
  action text not null,
  table_name text not null,
  -- not a foreign key, like actor_id: entries outlive rows
  row_id uuid not null,
  -- columns by name; of an update only those that changed
  before jsonb,
  after jsonb,
  check ((actor_kind in ('user', 'admin')) = (actor_id is not null))
);
create index audit_log_of_row on audit_log (row_id, id);
create index audit_log_of_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_by_time on audit_log (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted.', tg_table_name
    using errcode = 'restrict_violation';
end
$$;
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on order_lines
  for each statement execute function refuse_change();

-- Writes an entry of one changed row. Arguments: the column with the row's id, then the columns that
-- the log leaves out because they are derived, internal or personal. An update of nothing else writes
-- no entry. Of secrets and e-mails the log says only that they changed, as {"password": "changed"}.
create function write_audit_log() returns trigger language plpgsql as $$
declare
  omitted text[] := tg_argv;
  secret constant text[] := '{password_hash,answer_hash,token_hash,email}';
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

-- A sale sets nothing but products.quantity, so it fires no trigger; an edit also sets updated_at.
create trigger audit
  after insert or delete or update of
    name, slug, description, price_minor, category_id, shipping, photo_version, updated_at
  on products for each row
  execute function write_audit_log(
    'id', 'created_at', 'updated_at', 'name_folded', 'name_search', 'search', 'in_stock');

create trigger audit after insert or update or delete on categories
  for each row execute function write_audit_log('id', 'created_at', 'name_key');

create trigger audit after update of status on orders
  for each row execute function write_audit_log(
    'id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'search');

-- Registrations of customers are no entries, and profiles are the customers' own.
create trigger audit_insert after insert on users
  for each row when (new.is_admin)
  execute function write_audit_log('id', 'created_at', 'name', 'email_key', 'phone', 'address', 'search');
create trigger audit
  after delete or update of is_admin, password_hash, answer_hash, email on users
  for each row
  execute function write_audit_log('id', 'created_at', 'name', 'email_key', 'phone', 'address', 'search');

-- Refunds, and an admin's note about an issue. Entries are those of the payment.
create trigger audit after update of state, refunded_minor, resolution_note on provider_payments
  for each row when (
    new.state in ('refund_pending', 'refunding', 'refunded')
    or (old.refunded_minor, old.resolution_note)
      is distinct from (new.refunded_minor, new.resolution_note)
  )
  execute function write_audit_log('payment_id', 'next_refund_at', 'refund_attempts', 'confirmed_at');
