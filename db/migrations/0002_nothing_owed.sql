-- Added to the schema of 0001_shop.sql, which is never edited from here on: shops run it already.
-- Domain by domain, in the same order. Constraints and triggers have to hold for the rows of a running shop.

-- The shop has to be stopped for it: 0.1.0 writes orders without a currency.
insert into shop_facts (key, value) values ('oldest_version', '0.2.0')
  on conflict (key) do update set value = excluded.value;


-- Settings ---------------------------------------------------------------------------------------

-- in which the shop's days begin: of invoices, figures, coupons and tax rates; a name of the IANA
-- database, such as Europe/Berlin
alter table settings add column time_zone text not null default 'UTC'
  check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$');

-- whether admins get an e-mail for each new order
alter table settings add column mails_orders boolean not null default true;


-- Accounts ---------------------------------------------------------------------------------------


-- Taxes, products, shipping ----------------------------------------------------------------------


-- Payments ---------------------------------------------------------------------------------------

alter table payments
  -- The number of the payment's refund, which its idempotency key has. It is raised by a request, and by a
  -- refusal or failure at the provider: the next attempt is another refund. A request without an answer
  -- keeps it.
  add column refund_attempt integer not null default 0,
  -- whether the provider has refused the last request of the refund: it is tried again, until an admin
  -- gives it up. False while a request is in flight.
  add column refund_refused boolean not null default false,
  -- when the shop learned last of a refund; null before 0.2.0
  add column refunded_at timestamptz,
  -- what a lost dispute took back
  add column disputed_minor bigint not null default 0 check (disputed_minor >= 0);

alter table payments drop constraint payments_issue_check;
-- refunded_elsewhere: refunded at the provider, and not by the shop; refund_missing: the provider has
-- refunded less than the shop knows of
alter table payments add constraint payments_issue_check check (issue in ('capture_pending', 'expired',
  'amount_mismatch', 'paid_cancelled', 'refunded_elsewhere', 'refund_missing', 'dispute_lost'));

-- Parts of orders that were refunded at the provider, which nothing told of.
update payments set issue = 'refunded_elsewhere'
  where state = 'refunded' and refusal is null and provider <> 'none' and issue is null
    and refund_minor is null and refunded_minor < coalesce(paid_minor, amount_minor);

-- Disputes that buyers have opened at their banks, as the provider reports them.
create table disputes (
  -- the provider's id
  id text primary key,
  payment_id uuid not null references payments,
  -- open: the provider holds or may take back the money; the others are final
  state text not null check (state in ('open', 'won', 'lost', 'closed')),
  created_at timestamptz not null default now()
);
create index disputes_of_payment on disputes (payment_id);
create index disputes_open on disputes (payment_id) where state = 'open';

-- Money for an order that the shop does not have, as after the restore of an older backup, or of another
-- shop on the same account. It is not refunded, because it may belong to that shop.
create table unknown_payments (
  id uuid primary key,
  provider_payment_id text not null unique,
  provider_order_id text not null,
  amount_minor bigint not null,
  currency text not null,
  received_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolution_note text,
  constraint unknown_payments_resolution_has_note
    check ((resolved_at is null) = (resolution_note is null))
);

-- Polls and refunds are taken at one provider: rows of a former one are not walked over.
drop index payments_to_attempt;
create index payments_to_attempt on payments (provider, next_attempt_at)
  where next_attempt_at is not null;
-- The payments that did not simply pay an order, but for those whose order was cancelled.
drop index payments_to_list;
create index payments_to_list on payments (id)
  where state in ('refund_pending', 'refunded') or issue is not null
    or provider_payment_id is not null and state in ('created', 'expired', 'failed')
    or next_attempt_at is not null and state in ('created', 'expired');
create index payments_to_review on payments (id)
  where state = 'refund_pending' or issue is not null and resolved_at is null
    or provider_payment_id is not null and state in ('created', 'expired');
create index orders_cancelled on orders (payment_id) where status = 'cancel';

drop view payments_needing_attention;
drop view payment_overview;

-- The state in which the back office lists a payment, but those that were never paid and are over. Without
-- the state, orders are not read.
create view payment_overview as
  select payments.id, coalesce(payments.received_at, payments.created_at) as listed_at,
    case
      when payments.state = 'failed' then 'voided'
      when payments.state in ('created', 'expired')
        then case when provider_payment_id is null then 'started' else 'unmatched' end
      when exists (select from disputes where payment_id = payments.id and disputes.state = 'open')
        then 'disputed'
      when payments.state = 'refund_pending' then case
        when refund_accepted then 'refunding'
        when not refund_refused then 'refund_pending'
        when refusal is not null and resolved_at is not null then 'resolved'
        else 'refund_refused'
      end
      when orders.id is null and issue is null then payments.state::text
      -- whatever was resolved before: the rest of its money is to be refunded
      when orders.status = 'cancel' and confirmed_at is not null
        and refunded_minor + disputed_minor < coalesce(paid_minor, amount_minor)
        and (issue is distinct from 'paid_cancelled' or resolved_at is null) then 'paid_cancelled'
      when issue is not null and resolved_at is not null then 'resolved'
      -- cancelling an order ends its other issues
      when issue <> 'paid_cancelled' and orders.status is distinct from 'cancel' then issue
      -- the money of a cancelled order is not captured any more
      when issue in ('capture_pending', 'expired') then 'voided'
      when payments.state = 'refunded' then 'order_refunded'
      else 'paid'
    end as state
  from payments left join orders on orders.payment_id = payments.id
  where case
    when payments.state = 'failed' then refusal is not null
    when payments.state in ('created', 'expired')
      then provider_payment_id is not null or next_attempt_at is not null
    else true
  end;

create view unknown_payment_overview as
  select id, received_at as listed_at,
    case when resolved_at is null then 'unknown' else 'resolved' end as state
  from unknown_payments;

-- The same of those that did not simply pay their order, by the indexes of these, and of money for unknown
-- orders.
create view payment_exceptions as
  select id, listed_at, state from payment_overview
  where state <> 'paid' and id in (
    select payments.id from payments
    where state in ('refund_pending', 'refunded') or issue is not null
      or provider_payment_id is not null and state in ('created', 'expired', 'failed')
      or next_attempt_at is not null and state in ('created', 'expired')
    union select payment_id from orders where status = 'cancel'
    union select payment_id from disputes where state = 'open')
  union all
  select id, listed_at, state from unknown_payment_overview;

-- The payments that somebody has to look into: for the list, the dashboard, the metric and its alerts. A
-- refund that the provider has accepted needs nobody. The offset has each candidate read by its id: the
-- planner would read all payments.
create view payments_needing_attention as
  select overview.* from (
    select id from payments
    where state = 'refund_pending' or issue is not null and resolved_at is null
      or provider_payment_id is not null and state in ('created', 'expired')
    union select payment_id from orders where status = 'cancel'
    union select payment_id from disputes where state = 'open'
  ) as candidates
  cross join lateral (
    select id, listed_at, state from payment_overview where payment_overview.id = candidates.id offset 0
  ) as overview
  where overview.state in ('refund_pending', 'refund_refused', 'disputed', 'dispute_lost', 'unmatched', 'unknown',
    'capture_pending', 'expired', 'amount_mismatch', 'paid_cancelled', 'refunded_elsewhere',
    'refund_missing')
  union all
  select id, listed_at, state from unknown_payment_overview where state = 'unknown';

-- Another attempt at the same cart reserves the same payment again. An admin gives up a refund: from
-- refund_pending to captured.
drop trigger transition on payments;
create trigger transition before update of state on payments for each row
  when (old.state <> new.state and (old.state, new.state) not in (
    ('created', 'captured'), ('created', 'refund_pending'), ('created', 'expired'),
    ('created', 'failed'), ('expired', 'created'), ('expired', 'captured'),
    ('expired', 'refund_pending'), ('expired', 'failed'), ('failed', 'refund_pending'),
    ('captured', 'refund_pending'), ('captured', 'refunded'), ('refund_pending', 'refunded'),
    ('refund_pending', 'failed'), ('refund_pending', 'captured'), ('refunded', 'refund_pending')))
  execute function refuse_transition();
-- for the start of the same cart; a purchase without a break has no row in it
create index payments_expired on payments (user_id) where state = 'expired';

-- The network of the buyer (an IPv4 address, or the /64 of an IPv6 one), for a day; and how often the payment
-- was started: once more for each further attempt.
alter table payments add column network text, add column starts integer not null default 1;
create index payments_of_network on payments (network, reserved_until) where network is not null;

-- Reservations of networks that start payments and do not pay: more than four starts in a day, beyond one for
-- each payment that was paid. They yield to any other buyer who finds too little.
create view yielding_reservations as
  select id, user_id, quote, reserved_until from payments as held
  where state = 'created' and reserved_until is not null and network is not null
    and (select sum(case when state in ('created', 'expired', 'failed') then starts else -1 end)
      from payments as started
      where started.network = held.network and reserved_until > now() - interval '24 hours') > 4;

-- for the deletion of payments that were started and never paid; a paid one has no row in it
create index payments_never_paid on payments (coalesce(reserved_until, created_at))
  where provider_payment_id is null
    and (state in ('expired', 'failed') or state = 'created' and reserved_until is null);


-- Coupons ----------------------------------------------------------------------------------------

-- A coupon's days stay the same days when the shop gets another time zone.
create function move_coupon_days() returns trigger language plpgsql as $$
begin
  update coupons set
    starts_at = (starts_at at time zone old.time_zone) at time zone new.time_zone,
    ends_at = (ends_at at time zone old.time_zone) at time zone new.time_zone
  where starts_at is not null or ends_at is not null;
  return null;
end
$$;
create trigger move_coupon_days after update of time_zone on settings for each row
  when (old.time_zone <> new.time_zone) execute function move_coupon_days();

-- Closed accounts that have used coupons, by a keyed hash of their address: a customer who closes the account
-- and registers again does not start anew.
create table former_coupon_users (
  user_id uuid primary key references users,
  address_hash bytea not null
);
create index former_coupon_users_by_hash on former_coupon_users (address_hash);

-- The key is that of the hashes of networks. The hash never leaves the database.
create function address_hash(email_key text) returns bytea language sql stable return
  sha256(convert_to(coalesce((select value from shop_facts where key = 'network_key'), '') || email_key,
    'UTF8'));

-- A customer's account, and the closed ones of the same address.
create function accounts_of(customer uuid) returns uuid[] language sql stable return array(
  select customer
  union all
  select former.user_id
  from users join former_coupon_users as former on former.address_hash = address_hash(users.email_key)
  where users.id = customer);


-- Orders and invoices ----------------------------------------------------------------------------

comment on column orders.number is
  'the number by which customers and admins call the order; a purchase that is undone leaves a gap';
create unique index orders_by_number on orders (number);

-- in which it was charged, copied from the payment: amounts of two currencies are never added up
alter table orders add column currency text;
update orders set currency = payments.currency from payments where payments.id = payment_id;
alter table orders alter column currency set not null;

-- A start with live keys returns the pieces of test orders. In a shop that takes money already they were
-- counted since, so those of before are not added to the stock.
update orders set stock_returned_at = created_at
  where test and stock_returned_at is null and exists (select from orders where not test);
create index orders_of_tests on orders (payment_id) where test;

-- the metric of orders counts them without reading them
drop index orders_by_status;
create index orders_by_status on orders (status, created_at, id) include (test);

-- Issued invoices, which never change: the seller is copied, the lines are those of the order. Their numbers
-- are given after the purchase, one after the other, and have no gaps. A test order has none.
create table invoices (
  number bigint primary key check (number > 0),
  order_id uuid not null unique references orders,
  issued_at timestamptz not null default clock_timestamp(),
  -- the day of issue in the time zone that the shop had then
  issued_on date not null,
  seller_name text not null,
  seller_address text not null,
  seller_tax_number text not null
);

-- The orders whose invoice is not issued yet. The statement that places an order inserts it here, the one
-- that issues invoices deletes it. Few rows, so it has no index.
create table invoices_due (
  order_id uuid not null
);

-- Invoices were numbered like their orders, and seen with the seller of the moment and days in UTC.
insert into invoices (number, order_id, issued_at, issued_on, seller_name, seller_address, seller_tax_number)
  select orders.number, orders.id, orders.created_at, (orders.created_at at time zone 'UTC')::date,
    coalesce(nullif(seller_name, ''), settings.name, 'Haat'), coalesce(seller_address, ''),
    coalesce(seller_tax_number, '')
  from orders left join settings on true left join tax_settings on true
  where not orders.test;
create trigger append_only before update or delete or truncate on invoices
  for each statement execute function refuse_change();


-- E-mails ----------------------------------------------------------------------------------------

-- new_order: to each admin
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check
  check (kind in ('welcome', 'email_confirmation', 'order_confirmation', 'status_changed', 'refund',
    'password_changed', 'password_reset', 'new_sign_in', 'new_order'));

-- parked: was queued in a backup that was restored, and may have been sent since
alter table emails drop constraint emails_state_check;
alter table emails add constraint emails_state_check
  check (state in ('queued', 'parked', 'sent', 'kept', 'bounced', 'failed'));


-- Audit log --------------------------------------------------------------------------------------

drop trigger audit on payments;
create trigger audit after update of state, refund_minor, refunded_minor, resolution_note on payments
  for each row when (new.surplus_of is null and (
    new.state in ('refund_pending', 'refunded') or old.state = 'refund_pending'
    or old.resolution_note is distinct from new.resolution_note
  ))
  execute function write_audit_log('id', 'user_id', 'quote', 'delivery', 'received_at',
    'confirmed_at', 'network', 'starts', 'refund_attempt', 'refund_refused', 'refunded_at', 'next_attempt_at',
    'attempts', 'last_error');
drop trigger audit_surplus on payments;
create trigger audit_surplus
  after insert or update of state, refunded_minor, resolution_note on payments
  for each row when (new.surplus_of is not null and new.state in ('refund_pending', 'refunded'))
  execute function write_audit_log('surplus_of', 'id', 'user_id', 'provider', 'test', 'created_at',
    'quote', 'delivery', 'network', 'starts', 'reserved_until', 'public_key', 'provider_order_id', 'failure', 'cancelled_at', 'received_at',
    'confirmed_at', 'issue', 'resolved_at', 'refund_reason', 'refund_minor', 'refund_accepted',
    'refund_attempt', 'refund_refused', 'refunded_at', 'disputed_minor', 'next_attempt_at', 'attempts', 'last_error');
create trigger audit after update of resolution_note on unknown_payments
  for each row execute function write_audit_log('id');
