-- Added to the schema of 0001_shop.sql and 0002_nothing_owed.sql, domain by domain, in the same order. Each
-- change carries the rows of a running shop over; nothing that a merchant or a customer sees changes by it.

-- The shop has to be stopped for it: 0.2.0 reads and writes tables that are merged here.
insert into shop_facts (key, value) values ('oldest_version', '0.3.0')
  on conflict (key) do update set value = excluded.value;


-- Settings and pictures --------------------------------------------------------------------------

-- Pictures in every width and format. The rows of photos stay where they are: their bytes are not copied.
alter table product_photos rename to pictures;
alter table pictures drop constraint product_photos_pkey;
alter table pictures
  -- the product whose photo it is
  alter column product_id drop not null,
  -- of a picture of the settings (the logo, a slide): a hash of the uploaded file, so that a picture never
  -- changes under its id
  add column id text check (id ~ '^[A-Za-z0-9_-]{12}$'),
  -- the size in pixels of the picture with this id
  add column full_width integer check (full_width > 0),
  add column full_height integer check (full_height > 0),
  -- when it was uploaded, or a save found it in use; one that no setting uses is deleted a day later
  add column used_at timestamptz,
  add constraint pictures_owner check (case when product_id is null
    then num_nonnulls(id, full_width, full_height, used_at) = 4
    else num_nonnulls(id, full_width, full_height, used_at) = 0 end),
  add constraint pictures_of_product unique (product_id, width, format),
  add constraint pictures_by_id unique (id, width, format);
insert into pictures (id, full_width, full_height, used_at, width, format, bytes)
  select id, original.width, original.height, used_at, variant.width, format, bytes
  from setting_pictures as original join setting_picture_variants as variant on picture_id = id;

create temporary table documents as
  select 'shop' as name, revision as version, jsonb_build_object(
    'name', name, 'tagline', tagline, 'logo', logo, 'email', email, 'phone', phone,
    'tollFree', toll_free, 'address', address, 'accent', accent, 'scheme', scheme, 'slides', slides,
    'about', about, 'contact', contact, 'policy', policy, 'currencyDisplay', currency_display,
    'locale', locale, 'timeZone', time_zone, 'mailsOrders', mails_orders, 'lowStock', low_stock,
    'priceBands', price_bands) as value
  from settings
  union all
  select 'taxes', 0, jsonb_build_object(
    'pricesIncludeTax', prices_include_tax, 'taxesShipping', taxes_shipping,
    'shippingClass', shipping_class_id, 'country', default_country, 'region', default_region,
    'sellerName', seller_name, 'sellerAddress', seller_address, 'sellerTaxNumber', seller_tax_number)
  from tax_settings;
drop table settings;
drop table tax_settings;
drop table setting_picture_variants;
drop table setting_pictures;

-- What the merchant changes in the back office: documents, which the shop checks by their schemas. Without a
-- document, its defaults are in force; the first start inserts that of the shop with the values of the
-- environment.
create table settings (
  name text primary key check (name in ('shop', 'taxes')),
  -- the number of changes: an editor sends it back, to be refused when somebody else has saved meanwhile
  version integer not null default 0,
  value jsonb not null check (jsonb_typeof(value) = 'object'),
  -- What purchases read, so that they do not read the texts of a whole document. In the time zone begin the
  -- shop's days: of invoices, figures, coupons and tax rates.
  time_zone text generated always as (value ->> 'timeZone') stored
    check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$'),
  mails_orders boolean generated always as ((value ->> 'mailsOrders')::boolean) stored,
  -- a tax class that shipping has cannot be deleted; null: Standard
  shipping_class_id uuid generated always as ((value ->> 'shippingClass')::uuid) stored
    references tax_classes,
  -- both are written into pages
  constraint settings_accent check (value ->> 'accent' ~ '^#[0-9a-f]{6}$'),
  constraint settings_links check (
    not jsonb_path_exists(value, '$.slides[*].link ? (!(@ like_regex "^$|^/($|[^/])|^https?://"))'))
);
insert into settings (name, version, value) select name, version, value from documents;
drop table documents;

-- the function is that of 0002
create trigger move_coupon_days after update on settings for each row
  when (old.time_zone <> new.time_zone) execute function move_coupon_days();

-- Logs each changed setting under the name that its column had: tollFree as toll_free. The first start
-- inserts the shop's document without an entry.
create function write_settings_log() returns trigger language plpgsql as $$
declare
  former jsonb := case when tg_op = 'UPDATE' then old.value end;
begin
  if tg_op = 'INSERT' and new.name = 'shop' then return null; end if;
  insert into audit_log (action, table_name, row_id, before, after)
  select lower(tg_op), case new.name when 'shop' then 'settings' else 'tax_settings' end,
    '00000000-0000-0000-0000-000000000000',
    case when tg_op = 'UPDATE' then jsonb_object_agg(label, former -> key) end,
    jsonb_object_agg(label, new.value -> key)
  from jsonb_object_keys(new.value) as key
  cross join lateral (
    select coalesce(
      '{"shippingClass": "shipping_class_id", "country": "default_country", "region": "default_region"}'::jsonb
        ->> key,
      lower(regexp_replace(key, '([A-Z])', '_\1', 'g'))) as label
  ) as labelled
  where former -> key is distinct from new.value -> key
  having count(*) > 0;
  return null;
end
$$;
create trigger audit after insert or update on settings
  for each row execute function write_settings_log();


-- Accounts ---------------------------------------------------------------------------------------

-- Networks from which an account has signed in, and browsers in which an admin has. Networks have their own
-- limit of attempts, so that guesses from other networks do not lock the owner out.
create table known_places (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('network', 'browser')),
  -- HMAC-SHA-256 of the network, or of the User-Agent header without its version numbers: the table contains
  -- no IP address
  place bytea not null check (octet_length(place) = 32),
  seen_at timestamptz not null default now(),
  primary key (user_id, kind, place)
);
insert into known_places select user_id, 'network', network, seen_at from known_networks;
insert into known_places select user_id, 'browser', browser, seen_at from known_browsers;
drop table known_networks;
drop table known_browsers;
create index known_places_by_time on known_places (seen_at);


-- Taxes ------------------------------------------------------------------------------------------


-- Categories and products ------------------------------------------------------------------------

-- An import reads its file twice instead.
drop table import_rows;

-- Few products are sold out: they are counted for each list in stock, and subtracted from its kept total.
create index products_sold_out on products (category_id, price_minor) where not in_stock;


-- Shipping ---------------------------------------------------------------------------------------


-- Payments ---------------------------------------------------------------------------------------


-- Coupons ----------------------------------------------------------------------------------------


-- Orders and invoices ----------------------------------------------------------------------------

alter table orders add constraint orders_mailed_statuses_check
  check (mailed_statuses <@ array['Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel']);


-- E-mails ----------------------------------------------------------------------------------------


-- Audit log --------------------------------------------------------------------------------------

-- Writes the entry of one changed row: each column by itself, but the row's id, computed columns, keys for
-- comparison, and the times of creation and of the last edit. Arguments: the column with the row's id, then
-- the columns that are personal, secret, or of no interest to the owner. An update of nothing else writes no
-- entry. A password, an answer or an e-mail is not stored: only that it changed, as {"password": "changed"}.
create or replace function write_audit_log() returns trigger language plpgsql as $$
declare
  secret constant text[] := '{password_hash,answer_hash,token_hash,email}';
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

-- A sale changes only the quantity, and not the time of the last edit.
drop trigger audit on products;
create trigger audit after insert or delete on products
  for each row execute function write_audit_log('id');
create trigger audit_update after update on products
  for each row when (old.quantity = new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id');

drop trigger audit on categories;
create trigger audit after insert or update or delete on categories
  for each row execute function write_audit_log('id');
drop trigger audit on shipping_zones;
create trigger audit after insert or update or delete on shipping_zones
  for each row execute function write_audit_log('id');
drop trigger audit on tax_classes;
create trigger audit after insert or update or delete on tax_classes
  for each row execute function write_audit_log('id');

-- A purchase changes the number of uses, and an edit does not.
drop trigger audit on coupons;
create trigger audit after insert or delete on coupons
  for each row execute function write_audit_log('id', 'uses');
create trigger audit_update after update on coupons
  for each row when (old.uses = new.uses) execute function write_audit_log('id', 'uses');

drop trigger audit on orders;
create trigger audit after update of status on orders
  for each row execute function write_audit_log(
    'id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery', 'mailed_statuses');

drop trigger audit_insert on users;
create trigger audit_insert after insert on users
  for each row when (new.is_admin)
  execute function write_audit_log('id', 'name', 'phone', 'address', 'delivery', 'email_confirmed_at');
drop trigger audit on users;
create trigger audit
  after delete or update of is_admin, password_hash, answer_hash, email on users
  for each row
  execute function write_audit_log('id', 'name', 'phone', 'address', 'delivery', 'email_confirmed_at');

alter table audit_log add constraint audit_log_action_check
  check (action in ('insert', 'update', 'delete', 'signed_in', 'password_reset_by_answer',
    'password_reset_by_link', 'sessions_ended'));
