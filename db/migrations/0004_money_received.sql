-- Added to the schema of 0001_shop.sql to 0003_third_edition.sql.

-- The shop has to be stopped for it: 0.3.0 writes a type and a table that are replaced here.
insert into shop_facts (key, value) values ('oldest_version', '0.4.0')
  on conflict (key) do update set value = excluded.value;


-- Payment providers ------------------------------------------------------------------------------

-- Providers are files of app/payments/server/providers/: one more needs no migration.
alter table payments drop constraint payments_amount_is_paid;
alter table payments alter column provider type text;
drop type payment_provider;
-- none: an order that costs nothing is placed without money
alter table payments add constraint payments_amount_is_paid
  check (case provider when 'none' then amount_minor = 0 else amount_minor > 0 end);

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
