-- Added to the schema of 0001 to 0006. Refunds name the lines that they are of, stock is returned by lines, and
-- admins place orders for customers. The code of 0.4.0 runs on it: it refunds amounts, and returns the stock of
-- whole orders.

-- Refunds ----------------------------------------------------------------------------------------

alter table refunds
  -- of the request: a repeated one refunds once
  add column request_key uuid,
  -- whether the buyer is told by e-mail
  add column is_mailed boolean not null default true;
create unique index refunds_of_request on refunds (request_key, capture_id) where request_key is not null;

-- What a refund is of: lines of the order, its shipping, its fee. The amounts are those that the shop proposed;
-- the refund may have another one. Those of all refunds that were not given up are at most the order's.
create table refund_lines (
  refund_id uuid not null references refunds,
  order_id uuid not null references orders,
  kind text not null check (kind in ('product', 'shipping', 'fee')),
  -- of the row of order_lines, or of order_adjustments
  position smallint not null,
  quantity integer not null check (quantity > 0),
  -- quantity times price, less the discount, with tax that the prices do not contain
  amount_minor bigint not null check (amount_minor >= 0),
  -- the share of the quantity in the discount of the line
  discount_minor bigint not null check (discount_minor >= 0),
  -- the tax of the quantity, contained in the price or added
  tax_minor bigint not null check (tax_minor >= 0),
  primary key (refund_id, kind, position)
);
create index refund_lines_of_order on refund_lines (order_id);
create trigger append_only before update or delete or truncate on refund_lines
  for each statement execute function refuse_change();


-- Orders -----------------------------------------------------------------------------------------

-- How many of each line were returned to the stock. An order whose stock_returned_at is set and that has no row
-- here was returned as a whole by 0.4.0 or before.
create table returned_lines (
  order_id uuid not null,
  position smallint not null,
  -- the quantity of the line, which never changes
  sold integer not null,
  quantity integer not null,
  -- the last time
  returned_at timestamptz not null default now(),
  primary key (order_id, position),
  foreign key (order_id, position) references order_lines,
  constraint returned_lines_were_sold check (quantity between 1 and sold)
);


-- How many of a line were returned.
create function returned_of(of_order uuid, of_position smallint, sold integer) returns integer
language sql stable as $$
  select coalesce(
    (select quantity from returned_lines where order_id = of_order and position = of_position),
    case when exists (select from returned_lines where order_id = of_order) then 0
      else (select sold from orders where id = of_order and stock_returned_at is not null) end,
    0)
$$;

-- 0.4.0 returns an order as a whole: not when pieces of it were returned before.
create function refuse_second_return() returns trigger language plpgsql as $$
begin
  if exists (select from returned_lines where order_id = new.id) and exists (
    select from order_lines
    where order_id = new.id and returned_of(order_id, position, quantity) < quantity)
  then
    raise exception 'A part of the order % was returned to the stock already.', new.number
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger returned before update of stock_returned_at on orders for each row
  when (old.stock_returned_at is null and new.stock_returned_at is not null)
  execute function refuse_second_return();

alter table payments
  -- the admin who has placed the order for the buyer
  add column placed_by uuid references users;
alter table captures
  -- how the money came in that an admin has entered
  add column received_as text check (received_as in ('cash', 'card_terminal', 'transfer'));


-- Audit log --------------------------------------------------------------------------------------

-- made anew: the columns of a request are of no interest
drop trigger audit on refunds;
create trigger audit after insert on refunds
  for each row execute function write_audit_log('id', 'capture_id', 'requested_by', 'done_at',
    'provider_refund_id', 'attempt', 'next_attempt_at', 'attempts', 'last_error', 'request_key', 'is_mailed');
drop trigger audit_update on refunds;
create trigger audit_update after update of state on refunds
  for each row when ((old.state, new.state) not in (('failed', 'pending'), ('pending', 'failed')))
  execute function write_audit_log('id', 'capture_id', 'requested_by', 'done_at',
    'provider_refund_id', 'attempt', 'next_attempt_at', 'attempts', 'last_error', 'request_key', 'is_mailed');
create trigger audit after insert on refund_lines
  for each row execute function write_audit_log('refund_id', 'order_id', 'discount_minor', 'tax_minor');
create trigger audit after insert or update on returned_lines
  for each row execute function write_audit_log('order_id', 'sold', 'returned_at');
-- orders that an admin places; purchases are their own history
create trigger audit_insert after insert on orders
  for each row when (current_setting('haat.actor', true) like 'admin %')
  execute function write_audit_log('id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery',
    'mailed_statuses');
