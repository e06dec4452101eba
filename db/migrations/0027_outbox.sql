-- What happened in the shop is an event. E-mails are deliveries of events.

-- The shop has to be stopped for it: 0.7.0 writes the facts of an e-mail, which move to its event, with the e-mail.
insert into shop_facts (key, value) values ('oldest_version', '0.8.0')
  on conflict (key) do update set value = excluded.value;


-- Events -----------------------------------------------------------------------------------------

-- A UUIDv7 of this moment, for rows that triggers and statements with many rows insert.
create function uuid_v7() returns uuid language sql volatile
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
    from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;

-- What happened, inserted in the transaction in which it did, and never changed. A reader of events is a trigger on
-- this table, which inserts what it has to deliver: in the same transaction, so that both are there or neither.
create table events (
  id uuid primary key default uuid_v7(),
  kind text not null check (kind in (
    -- of the order with this id
    'order_placed', 'order_paid', 'order_sent', 'order_status_changed', 'payment_overdue',
    -- of the order, or of the payment without one
    'refund_done',
    -- of the variant
    'sold_out', 'back_in_stock',
    -- of the product
    'product_published',
    -- of the account
    'account_created', 'email_confirmation_requested', 'password_changed', 'password_reset_requested',
    'admin_signed_in',
    -- of what decides where money or e-mails go
    'settings_changed')),
  -- the row that it is about; null for settings
  subject_id uuid,
  -- whether the people whom it concerns get an e-mail about it
  notify boolean not null default true,
  -- what was true then and may change: see app/shared/server/outbox/events.ts
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  created_at timestamptz not null default now()
);
create index events_of_subject on events (subject_id);


-- E-mails ----------------------------------------------------------------------------------------

alter table emails
  alter column id set default uuid_v7(),
  -- of which it tells
  add column event_id uuid,
  -- that of the recipient, for the greeting
  add column name text,
  -- when its admin has read the same warning in the back office
  add column read_at timestamptz;

-- Each e-mail gets its event; those about a new order have it together.
update emails set
  event_id = keyed.event_id,
  name = coalesce(facts ->> 'name', ''),
  read_at = case when facts ? 'isRead' then created_at end
from (
  select id, first_value(id) over (
    partition by case when kind in ('order_confirmation', 'new_order') then order_id else id end
    order by id) as event_id
  from emails
) as keyed
where keyed.id = emails.id;
insert into events (id, kind, subject_id, facts, created_at)
  select id,
    case
      when kind in ('order_confirmation', 'new_order') then 'order_placed'
      when kind = 'payment_received' then 'order_paid'
      when kind = 'payment_reminder' then 'payment_overdue'
      when kind = 'status_changed' and facts ->> 'status' = 'Shipped' then 'order_sent'
      when kind = 'status_changed' then 'order_status_changed'
      when kind = 'refund' then 'refund_done'
      when kind = 'welcome' then 'account_created'
      when kind = 'email_confirmation' then 'email_confirmation_requested'
      when kind = 'password_reset' then 'password_reset_requested'
      when kind = 'new_sign_in' then 'admin_signed_in'
      else kind
    end,
    case when kind <> 'settings_changed' then coalesce(order_id, user_id) end,
    facts - 'name' - 'isRead', created_at
  from emails where id = event_id;
alter table emails
  alter column event_id set not null,
  add constraint emails_event foreign key (event_id) references events on delete cascade,
  alter column name set not null,
  -- in the event
  drop column order_id,
  drop column facts;
create index emails_of_event on emails (event_id);

-- The reader of events that tells people by e-mail. Who gets none: a closed account, and one without an address. Waits
-- for an account that is being closed, and locks it, so that no e-mail is left of a closed one.
create function queue_emails() returns trigger language plpgsql as $$
begin
  if new.kind in ('order_placed', 'order_paid', 'order_sent', 'order_status_changed', 'payment_overdue') then
    insert into emails (event_id, user_id, kind, recipient, name, next_attempt_at)
    select new.id, users.id,
      case new.kind
        when 'order_placed' then 'order_confirmation'
        when 'order_paid' then 'payment_received'
        when 'payment_overdue' then 'payment_reminder'
        else 'status_changed' end,
      buyer_email, buyer_name,
      -- the ten seconds in which a status can be taken back, and the way of that request
      case when new.kind in ('order_sent', 'order_status_changed') then now() + interval '12 seconds'
        else now() end
    from orders join users on users.id = orders.user_id
    where orders.id = new.subject_id and closed_at is null and buyer_email ~ '\S'
    for key share of users;
  elsif new.kind = 'refund_done' then
    insert into emails (event_id, user_id, kind, recipient, name)
    select new.id, users.id, 'refund', users.email, users.name
    from refunds
      join captures on captures.id = capture_id
      join payments on payments.id = captures.payment_id
      join users on users.id = payments.user_id
    where refunds.id = (new.facts ->> 'refund_id')::uuid and closed_at is null and users.email ~ '\S'
    for key share of users;
  elsif new.kind <> 'settings_changed' then
    insert into emails (event_id, user_id, kind, recipient, name, expires_at)
    select new.id, users.id,
      case new.kind
        when 'account_created' then 'welcome'
        when 'email_confirmation_requested' then 'email_confirmation'
        when 'password_reset_requested' then 'password_reset'
        when 'admin_signed_in' then 'new_sign_in'
        else new.kind end,
      email, users.name,
      now() + case new.kind when 'password_reset_requested' then interval '1 hour' else interval '72 hours' end
    from users
    where users.id = new.subject_id and closed_at is null and email ~ '\S'
    for key share of users;
  end if;
  if new.kind in ('order_placed', 'settings_changed') then
    insert into emails (event_id, user_id, kind, recipient, name)
    select new.id, users.id,
      case new.kind when 'order_placed' then 'new_order' else new.kind end,
      email, users.name
    from users
    -- the accounts that get the e-mails to the staff, as account-kinds.sql.ts says
    where is_admin and closed_at is null and email ~ '\S' and (new.kind = 'settings_changed'
      or coalesce((select mails_orders from settings where settings.name = 'shop'), true));
  end if;
  return null;
end
$$;
create trigger emails after insert on events
  for each row when (new.notify and new.kind not in ('sold_out', 'back_in_stock', 'product_published'))
  execute function queue_emails();


-- Products ---------------------------------------------------------------------------------------

-- Stock and publication are changed by many statements, so that triggers write these events. A purchase that leaves
-- a piece fires none.

-- The last piece is taken, also by a reservation, or there are pieces again. Its argument is the column of the variant.
create function record_stock_event() returns trigger language plpgsql as $$
begin
  insert into events (kind, subject_id, facts)
  values (case new.quantity when 0 then 'sold_out' else 'back_in_stock' end,
    (to_jsonb(new) ->> tg_argv[0])::uuid, '{}');
  return null;
end
$$;
create trigger stock_event after update of quantity on products
  for each row when ((old.quantity = 0) <> (new.quantity = 0) and old.default_variant_id = new.default_variant_id)
  execute function record_stock_event('default_variant_id');
create trigger stock_event after update of quantity on variants
  for each row when ((old.quantity = 0) <> (new.quantity = 0))
  execute function record_stock_event('id');

-- A product came into the shop.
create function record_published() returns trigger language plpgsql as $$
begin
  insert into events (kind, subject_id, facts) values ('product_published', new.id, '{}');
  return null;
end
$$;
create trigger published_insert after insert on products
  for each row when (new.status = 'published') execute function record_published();
create trigger published_update after update of status on products
  for each row when (new.status = 'published' and old.status <> 'published')
  execute function record_published();
