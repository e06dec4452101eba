-- Added to the schema of 0001 to 0003. A payment was one row with its money and its refund; each thing has a
-- row of its own now: the payment that was started, the captures that came in for it, and their refunds. What
-- a merchant and a customer see stays the same.

-- The shop has to be stopped for it: 0.3.0 reads and writes the money of a payment in its row.
insert into shop_facts (key, value) values ('oldest_version', '0.4.0')
  on conflict (key) do update set value = excluded.value;

-- made anew below
drop view payments_needing_attention;
drop view payment_exceptions;
drop view unknown_payment_overview;
drop view payment_overview;
drop view yielding_reservations;


-- Captures ---------------------------------------------------------------------------------------

-- Money: a row for each payment id that a provider ever named.
create table captures (
  id uuid primary key,
  -- the payment that it came in for; null where the shop does not have it, as after the restore of an older
  -- backup, or of another shop on the same account: such money is not refunded
  payment_id uuid references payments,
  provider text not null,
  -- the provider's order; null where that of the payment is it
  provider_order_id text,
  provider_payment_id text not null unique,
  -- what was captured; what the payment asks for until the provider confirms it
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  received_at timestamptz not null default now(),
  -- when the provider itself confirmed the capture: a buyer's proof may be of an authorisation only
  confirmed_at timestamptz,
  -- when the provider reported that it was never captured: the bank failed, or the money was released
  voided_at timestamptz,
  -- the admin who has entered money that no provider reports
  received_by uuid references users,
  -- undecided: its cart or its amount is not known yet
  purpose text not null check (purpose in ('undecided', 'order', 'nothing', 'unknown')),
  -- why it pays for nothing, as a code and as a sentence for the buyer
  refusal_code text check (refusal_code in ('out_of_stock', 'price_changed', 'payment_failed')),
  refusal text,
  -- what a lost dispute took back
  disputed_minor bigint not null default 0 check (disputed_minor >= 0),
  -- what a person has to look into; paid_cancelled is stored when that is resolved
  issue text check (issue in ('amount_mismatch', 'paid_cancelled', 'refunded_elsewhere', 'refund_missing',
    'dispute_lost')),
  resolved_at timestamptz,
  resolution_note text,
  constraint captures_of_payment check ((payment_id is null) = (purpose = 'unknown')),
  constraint captures_voided_is_unconfirmed check (voided_at is null or confirmed_at is null),
  constraint captures_refused check ((purpose = 'nothing') = (refusal is not null)),
  constraint captures_refusal_has_code check ((refusal is null) = (refusal_code is null)),
  constraint captures_resolution_has_note check ((resolved_at is null) = (resolution_note is null))
);

-- Ids are kept: the history names captures by them.
insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency, received_at,
    confirmed_at, voided_at, purpose, refusal_code, refusal, disputed_minor, issue, resolved_at,
    resolution_note)
  select id, coalesce(surplus_of, id), provider::text, provider_payment_id,
    coalesce(paid_minor, amount_minor), coalesce(paid_currency, currency), received_at, confirmed_at,
    case when state = 'failed' or issue = 'expired' then coalesce(received_at, created_at) end,
    case when refusal is not null then 'nothing' when state in ('created', 'expired') then 'undecided'
      else 'order' end,
    refusal_code, refusal, disputed_minor,
    case when issue not in ('capture_pending', 'expired') then issue end, resolved_at, resolution_note
  from payments where provider_payment_id is not null;
insert into captures (id, provider, provider_order_id, provider_payment_id, amount_minor, currency,
    received_at, confirmed_at, purpose, resolved_at, resolution_note)
  select id, 'razorpay', provider_order_id, provider_payment_id, amount_minor, currency, received_at,
    received_at, 'unknown', resolved_at, resolution_note
  from unknown_payments;

-- before a payment is deleted, which captures refer to
create index captures_of_payment on captures (payment_id);


-- Refunds ----------------------------------------------------------------------------------------

-- pending: to be requested; accepted: by the provider, where it may still fail; failed: refused by the
-- provider, tried again until an admin gives it up; done and given_up are final.
create table refunds (
  id uuid primary key,
  capture_id uuid not null references captures,
  amount_minor bigint not null check (amount_minor >= 0),
  -- null for one that was made at the provider, and not by the shop
  reason text,
  -- the admin who asked for it; null for the shop and the provider
  requested_by uuid references users,
  created_at timestamptz not null default now(),
  state text not null check (state in ('pending', 'accepted', 'done', 'failed', 'given_up')),
  done_at timestamptz,
  -- the provider's id
  provider_refund_id text,
  -- the number of the request, which its idempotency key has: a refusal raises it, because the next request
  -- is another refund. A request without an answer keeps it.
  attempt integer not null default 1,
  -- when it is requested or polled next
  next_attempt_at timestamptz,
  attempts smallint not null default 0,
  last_error text,
  constraint refunds_are_attempted
    check ((state in ('pending', 'accepted', 'failed')) = (next_attempt_at is not null)),
  constraint refunds_have_an_end check ((state = 'done') = (done_at is not null))
);

insert into refunds (id, capture_id, amount_minor, reason, created_at, state, done_at, provider_refund_id,
    attempt)
  select gen_random_uuid(), id, refunded_minor, coalesce(refusal, refund_reason),
    coalesce(refunded_at, received_at), 'done', coalesce(refunded_at, received_at),
    case when state = 'refunded' then refund_id end, refund_attempt
  from payments
  where refunded_minor > 0 or provider::text = 'none' and state = 'refunded';
-- the idempotency key has the id
insert into refunds (id, capture_id, amount_minor, reason, created_at, state, provider_refund_id, attempt,
    next_attempt_at, attempts, last_error)
  select id, id,
    greatest(coalesce(refund_minor, coalesce(paid_minor, amount_minor) - disputed_minor) - refunded_minor, 0),
    coalesce(refusal, refund_reason), coalesce(refunded_at, received_at),
    case when refund_accepted then 'accepted' when refund_refused then 'failed' else 'pending' end,
    refund_id, refund_attempt, next_attempt_at, attempts, last_error
  from payments where state = 'refund_pending';

alter table disputes add column capture_id uuid references captures;
update disputes set capture_id = payment_id;
alter table disputes alter column capture_id set not null, drop column payment_id;
create index disputes_of_capture on disputes (capture_id);
create index disputes_open on disputes (capture_id) where state = 'open';


-- Payments ---------------------------------------------------------------------------------------

drop table unknown_payments;
drop trigger audit on payments;
drop trigger audit_surplus on payments;
drop trigger transition on payments;
drop function refuse_transition();
drop index payments_reserved;
drop index payments_to_expire;
drop index payments_to_list;
drop index payments_to_review;
drop index payments_expired;
drop index payments_never_paid;

alter table payments
  drop constraint payments_amount_is_paid,
  drop constraint payments_state_has_money,
  drop constraint payments_surplus_is_refunded,
  drop constraint payments_failed_money_is_refused,
  drop constraint payments_refund_is_attempted,
  alter column state drop default,
  -- captured stays for a moment where its capture is pending
  alter column state type text using case
    when state = 'created' then 'open'
    when state = 'failed' then 'cancelled'
    when state = 'captured' and issue is distinct from 'capture_pending' then 'paid'
    else state::text
  end,
  -- a provider is a file of app/payments/server/providers/: one more needs no migration
  alter column provider type text;
drop type payment_state;
drop type payment_provider;
-- a table with deferred checks is not altered
set constraints all immediate;
delete from payments where surplus_of is not null;
-- the others have their state by the rewrite of the column
update payments set
  state = case
    when state = 'captured' or exists (select from orders where payment_id = payments.id) then 'paid'
    else 'cancelled'
  end,
  -- the provider was asked for money whose capture is pending
  attempts = case state when 'captured' then greatest(attempts, 1) when 'refund_pending' then 0
    else attempts end,
  last_error = case state when 'refund_pending' then null else last_error end,
  next_attempt_at = case state when 'refund_pending' then now() else next_attempt_at end
  where state in ('refunded', 'refund_pending', 'captured');
-- of a second payment, which its first is polled for
update payments set next_attempt_at = now()
  where id in (select payment_id from captures
    where purpose = 'nothing' and confirmed_at is null and voided_at is null);

alter table payments
  drop column surplus_of, drop column provider_payment_id, drop column received_at,
  drop column confirmed_at, drop column paid_minor, drop column paid_currency, drop column issue,
  drop column resolved_at, drop column resolution_note, drop column refusal_code, drop column refusal,
  drop column refund_reason, drop column refund_minor, drop column refunded_minor, drop column refund_id,
  drop column refund_accepted, drop column refund_refused, drop column refund_attempt,
  drop column refunded_at, drop column disputed_minor,
  alter column state set default 'open',
  -- until when an order that was placed unpaid is to be paid, and when its buyer was reminded
  add column due_at timestamptz,
  add column reminded_at timestamptz,
  -- open: started, with the stock of its quote reserved; expired: its stock is released, and it may still be
  -- paid; owed: it has its order, and no provider: an admin enters the money; paid: it has its order;
  -- cancelled: over without an order, or with an unpaid one, and money that still comes in goes back
  add constraint payments_state_check check (state in ('open', 'expired', 'owed', 'paid', 'cancelled')),
  add constraint payments_owed_is_due check (state <> 'owed' or due_at is not null),
  -- none: an order that costs nothing is placed without money
  add constraint payments_amount_is_paid
    check (case provider when 'none' then amount_minor = 0 else amount_minor > 0 end);

-- a buyer has one reservation at a time
create unique index payments_reserved on payments (user_id)
  where state = 'open' and reserved_until is not null;
create index payments_to_expire on payments (reserved_until) where state = 'open';
-- for the start of the same cart; a purchase without a break has no row in it
create index payments_expired on payments (user_id) where state = 'expired';
-- started and not paid, and polled: for the list
create index payments_started on payments (id)
  where state in ('open', 'expired') and next_attempt_at is not null;
-- orders that are not paid yet, by the day until which they are to be
create index payments_owed on payments (due_at) where state = 'owed';
create index payments_late on payments (due_at) where state = 'owed' and reminded_at is null;
-- for the deletion of payments that nobody paid; a paid one has no row in it
create index payments_never_paid on payments (coalesce(reserved_until, created_at))
  where due_at is null
    and (state in ('expired', 'cancelled') or state = 'open' and reserved_until is null);

-- those that did not simply pay for their order, and those that need a person
create index captures_to_list on captures (id)
  where purpose <> 'order' or issue is not null or voided_at is not null or confirmed_at is null;
create index captures_to_review on captures (id)
  where resolved_at is null and (purpose in ('undecided', 'unknown') or issue is not null
    or confirmed_at is null and voided_at is null or purpose = 'order' and voided_at is not null);
create index refunds_of_capture on refunds (capture_id);
-- a capture has one refund in progress at a time
create unique index refunds_open on refunds (capture_id) where state in ('pending', 'accepted', 'failed');
create index refunds_to_attempt on refunds (next_attempt_at) where next_attempt_at is not null;

-- The transitions, as in app/payments/server/transitions.ts.
create function refuse_transition() returns trigger language plpgsql as $$
begin
  raise exception 'A % that is % cannot become %.', rtrim(tg_table_name, 's'),
    to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0] using errcode = 'check_violation';
end
$$;
create trigger transition before update of state on payments for each row
  when (old.state <> new.state and (old.state, new.state) not in (
    ('open', 'paid'), ('open', 'expired'), ('open', 'cancelled'), ('open', 'owed'),
    ('expired', 'open'), ('expired', 'paid'), ('expired', 'cancelled'),
    ('owed', 'paid'), ('owed', 'cancelled')))
  execute function refuse_transition('state');
create trigger transition before update of purpose on captures for each row
  when (old.purpose <> new.purpose and (old.purpose, new.purpose) not in (
    ('undecided', 'order'), ('undecided', 'nothing')))
  execute function refuse_transition('purpose');
create trigger transition before update of state on refunds for each row
  when (old.state <> new.state and (old.state, new.state) not in (
    ('pending', 'accepted'), ('pending', 'done'), ('pending', 'failed'), ('pending', 'given_up'),
    ('accepted', 'done'), ('accepted', 'failed'),
    ('failed', 'pending'), ('failed', 'done'), ('failed', 'given_up')))
  execute function refuse_transition('state');

-- Reservations of networks that start payments and do not pay: more than four starts in a day, beyond one for
-- each payment that was paid. They yield to any other buyer who finds too little.
create view yielding_reservations as
  select id, user_id, quote, reserved_until from payments as held
  where state = 'open' and reserved_until is not null and network is not null
    and (select sum(case state when 'paid' then -1 else case when due_at is null then starts else 0 end end)
      from payments as started
      where started.network = held.network and reserved_until > now() - interval '24 hours') > 4;

-- The refunds of a capture: what was refunded, and the state of the one in progress.
create function refunds_of(capture uuid)
returns table (refunded_minor bigint, refunds bigint, open_refund text, last_reason text)
language sql stable as $$
  select coalesce(sum(amount_minor) filter (where state = 'done'), 0)::bigint,
    count(*) filter (where state = 'done'),
    min(state) filter (where state in ('pending', 'accepted', 'failed')),
    (array_agg(reason order by created_at desc) filter (where state <> 'given_up' and reason is not null))[1]
  from refunds where capture_id = capture
$$;

-- The money that paid for the order of a payment, and what of it went back.
create function money_of(payment uuid)
returns table (provider_payment_id text, paid_minor bigint, refunded_minor bigint, disputed_minor bigint,
  refunds bigint, open_refund text, refund_reason text, is_voided boolean, is_unconfirmed boolean)
language sql stable as $$
  select min(provider_payment_id), coalesce(sum(amount_minor), 0)::bigint,
    coalesce(sum(refunded.refunded_minor), 0)::bigint, coalesce(sum(captures.disputed_minor), 0)::bigint,
    coalesce(sum(refunded.refunds), 0)::bigint, min(open_refund), min(last_reason),
    coalesce(bool_or(voided_at is not null), false), coalesce(bool_or(confirmed_at is null), false)
  from captures cross join lateral refunds_of(captures.id) as refunded
  where payment_id = payment and purpose = 'order'
$$;

-- The state in which the back office lists a capture. Without the state, orders and refunds are not read.
create view capture_overview as
  select captures.id, received_at as listed_at, case
    when purpose = 'unknown' then case when resolved_at is null then 'unknown' else 'resolved' end
    when exists (select from disputes where capture_id = captures.id and disputes.state = 'open')
      then 'disputed'
    when open_refund = 'accepted' then 'refunding'
    when open_refund = 'pending' then 'refund_pending'
    when open_refund = 'failed'
      then case when refusal is not null and resolved_at is not null then 'resolved' else 'refund_refused' end
    when purpose = 'undecided' then 'unmatched'
    when purpose = 'nothing' and issue is null then case
      when voided_at is not null then 'voided'
      -- the provider releases what nobody captures; it is asked until then
      when confirmed_at is null and refunds = 0 then case
        when payments.next_attempt_at is not null then 'refunding'
        when resolved_at is not null then 'resolved'
        else 'refund_refused'
      end
      else 'refunded'
    end
    -- whatever was resolved before: the rest of its money is to be refunded
    when orders.status = 'cancel' and confirmed_at is not null and voided_at is null
      and refunded_minor + disputed_minor < captures.amount_minor
      and (issue is distinct from 'paid_cancelled' or resolved_at is null) then 'paid_cancelled'
    when concern is not null and resolved_at is not null then 'resolved'
    -- cancelling an order ends its other issues
    when concern <> 'paid_cancelled' and orders.status is distinct from 'cancel' then concern
    -- the money of a cancelled order is not captured any more
    when concern in ('capture_pending', 'expired') then 'voided'
    when refunds > 0 then 'order_refunded'
    else 'paid'
  end as state
  from captures
    left join payments on payments.id = captures.payment_id
    left join orders on orders.payment_id = captures.payment_id and purpose = 'order'
    cross join lateral refunds_of(captures.id) as refunded
    cross join lateral (select coalesce(issue, case
      when purpose <> 'order' or refunds > 0 then null
      when voided_at is not null then 'expired'
      when confirmed_at is null and payments.attempts > 0 then 'capture_pending'
    end) as concern) as concerned;

-- Payments that were started, and are polled until they are paid or over.
create view started_overview as
  select id, created_at as listed_at, 'started' as state from payments
  where state in ('open', 'expired') and next_attempt_at is not null
    and not exists (select from captures where payment_id = payments.id);

-- Orders that were placed unpaid, by their payments.
create view owed_overview as
  select id, created_at as listed_at, case when due_at <= now() then 'overdue' else 'owed' end as state
  from payments where state = 'owed';

-- Those that did not simply pay for an order, by the indexes of these.
create view payment_exceptions as
  select id, listed_at, state from capture_overview
  where state <> 'paid' and id in (
    select id from captures
    where purpose <> 'order' or issue is not null or voided_at is not null or confirmed_at is null
    union select capture_id from refunds
    union select paid.id from orders
      cross join lateral (select id from captures where payment_id = orders.payment_id offset 0) as paid
      where status = 'cancel'
    union select capture_id from disputes where state = 'open')
  union all
  select id, listed_at, state from started_overview
  union all
  select id, listed_at, state from owed_overview;

-- The payments that somebody has to look into: for the list, the dashboard, the metric and its alerts. A
-- refund that the provider has accepted needs nobody. The offsets have each candidate read by its id: the
-- planner would read all captures.
create view payments_needing_attention as
  select overview.* from (
    select id from captures
    where resolved_at is null and (purpose in ('undecided', 'unknown') or issue is not null
      or confirmed_at is null and voided_at is null or purpose = 'order' and voided_at is not null)
    union select capture_id from refunds where state in ('pending', 'failed')
    union select paid.id from orders
      cross join lateral (select id from captures where payment_id = orders.payment_id offset 0) as paid
      where status = 'cancel'
    union select capture_id from disputes where state = 'open'
  ) as candidates
  cross join lateral (
    select id, listed_at, state from capture_overview where capture_overview.id = candidates.id offset 0
  ) as overview
  where overview.state in ('refund_pending', 'refund_refused', 'disputed', 'dispute_lost', 'unmatched',
    'unknown', 'capture_pending', 'expired', 'amount_mismatch', 'paid_cancelled', 'refunded_elsewhere',
    'refund_missing')
  union all
  select id, listed_at, state from owed_overview where state = 'overdue';


-- Payment methods --------------------------------------------------------------------------------

-- of the settings, which purchases read: the ways to pay without a provider
alter table settings
  add column payment_methods jsonb generated always as (value -> 'paymentMethods') stored;

-- the fee of a payment method
alter table order_adjustments
  drop constraint order_adjustments_kind_check,
  add constraint order_adjustments_kind_check check (kind in ('discount', 'shipping', 'fee', 'tax'));
alter table emails
  drop constraint emails_kind_check,
  add constraint emails_kind_check check (kind in ('welcome', 'email_confirmation', 'order_confirmation',
    'status_changed', 'refund', 'password_changed', 'password_reset', 'new_sign_in', 'new_order',
    'payment_reminder', 'payment_received'));


-- Payment providers ------------------------------------------------------------------------------

-- What a provider remembers, by keys of its own.
create table provider_records (
  provider text not null,
  key text not null,
  value jsonb not null,
  primary key (provider, key)
);
insert into provider_records (provider, key, value)
  select 'sandbox', provider_order_id, jsonb_build_object('payments', jsonb_agg(id order by id))
  from sandbox_payments group by provider_order_id
  union all
  select 'sandbox', id, jsonb_build_object('refundedMinor', refunded_minor)
  from sandbox_payments where refunded_minor > 0;
drop table sandbox_payments;


-- Audit log --------------------------------------------------------------------------------------

-- An admin's note, money that an admin has entered, and refunds. Entries of before 0.4.0 are of the payment, whose capture has its id, and
-- of unknown_payments.
create trigger audit after update of resolution_note on captures
  for each row execute function write_audit_log('id', 'payment_id', 'provider', 'provider_order_id',
    'provider_payment_id', 'currency', 'confirmed_at', 'voided_at', 'received_by', 'purpose',
    'refusal_code', 'refusal', 'disputed_minor', 'issue', 'resolved_at');
create trigger audit_received after insert on captures
  for each row when (new.received_by is not null)
  execute function write_audit_log('id', 'payment_id', 'provider', 'provider_order_id',
    'provider_payment_id', 'currency', 'confirmed_at', 'voided_at', 'received_by', 'purpose',
    'refusal_code', 'refusal', 'disputed_minor', 'issue', 'resolved_at');
create trigger audit after insert on refunds
  for each row execute function write_audit_log('id', 'capture_id', 'requested_by', 'done_at',
    'provider_refund_id', 'attempt', 'next_attempt_at', 'attempts', 'last_error');
-- but for the attempts of a refund that the provider refuses
create trigger audit_update after update of state on refunds
  for each row when ((old.state, new.state) not in (('failed', 'pending'), ('pending', 'failed')))
  execute function write_audit_log('id', 'capture_id', 'requested_by', 'done_at',
    'provider_refund_id', 'attempt', 'next_attempt_at', 'attempts', 'last_error');


-- Credit notes -----------------------------------------------------------------------------------

-- Issued credit notes, which never change: one for each refund of an order with an invoice, in a series of
-- their own without gaps. The seller is copied, lines and tax are derived from the order and the amounts of
-- its credit notes. Refunds of before this version have none.
create table credit_notes (
  number bigint primary key check (number > 0),
  refund_id uuid not null unique references refunds,
  invoice_number bigint not null references invoices,
  -- at most what the earlier ones have left of the order: what was paid beyond its total needs none
  amount_minor bigint not null check (amount_minor > 0),
  issued_at timestamptz not null default clock_timestamp(),
  -- the day of issue in the time zone that the shop had then
  issued_on date not null,
  seller_name text not null,
  seller_address text not null,
  seller_tax_number text not null
);
create index credit_notes_of_invoice on credit_notes (invoice_number);
create trigger append_only before update or delete or truncate on credit_notes
  for each statement execute function refuse_change();

-- The refunds whose credit note is not issued yet, as invoices_due.
create table credit_notes_due (
  refund_id uuid not null
);
