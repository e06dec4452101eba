-- A started payment holds its stock, money is decided on once whoever reports it, and what is not
-- decided yet is asked about.

alter table payments
  -- unknown until the provider has opened its order: the stock is held before it is asked
  alter column provider_order_id drop not null,
  -- the public key that it was started with; of payments before this migration nobody knows it
  add column public_key text,
  -- when the provider is asked what became of it; null when there is nothing to ask any more
  add column next_ask_at timestamptz,
  -- how often it was asked since money last came in or was confirmed
  add column asks integer not null default 0 check (asks >= 0),
  -- why the provider could not tell when it was asked last
  add column ask_error text,
  -- what the provider said of the customer's last try that failed
  add column failure text;
update payments set next_ask_at = now() where created_at > now() - interval '720 hours';
create index payments_to_ask on payments (asks, next_ask_at) where next_ask_at is not null;
-- those never paid are removed some day
create index payments_not_paid on payments (created_at) where settled_at is null;
create index payments_not_settled on payments (asks, next_ask_at)
  where settled_at is null and next_ask_at is not null;
create index payments_started on payments (created_at)
  where settled_at is null and next_ask_at is not null;
create index payments_started_by on payments (user_id, id)
  where settled_at is null and next_ask_at is not null;

-- What a started payment keeps from others: the pieces of its payment_lines are taken out of
-- products.quantity, which is what is free. A user has one cart and so one hold at a time.
create table holds (
  payment_id uuid primary key references payments,
  user_id uuid not null unique references users,
  -- where its buyer is
  network text not null,
  expires_at timestamptz not null
);
create index holds_by_expiry on holds (expires_at);
create index holds_of_network on holds (network);

-- For how long the buyers of a network have kept a product from others without a sale. Only the time
-- counts in which it was held: the beginning moves along with every gap.
create table hold_spells (
  network text not null,
  product_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (network, product_id)
);
create index hold_spells_by_end on hold_spells (ended_at);

alter table provider_payments
  drop constraint provider_payments_state_check,
  -- unclaimed: it came in, but nobody has said yet what it is for; refunding: the provider has taken
  -- its refund on, and has not said yet that it is done; never_came: it was promised, and that was all
  add constraint provider_payments_state_check
    check (state in ('unclaimed', 'kept', 'refund_due', 'refunding', 'refunded', 'never_came')),
  drop constraint provider_payments_check,
  drop constraint provider_payments_check1,
  add check ((state in ('unclaimed', 'kept')) = (refusal is null)),
  add check ((state in ('unclaimed', 'kept')) = (refusal_code is null)),
  -- what came in, which is what goes back
  add column amount_minor bigint check (amount_minor > 0),
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  -- when the provider itself said that it has it; a signed proof may be of a promise only
  add column captured_at timestamptz,
  -- what speaks against it: only promised yet, never to come in, not what was asked for, or come in
  -- when its order was cancelled
  add column doubt text check (doubt in ('uncaptured', 'lapsed', 'other_amount', 'paid_cancelled')),
  add column refund_tries integer not null default 0 check (refund_tries >= 0),
  -- when it is tried to give back, or the provider is asked whether it is done
  add column next_refund_at timestamptz,
  -- how often the provider was asked whether the refund that it took on is done
  add column refund_asks integer not null default 0 check (refund_asks >= 0),
  -- the provider's refund that is under way, or was the last to fail
  add column refund_id text,
  -- what is back for good, whoever gave it back: also a merchant at the provider's dashboard
  add column given_back_minor bigint not null default 0 check (given_back_minor >= 0),
  -- why the last try failed
  add column refund_error text,
  -- when a person has seen to its doubt, and what they say of it
  add column seen_to_at timestamptz,
  add column seen_note text,
  add check ((seen_to_at is null) = (seen_note is null)),
  drop column refund_tried_at;
update provider_payments set
    amount_minor = payments.amount_minor,
    currency = payments.currency,
    -- the sandbox promises nothing that it has not got, and who is asked no more has said it
    captured_at = case
      when provider = 'sandbox' or next_ask_at is null then provider_payments.created_at
    end,
    given_back_minor = case when state = 'refunded' then payments.amount_minor else 0 end,
    next_refund_at = case when state = 'refund_due' then now() end
  from payments where payments.id = payment_id;
alter table provider_payments
  alter column amount_minor set not null,
  alter column currency set not null,
  add check (state <> 'refunded' or given_back_minor >= amount_minor),
  add check ((state in ('refund_due', 'refunding')) = (next_refund_at is not null));

drop index refunds_due;
create index refunds_due on provider_payments (next_refund_at) where next_refund_at is not null;
create index money_not_kept on provider_payments (state, created_at) where state <> 'kept';
-- full: whether a payment may be removed is asked of all its money
create index money_of_payment on provider_payments (payment_id);
create index money_not_captured on provider_payments (payment_id)
  where captured_at is null and state not in ('refunding', 'refunded', 'never_came');
create index money_in_doubt on provider_payments (created_at) where doubt is not null;
create index money_given_back on provider_payments (created_at)
  where state = 'kept' and given_back_minor > 0;

-- Seen to is one doubt: another one is to be seen to again.
create function forget_seen() returns trigger language plpgsql as $$
begin
  new.seen_to_at := null;
  new.seen_note := null;
  return new;
end
$$;
create trigger forget_seen before update of doubt on provider_payments
  for each row when (old.doubt is distinct from new.doubt) execute function forget_seen();

-- Money that the provider has for an order that is not here, as after the restore of an older
-- backup. It is done with when it is in provider_payments, too, or all back, or a person says so.
create table unknown_money (
  id text primary key,
  -- the id of its entries in the audit log
  object_id uuid not null default gen_random_uuid(),
  provider text not null check (provider in ('razorpay', 'sandbox')),
  provider_order_id text not null,
  -- the id that the shop has started the payment with, where the provider tells
  receipt text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  given_back_minor bigint not null default 0 check (given_back_minor >= 0),
  paid_at timestamptz not null,
  seen_to_at timestamptz,
  seen_note text,
  check ((seen_to_at is null) = (seen_note is null))
);
create index unknown_money_of_order on unknown_money (provider_order_id);

-- the provider's reports that were heard, by the provider's ids
create table webhook_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index webhook_events_by_time on webhook_events (received_at);

-- what the sandbox, playing the provider, knows of its payments
create table sandbox_payments (
  id text primary key,
  provider_order_id text not null references payments (provider_order_id),
  created_at timestamptz not null default now(),
  refunded_at timestamptz
);
create index sandbox_payments_of_order on sandbox_payments (provider_order_id);
