-- Stock reserved by a started payment: the pieces of its payment_lines are taken out of
-- products.quantity, which is what is free. A user has one cart and so one reservation at a time.
create table reservations (
  payment_id uuid primary key references payments,
  user_id uuid not null unique references users,
  expires_at timestamptz not null
);
create index reservations_by_expiry on reservations (expires_at);

-- Webhook deliveries that were processed, by the provider's event id.
create table webhook_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index webhook_events_by_time on webhook_events (received_at);

-- What the sandbox, as a provider, knows of its payments.
create table sandbox_payments (
  id text primary key,
  provider_order_id text not null references payments (provider_order_id),
  created_at timestamptz not null default now(),
  refunded_at timestamptz
);
create index sandbox_payments_of_order on sandbox_payments (provider_order_id);
