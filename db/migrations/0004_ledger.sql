-- Every change of what a shop answers for: who, when, what before, what after. Written by triggers in
-- the transaction of the change, so that no way of changing it can forget its entry; kept for good.

create table ledger (
  id bigint primary key generated always as identity,
  -- when it was done, not when its transaction began: who waited for another comes after it
  at timestamptz not null default clock_timestamp(),
  -- what was done in one go
  transaction xid8 not null default pg_current_xact_id(),
  -- shop: what it does by itself, and what nobody put their name to
  actor_kind text not null check (actor_kind in ('user', 'admin', 'provider', 'shop', 'owner')),
  -- no reference, and neither is the object: the entry outlives both
  actor_id uuid,
  object_kind text not null
    check (object_kind in ('order', 'payment', 'hold', 'money', 'product', 'category', 'user')),
  -- of a hold, and of money that came in: the payment's; of money that is unknown here: its own
  object_id uuid not null,
  action text not null check (action in ('create', 'update', 'delete')),
  -- columns by their names; on update only those that differ
  before jsonb,
  after jsonb,
  check ((actor_kind in ('user', 'admin')) = (actor_id is not null)),
  check ((action = 'create') = (before is null)),
  check ((action = 'delete') = (after is null))
);
-- each list is read from its end
create index ledger_by_time on ledger (at, id);
create index ledger_by_object on ledger (object_id, at, id);
create index ledger_by_object_kind on ledger (object_kind, at, id);
create index ledger_by_actor on ledger (actor_id, at, id) where actor_id is not null;
create index ledger_by_actor_kind on ledger (actor_kind, at, id);
-- what explains a change of stock
create index ledger_of_pieces on ledger (transaction) where object_kind in ('hold', 'order');

create function refuse() returns trigger language plpgsql as $$
begin
  raise exception using message = tg_argv[0], errcode = 'restrict_violation';
end
$$;
create trigger keep_ledger before update or delete or truncate on ledger
  for each statement execute function refuse('The ledger is only added to.');

-- Who changes something is said once a transaction: 'admin <id>', 'user <id>', 'provider', 'owner'.
create function actor() returns text language sql stable
  return coalesce(nullif(current_setting('haat.actor', true), ''), 'shop');
create function actor_kind() returns text language sql stable return split_part(actor(), ' ', 1);
create function actor_id() returns uuid language sql stable
  return nullif(split_part(actor(), ' ', 2), '')::uuid;

-- what was sold: as far as it explains the stock and what was paid
create function pieces(product_id uuid, name text, quantity integer, price_minor integer)
  returns jsonb language sql immutable
  return jsonb_build_object(
    'product_id', product_id, 'name', name, 'quantity', quantity, 'price_minor', price_minor
  );

-- A hold, when it begins, with what it holds: what that was called is told elsewhere, for whoever
-- starts payments again and again writes here for good.
create function held(hold jsonb) returns jsonb language sql stable
  return hold || jsonb_build_object('lines', (
    select jsonb_agg(jsonb_build_object(
      'product_id', product_id, 'quantity', quantity, 'price_minor', price_minor
    ) order by position)
    from payment_lines where payment_id = (hold ->> 'payment_id')::uuid
  ));

-- Writes the entries of one statement. Its arguments: what kind of thing a row is, the column that
-- says whose history it belongs to, the row's key, and the columns that are no facts: made of others,
-- or the shop's own notes. Where only such ones change, there is no entry.
create function write_ledger() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  object text := tg_argv[1];
  key text := tg_argv[2];
  hidden text[] := tg_argv[3:];
begin
  if tg_op = 'INSERT' then
    insert into ledger (actor_kind, actor_id, object_kind, object_id, action, after)
      select actor_kind(), actor_id(), kind, (state ->> object)::uuid, 'create',
        case kind when 'hold' then held(state) else state end - hidden
      from (select to_jsonb(inserted) as state from inserted) as made;
  elsif tg_op = 'DELETE' then
    insert into ledger (actor_kind, actor_id, object_kind, object_id, action, before)
      select actor_kind(), actor_id(), kind, (state ->> object)::uuid, 'delete', state - hidden
      from (select to_jsonb(removed) as state from removed) as gone;
  else
    insert into ledger (actor_kind, actor_id, object_kind, object_id, action, before, after)
      select actor_kind(), actor_id(), kind, (coalesce(present, former) ->> object)::uuid, 'update',
        difference.before, difference.after
      from (select to_jsonb(removed) - hidden as former from removed offset 0) as a
      -- a full join is never done row by row for each row, however few rows the plan was made for
      full join (select to_jsonb(inserted) - hidden as present from inserted offset 0) as b
        on former ->> key = present ->> key
      cross join lateral (
        select jsonb_object_agg(name, former -> name) as before,
          jsonb_object_agg(name, present -> name) as after
        from jsonb_object_keys(coalesce(present, former)) as name
        where former -> name is distinct from present -> name
          -- where a payment has several of a kind, which of them
          or (name = key and key <> object)
      ) as difference
      where former is distinct from present;
  end if;
  return null;
end
$$;

-- Has a table not emptied at one blow, which would tell of no row that goes.
create procedure refuse_truncate_of(watched text) language plpgsql as $$
begin
  execute format('create trigger refuse_truncate before truncate on %I
    for each statement execute function refuse(%L)', watched,
    format('The table %s is not emptied unseen.', watched));
end
$$;

-- Has each statement on a table written down.
create procedure write_ledger_of(watched text, variadic arguments text[]) language plpgsql as $$
declare
  quoted text := (select string_agg(quote_literal(argument), ', ') from unnest(arguments) as argument);
  execution text := format('for each statement execute function write_ledger(%s)', quoted);
begin
  execute format('create trigger ledger_insert after insert on %I
    referencing new table as inserted %s', watched, execution);
  execute format('create trigger ledger_update after update on %I
    referencing old table as removed new table as inserted %s', watched, execution);
  execute format('create trigger ledger_delete after delete on %I
    referencing old table as removed %s', watched, execution);
  call refuse_truncate_of(watched);
end
$$;

call write_ledger_of('orders', 'order', 'id', 'id', 'search');
call write_ledger_of('products', 'product', 'id', 'id', 'name_folded', 'search', 'updated_at');
call write_ledger_of('categories', 'category', 'id', 'id', 'name_key');

-- The lines of an order come after it, and are facts of the order.
create function write_ledger_of_lines() returns trigger language plpgsql as $$
begin
  insert into ledger (actor_kind, actor_id, object_kind, object_id, action, before, after)
    select actor_kind(), actor_id(), 'order', order_id, 'update', '{}',
      jsonb_build_object('lines',
        jsonb_agg(pieces(product_id, name, quantity, price_minor) order by position))
    from inserted group by order_id;
  return null;
end
$$;
create trigger ledger_insert after insert on order_lines
  referencing new table as inserted for each statement execute function write_ledger_of_lines();
-- so an order stays, too: whoever deletes it, deletes them
create trigger keep_lines before update or delete or truncate on order_lines
  for each statement execute function refuse('What was sold is kept as it was sold.');

-- What was asked for is told with the hold, and goes only with its payment.
create function keep_payment_lines() returns trigger language plpgsql as $$
begin
  if exists (select from payments where id = old.payment_id) then
    raise exception 'What was asked for is kept with its payment.' using errcode = 'restrict_violation';
  end if;
  return old;
end
$$;
create trigger keep_deleted_lines before delete on payment_lines
  for each row execute function keep_payment_lines();
create trigger keep_lines before update or truncate on payment_lines
  for each statement execute function refuse('What was asked for is kept as it was asked for.');

-- Of a user only the role: all else is the person's own.
create function write_ledger_of_role() returns trigger language plpgsql as $$
declare
  former jsonb := case when tg_op <> 'INSERT' then jsonb_build_object('is_admin', old.is_admin) end;
  present jsonb := case when tg_op <> 'DELETE' then jsonb_build_object('is_admin', new.is_admin) end;
begin
  insert into ledger (actor_kind, actor_id, object_kind, object_id, action, before, after)
    values (actor_kind(), actor_id(), 'user', coalesce(new.id, old.id),
      case tg_op when 'INSERT' then 'create' when 'DELETE' then 'delete' else 'update' end,
      former, present);
  return null;
end
$$;
create trigger ledger_insert after insert on users
  for each row when (new.is_admin) execute function write_ledger_of_role();
create trigger ledger_update after update of is_admin on users
  for each row when (old.is_admin <> new.is_admin) execute function write_ledger_of_role();
create trigger ledger_delete after delete on users
  for each row when (old.is_admin) execute function write_ledger_of_role();
call refuse_truncate_of('users');
