-- The schema of the shop, domain by domain: text, settings, accounts, taxes, catalogue, photos, search, shipping,
-- payments, coupons, orders, e-mails, audit log, page cache, import, facts, limits. db/schema.ts has the
-- same order.
--
-- Amounts of money are integers in the minor unit of their currency (paise, cents). Ids are UUIDv7,
-- made by the shop, so that the order of ids is the order of creation. A column whose name ends in
-- _key or _folded holds a text in the form in which it is compared.


-- Text -------------------------------------------------------------------------------------------

create extension if not exists pg_trgm;

-- The text without case and accents, for comparisons.
create function folded(text) returns text language sql immutable
  return lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'));

-- The folded words of a text. Punctuation becomes blanks, so that PostgreSQL's text search parser
-- recognises no paths, host names or fractions.
create function searched(text) returns text language sql immutable
  return regexp_replace(folded($1), '[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+', ' ', 'g');

-- The English stem of a word; null for a stop word.
create function stem(word text) returns text language sql immutable
  return (ts_lexize('english_stem', $1))[1];

-- The LIKE pattern of the folded texts that contain a text. Its characters have no special meaning.
create function containing(text) returns text language sql immutable
  return concat('%', regexp_replace(folded($1), '([\\%_])', '\\\1', 'g'), '%');


-- Settings ---------------------------------------------------------------------------------------

-- Uploaded pictures of the settings: the logo, and slides of the carousel.
create table setting_pictures (
  -- a hash of the uploaded file, so that a picture never changes under its id
  id text primary key check (id ~ '^[A-Za-z0-9_-]{12}$'),
  -- of the largest variant, in pixels
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- when it was uploaded, or a save found it in use; one that no setting uses is deleted a day later
  used_at timestamptz not null default now()
);

-- A picture in every width and format, like product_photos.
create table setting_picture_variants (
  picture_id text not null references setting_pictures on delete cascade,
  width smallint not null,
  format text not null check (format in ('avif', 'webp', 'jpeg')),
  bytes bytea not null,
  primary key (picture_id, width, format)
);
alter table setting_picture_variants alter column bytes set storage external;

-- What the merchant changes in the back office. One row, which the first start inserts with the
-- values of the environment; without it, the defaults are in force.
create table settings (
  id uuid primary key default '00000000-0000-0000-0000-000000000000'
    check (id = '00000000-0000-0000-0000-000000000000'),
  -- the number of changes: an editor sends it back, to be refused when somebody else has saved
  -- meanwhile
  revision integer not null default 0,
  name text not null check (name ~ '\S' and char_length(name) <= 100),
  -- after the name in the title of the home page
  tagline text not null check (char_length(tagline) <= 200),
  logo text references setting_pictures,
  email text not null check (email = '' or email ~ '^[^\s@]+@[^\s@]+$'),
  phone text not null,
  toll_free text not null,
  address text not null,
  -- the colours of both themes are derived from it
  accent text not null check (accent ~ '^#[0-9a-f]{6}$'),
  -- the theme that pages have: the one of the visitor's system, always light, or always dark
  scheme text not null check (scheme in ('system', 'light', 'dark')),
  -- of the carousel, in order: [{"picture", "title", "text", "link"}]; a link is empty, a path, or a
  -- URL of http
  slides jsonb not null check (
    jsonb_typeof(slides) = 'array' and jsonb_array_length(slides) <= 10
    and not jsonb_path_exists(slides, '$[*].link ? (!(@ like_regex "^$|^/($|[^/])|^https?://"))')
  ),
  -- Markdown
  about text not null check (char_length(about) <= 50000),
  contact text not null check (char_length(contact) <= 50000),
  policy text not null check (char_length(policy) <= 50000),
  -- of displayed prices, ISO 4217
  currency_display text not null check (currency_display ~ '^[A-Z]{3}$'),
  -- in which prices are formatted, BCP 47
  locale text not null check (locale ~ '^[A-Za-z0-9-]{2,35}$'),
  -- the quantity up to which a product is running low
  low_stock integer not null check (low_stock between 0 and 1000000),
  -- the lowest price of each band of the filter, in major units, ascending
  price_bands integer[] not null check (price_bands[1] = 0 and cardinality(price_bands) between 2 and 10)
);


-- First run --------------------------------------------------------------------------------------

-- Codes that make the first admin, each printed by a start of the shop while it has none. The first
-- admin deletes them.
create table first_run_codes (
  -- SHA-256 of the code: a copy of the database contains no usable code
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now()
);


-- Accounts ---------------------------------------------------------------------------------------

-- Customers and admins.
create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  -- the e-mail trimmed and in lower case; 'closed <id>' once the account is closed
  email_key text not null unique,
  -- Argon2id, like the hash of the answer to the security question
  password_hash text not null,
  answer_hash text not null,
  phone text not null,
  -- free text
  address text not null,
  -- the delivery address in parts, which checkout suggests
  delivery jsonb,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  -- when a link in an e-mail to the address was used first
  email_confirmed_at timestamptz,
  -- when the account was closed; its personal data is erased, and the row stays for its orders
  closed_at timestamptz,
  -- searched by admins with containing()
  search text not null generated always as (folded(name || ' ' || email_key)) stored,
  check (closed_at is null or not is_admin)
);
create index users_by_search on users using gin (search gin_trgm_ops);
create index users_admins on users (id) where is_admin;

-- Signed-in browsers and other clients. Use extends a session.
create table sessions (
  -- SHA-256 of the token: a copy of the database contains no usable token
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- at most thirty days, in hours, because a day is longer or shorter when the clocks change
  constraint sessions_end_at_last check (expires_at <= created_at + interval '720 hours')
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Networks from which an account has signed in. They have their own limit of attempts, so that guesses
-- from other networks do not lock the owner out.
create table known_networks (
  user_id uuid not null references users on delete cascade,
  -- HMAC-SHA-256 of the network: the table contains no IP address
  network bytea not null check (octet_length(network) = 32),
  seen_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_networks_by_time on known_networks (seen_at);

-- Browsers in which an admin has signed in.
create table known_browsers (
  user_id uuid not null references users on delete cascade,
  -- HMAC-SHA-256 of the User-Agent header without its version numbers
  browser bytea not null check (octet_length(browser) = 32),
  seen_at timestamptz not null default now(),
  primary key (user_id, browser)
);

-- The tokens of links in e-mails. Each is used once.
create table account_tokens (
  -- SHA-256 of the token, as in sessions
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm_email', 'reset_password')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_tokens_of_user on account_tokens (user_id);
create index account_tokens_by_expiry on account_tokens (expires_at);

-- Requests for a reset link, until a job looks for the account. A request writes one row, whether or not
-- there is an account, so that its duration does not tell.
create table reset_requests (
  id uuid primary key,
  email_key text not null,
  created_at timestamptz not null default now()
);


-- Taxes ------------------------------------------------------------------------------------------

-- Classes of products with rates of their own. A product or a rate without a class is of the class
-- 'Standard', which has no row.
create table tax_classes (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  -- the name in lower case, with blanks collapsed
  name_key text not null unique check (name_key <> 'standard')
);

create table tax_rates (
  id uuid primary key,
  class_id uuid references tax_classes,
  -- ISO 3166-1
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- a code of ISO 3166-2 or a folded name; null: the whole country, except regions with a rate
  region text check (region <> ''),
  name text not null check (name ~ '\S'),
  -- thousandths of a percent
  rate integer not null check (rate between 0 and 100000),
  -- the first and the last day in UTC; null: without a limit
  valid_from date,
  valid_to date,
  constraint tax_rates_days_in_order check (valid_from <= valid_to),
  -- One rate for a class, a place and a day. The range of a hash stands for class and place, because
  -- GiST compares text only with an extension.
  constraint tax_rates_overlap exclude using gist (
    int8range(
      hashtextextended(coalesce(class_id::text, '') || ' ' || country || ' ' || coalesce(region, ''), 0),
      hashtextextended(coalesce(class_id::text, '') || ' ' || country || ' ' || coalesce(region, ''), 0),
      '[]') with &&,
    daterange(valid_from, valid_to, '[]') with &&
  )
);
create index tax_rates_of_place on tax_rates (country, region);

-- One row, or none before an admin has saved the settings.
create table tax_settings (
  id uuid primary key default '00000000-0000-0000-0000-000000000000'
    check (id = '00000000-0000-0000-0000-000000000000'),
  prices_include_tax boolean not null,
  -- whether shipping is taxed, and with the rates of which class; null: Standard
  taxes_shipping boolean not null,
  shipping_class_id uuid references tax_classes,
  -- the place of buyers who give none; null: they are not taxed
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  default_region text check (default_region <> ''),
  -- printed on invoices; an empty name is the shop's
  seller_name text not null,
  seller_address text not null,
  seller_tax_number text not null
);


-- Catalogue --------------------------------------------------------------------------------------

create table categories (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  -- the name in lower case, with blanks collapsed
  name_key text not null unique,
  slug text not null unique
);

-- Every slug that a category has or had: former slugs redirect, and no other category gets them. A
-- slug is inserted before the row of its category.
create table category_slugs (
  slug text primary key,
  category_id uuid not null references categories on delete cascade deferrable initially deferred
);

create table products (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  slug text not null unique,
  description text not null,
  price_minor integer not null check (price_minor >= 0),
  -- pieces that are free to be sold: reserved ones are subtracted already
  quantity integer not null check (quantity >= 0),
  category_id uuid not null references categories,
  -- whether it has to be shipped
  shipping boolean not null default false,
  -- of one piece; null: unknown, counted as 0 g
  weight_grams integer check (weight_grams >= 0),
  -- null: Standard
  tax_class_id uuid references tax_classes,
  -- changes with the photo; null without one
  photo_version text,
  created_at timestamptz not null default now(),
  -- the last edit; a sale does not change it. In milliseconds, because an editor sends it back as a
  -- JavaScript Date, to be refused when somebody else has edited the product meanwhile
  updated_at timestamptz(3) not null default now(),
  name_folded text not null generated always as (folded(name)) stored,
  -- Indexes contain this instead of the quantity: then a sale that leaves a piece changes no indexed
  -- column, and is a heap-only (HOT) update.
  in_stock boolean not null generated always as (quantity > 0) stored,
  -- The words of the name, and of name and description, as stems. Those of the name also as written,
  -- for prefixes and stop words. Two columns, because a GIN index does not store weights. A sale
  -- computes neither, as long as the table has no BEFORE UPDATE row trigger.
  name_search tsvector not null generated always as (
    to_tsvector('simple', searched(name)) || to_tsvector('english', searched(name))
  ) stored,
  search tsvector not null generated always as (
    to_tsvector('simple', searched(name)) || to_tsvector('english', searched(name))
      || to_tsvector('english', searched(description))
  ) stored
  -- leaves room in each page for the new row version of a HOT update
) with (fillfactor = 90);

-- Lists of the whole shop: newest first is the primary key; filters by price use this index.
create index products_by_price on products (price_minor, id);
-- Lists of a category, newest first and by price. The included columns are those that the lists filter
-- by, so that rows that are skipped or counted are read in the index only.
create index products_of_category on products (category_id, id) include (price_minor, in_stock);
create index products_of_category_by_price on products (category_id, price_minor, id)
  include (in_stock);
-- The last edit of each part of the sitemap, read in the index only. A sale does not change it.
create index products_by_edit on products (id) include (updated_at);

-- Every slug that a product has or had, like category_slugs. Without a product: it was deleted, and its
-- page answers 410, until a new product takes the slug.
create table product_slugs (
  slug text primary key,
  product_id uuid references products on delete set null deferrable initially deferred
);
create index product_slugs_of_product on product_slugs (product_id);


-- Photos -----------------------------------------------------------------------------------------

-- The photo of a product in every width and format.
create table product_photos (
  product_id uuid not null references products on delete cascade,
  -- in pixels
  width smallint not null,
  format text not null check (format in ('avif', 'webp', 'jpeg')),
  bytes bytea not null,
  primary key (product_id, width, format)
);
-- Images are compressed already. PostgreSQL 15 cannot say this in `create table`.
alter table product_photos alter column bytes set storage external;


-- Search -----------------------------------------------------------------------------------------

-- Without fastupdate, whose list of pending entries every search would have to read.
create index products_by_search on products using gin (name_search, search) with (fastupdate = off);
-- exact names
create index products_by_name on products (name_folded);
-- parts of names, and names with typing errors
create index products_by_name_trigrams on products using gin (name_folded gin_trgm_ops)
  with (fastupdate = off);


-- Shipping ---------------------------------------------------------------------------------------

-- A zone has the rates for deliveries to its places. In a shop without zones shipping costs nothing.
create table shipping_zones (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  -- takes every place that no other zone has, and addresses without a country
  is_default boolean not null default false,
  -- the last edit of the zone, its places or its rates, in milliseconds like products.updated_at
  updated_at timestamptz(3) not null default now()
);
create unique index shipping_zones_name on shipping_zones (folded(name));
create unique index shipping_zones_default on shipping_zones (is_default) where is_default;

-- A place belongs to one zone. That of a region is preferred to that of its country.
create table shipping_places (
  zone_id uuid not null references shipping_zones on delete cascade,
  -- ISO 3166-1 alpha-2
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- a code of ISO 3166-2 without the country, or a name in upper case; null for the whole country
  region text check (region ~ '\S'),
  constraint shipping_places_key unique nulls not distinct (country, region)
);
create index shipping_places_of_zone on shipping_places (zone_id);

create table shipping_rates (
  id uuid primary key,
  zone_id uuid not null references shipping_zones on delete cascade,
  -- their order in the zone
  position smallint not null,
  name text not null check (name ~ '\S'),
  -- one price, a price by the weight of the goods or by their amount, or a pick-up by the customer
  kind text not null check (kind in ('flat', 'weight', 'amount', 'pickup')),
  price_minor integer check (price_minor >= 0),
  -- [{up_to, price_minor}], ascending: prices up to a weight in grams or an amount in minor units. Without
  -- an end where up_to is null; above the last one there is no such rate
  tiers jsonb check (jsonb_typeof(tiers) = 'array'),
  -- the amount of goods after discounts from which it is free
  free_from_minor integer check (free_from_minor >= 0),
  constraint shipping_rates_have_prices check (
    (kind in ('weight', 'amount')) = (tiers is not null) and (tiers is null) = (price_minor is not null))
);
create index shipping_rates_of_zone on shipping_rates (zone_id, position);


-- Payments ---------------------------------------------------------------------------------------

-- none: an order that costs nothing is placed without money.
create type payment_provider as enum ('razorpay', 'sandbox', 'none');

-- created: started, with its stock reserved; expired: started, its stock released again; captured: it
-- paid for its order; refund_pending: money is to be refunded; refunded: it was; failed: over without an
-- order, and money that still comes in is refunded.
create type payment_state as enum (
  'created', 'captured', 'refund_pending', 'refunded', 'expired', 'failed');

create function refuse_transition() returns trigger language plpgsql as $$
begin
  raise exception 'A payment that is % cannot become %.', old.state, new.state
    using errcode = 'check_violation';
end
$$;

-- Started payments, each with its order at the provider. Money that came in for one and is not its own,
-- such as a second payment of the same order, has a row too, which is refunded.
create table payments (
  id uuid primary key,
  user_id uuid not null references users,
  -- the payment for which this money came in, without being its own
  surplus_of uuid references payments,
  provider payment_provider not null,
  state payment_state not null default 'created',
  -- in the sandbox or with test keys: no money moves
  test boolean not null default false,
  created_at timestamptz not null default now(),
  -- what its order at the provider asks for
  amount_minor bigint not null,
  currency text not null,
  -- the quote that the buyer saw: its lines and adjustments; null for a payment that was started with an
  -- amount only, until the buyer names the cart
  quote jsonb,
  -- the delivery address in parts, and as text; null when the buyer gave none but that of the profile, and
  -- when the account is closed
  delivery jsonb,
  -- until when the pieces of its quote are subtracted from products.quantity; they are while it is
  -- created. Null without a quote
  reserved_until timestamptz,
  -- the provider's public key when the payment was started
  public_key text,
  -- null until the provider has created its order: the stock is reserved before
  provider_order_id text unique,
  -- why the buyer's last attempt failed, in the provider's words
  failure text,
  -- when the buyer cancelled it
  cancelled_at timestamptz,

  -- Money: null until the shop learns of it
  provider_payment_id text unique,
  received_at timestamptz,
  -- when the provider itself confirmed the capture; a buyer's proof may be of an authorisation only
  confirmed_at timestamptz,
  -- the captured amount, where it is not the one that was asked for
  paid_minor bigint check (paid_minor > 0),
  paid_currency text,
  -- what is wrong with the money of an order, and an admin's note when that is resolved
  issue text check (issue in ('capture_pending', 'expired', 'amount_mismatch', 'paid_cancelled')),
  resolved_at timestamptz,
  resolution_note text,

  -- Refunds: why the money bought nothing, as a code and as a sentence for the buyer
  refusal_code text check (refusal_code in ('out_of_stock', 'price_changed', 'payment_failed')),
  refusal text,
  -- an admin's reason to refund an order, and how much is to be refunded in all; null: everything
  refund_reason text,
  refund_minor bigint check (refund_minor > 0),
  -- what was refunded, by the shop or in the provider's dashboard
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  -- the provider's id of the refund that is in progress, or was the last to fail
  refund_id text,
  -- whether the provider has accepted the refund, which may still fail
  refund_accepted boolean not null default false,

  -- when the provider is polled next, or the refund is tried; null when there is nothing to do
  next_attempt_at timestamptz,
  attempts smallint not null default 0,
  last_error text,

  constraint payments_amount_is_paid
    check (case provider when 'none' then amount_minor = 0 else amount_minor > 0 end),
  constraint payments_money_is_received check ((received_at is null) = (provider_payment_id is null)),
  constraint payments_state_has_money
    check (state in ('created', 'expired', 'failed') or provider_payment_id is not null),
  constraint payments_surplus_is_refunded
    check (surplus_of is null or state in ('refund_pending', 'refunded', 'failed')),
  constraint payments_failed_money_is_refused
    check (state <> 'failed' or provider_payment_id is null or refusal is not null),
  constraint payments_refusal_has_code check ((refusal is null) = (refusal_code is null)),
  constraint payments_resolution_has_note check ((resolved_at is null) = (resolution_note is null)),
  constraint payments_refund_is_attempted
    check (state <> 'refund_pending' or next_attempt_at is not null)
);
create index payments_of_user on payments (user_id, id);
-- a buyer has one reservation at a time
create unique index payments_reserved on payments (user_id)
  where state = 'created' and reserved_until is not null;
create index payments_to_expire on payments (reserved_until) where state = 'created';
create index payments_to_attempt on payments (next_attempt_at) where next_attempt_at is not null;
create index payments_of_surplus on payments (surplus_of) where surplus_of is not null;
-- for payment_overview
create index payments_to_list on payments (created_at)
  where state in ('refund_pending', 'refunded') or issue is not null
    or provider_payment_id is not null and state in ('created', 'expired', 'failed');

-- The transitions of a payment, as in app/payments/server/transitions.ts.
create trigger transition before update of state on payments for each row
  when (old.state <> new.state and (old.state, new.state) not in (
    ('created', 'captured'), ('created', 'refund_pending'), ('created', 'expired'),
    ('created', 'failed'), ('expired', 'captured'), ('expired', 'refund_pending'),
    ('expired', 'failed'), ('failed', 'refund_pending'), ('captured', 'refund_pending'),
    ('captured', 'refunded'), ('refund_pending', 'refunded'), ('refund_pending', 'failed'),
    ('refunded', 'refund_pending')))
  execute function refuse_transition();

-- Processed webhooks, by the provider's event id: a repeated one is ignored. Kept for 30 days.
create table webhook_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index webhook_events_by_time on webhook_events (received_at);

-- What the provider 'sandbox' knows of its payments.
create table sandbox_payments (
  id text primary key,
  provider_order_id text not null references payments (provider_order_id),
  refunded_minor bigint not null default 0
);
create index sandbox_payments_of_order on sandbox_payments (provider_order_id);


-- Coupons ----------------------------------------------------------------------------------------

-- Codes that take a percentage or an amount off the goods for which they hold.
create table coupons (
  id uuid primary key,
  -- as it is shown; it never changes, because payments and orders name it
  code text not null check (code ~ '^[A-Za-z0-9-]{3,40}$'),
  code_key text not null generated always as (upper(code)) stored,
  percent smallint check (percent between 1 and 100),
  amount_minor bigint check (amount_minor > 0),
  -- what the goods have to cost, before discounts
  minimum_minor bigint not null default 0 check (minimum_minor >= 0),
  -- the products and categories for which it holds; every product where both are empty. Not foreign
  -- keys: a coupon for a deleted product holds for none
  product_ids uuid[] not null default '{}',
  category_ids uuid[] not null default '{}',
  starts_at timestamptz,
  -- it does not hold any more at this moment
  ends_at timestamptz,
  max_uses integer check (max_uses > 0),
  max_uses_each integer check (max_uses_each > 0),
  -- whether it may be used together with other coupons that may be, too
  is_combinable boolean not null default false,
  -- the rows of coupon_uses; locked while a use is taken
  uses integer not null default 0,
  created_at timestamptz not null default now(),
  -- a coupon that was used is not deleted, but kept for the history
  deleted_at timestamptz,
  constraint coupons_percent_or_amount check ((percent is null) <> (amount_minor is null)),
  constraint coupons_end_after_start check (ends_at > starts_at),
  constraint coupons_used_within_limit check (uses between 0 and coalesce(max_uses, uses))
);
create unique index coupons_by_code on coupons (code_key) where deleted_at is null;

-- Uses of coupons: of payments that have reserved their stock, and of orders. A payment that expires, is
-- cancelled, replaced or refused returns its uses.
create table coupon_uses (
  coupon_id uuid not null references coupons,
  -- inserted before its payment
  payment_id uuid not null references payments deferrable initially deferred,
  user_id uuid not null references users,
  -- 1 for the customer's first use, and so on: two purchases at the same time cannot both be the last one
  ordinal integer not null check (ordinal > 0),
  primary key (payment_id, coupon_id),
  constraint coupon_uses_once unique (coupon_id, user_id, ordinal)
);


-- Orders -----------------------------------------------------------------------------------------

-- Paid orders, with the buyer's data as it was when the order was paid.
create table orders (
  id uuid primary key,
  -- the number of its invoice; a purchase that is undone leaves a gap
  number bigint not null generated always as identity,
  payment_id uuid not null unique references payments,
  user_id uuid not null references users,
  buyer_name text not null,
  buyer_email text not null,
  buyer_phone text not null,
  -- the free text of the profile, or the text of the delivery address
  buyer_address text not null,
  -- the delivery address in parts, copied from the payment
  delivery jsonb,
  -- the words of the specification
  status text not null default 'Not Process'
    check (status in ('Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel')),
  -- what was paid: the lines and the adjustments
  total_minor bigint not null check (total_minor >= 0),
  -- copied from the payment: a test order is sent like any other, and counts in no figure
  test boolean not null default false,
  created_at timestamptz not null default now(),
  -- when its pieces were returned to the stock, after a refund
  stock_returned_at timestamptz,
  -- the statuses of which the buyer was told by e-mail, each once
  mailed_statuses text[] not null default '{}',
  -- searched by admins with containing()
  search text not null generated always as (folded(buyer_name || ' ' || buyer_email)) stored
);
create index orders_of_user on orders (user_id, id);
create index orders_by_time on orders (created_at, id);
create index orders_by_status on orders (status, created_at, id);
create index orders_by_search on orders using gin (search gin_trgm_ops);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted.', tg_table_name
    using errcode = 'restrict_violation';
end
$$;

-- What an order sold, as it was sold: later edits of the product do not change it. The lines keep
-- their order from being deleted, too.
create table order_lines (
  order_id uuid not null references orders,
  position smallint not null,
  -- not a foreign key: a sold product may be deleted
  product_id uuid not null,
  quantity integer not null check (quantity > 0),
  name text not null,
  slug text not null,
  description text not null,
  price_minor integer not null check (price_minor >= 0),
  -- the share of the line in the order's discounts
  discount_minor bigint not null default 0 check (discount_minor >= 0),
  -- the tax of the line after its discount, contained in the price or added to the total
  tax_minor bigint not null default 0 check (tax_minor >= 0),
  -- its rate in thousandths of a percent; null when no rate applies
  tax_rate integer check (tax_rate >= 0),
  primary key (order_id, position)
);
create trigger append_only before update or delete or truncate on order_lines
  for each statement execute function refuse_change();

-- Discounts, shipping and tax of an order: what its total has beside the lines. Tax has a row for each
-- rate.
create table order_adjustments (
  order_id uuid not null references orders,
  position smallint not null,
  kind text not null check (kind in ('discount', 'shipping', 'tax')),
  label text not null,
  -- what it comes from, such as the code of a coupon
  source text not null,
  -- negative for a discount
  amount_minor bigint not null,
  -- tax that the prices contain already: it is shown, and not added to the total
  is_included boolean not null default false,
  -- the tax of shipping
  tax_minor bigint not null default 0 check (tax_minor >= 0),
  -- the rate of shipping's tax or of a tax row, in thousandths of a percent
  tax_rate integer check (tax_rate >= 0),
  -- of a tax row: the amount without tax on which it is due
  basis_minor bigint,
  primary key (order_id, position)
);
create trigger append_only before update or delete or truncate on order_adjustments
  for each statement execute function refuse_change();

-- The state in which the back office lists a payment; null when it simply paid its order.
create view payment_overview as
  select payments.id, payments.created_at,
    case payments.state
      when 'refund_pending' then case when refund_accepted then 'refunding' else 'refund_pending' end
      when 'failed' then case when refusal is not null then 'voided' end
      when 'created' then case
        when provider_payment_id is not null then 'unmatched'
        when next_attempt_at is not null then 'started'
      end
      when 'expired' then case
        when provider_payment_id is not null then 'unmatched'
        when next_attempt_at is not null then 'started'
      end
      else case
        when orders.id is null then payments.state::text
        when issue is not null and resolved_at is not null then 'resolved'
        -- money for a cancelled order is to be refunded; cancelling an order ends its other issues
        when issue = 'paid_cancelled' and orders.status = 'cancel'
          and refunded_minor < coalesce(paid_minor, amount_minor)
          or issue <> 'paid_cancelled' and orders.status <> 'cancel' then issue
        when refunded_minor > 0 then 'order_refunded'
      end
    end as state
  from payments
    left join orders on orders.payment_id = payments.id
  -- those of the index payments_to_list, and started ones that are polled
  where payments.state in ('refund_pending', 'refunded') or issue is not null
    or provider_payment_id is not null and payments.state in ('created', 'expired', 'failed')
    or next_attempt_at is not null and payments.state in ('created', 'expired');

-- The payments that somebody has to look into: for the list, the dashboard, the metric and its alerts. A
-- refund that the provider has accepted needs nobody.
create view payments_needing_attention as
  select id, state from payment_overview
  where state in ('refund_pending', 'unmatched', 'capture_pending', 'expired', 'amount_mismatch',
    'paid_cancelled');


-- E-mails ----------------------------------------------------------------------------------------

-- The outbox: e-mails, inserted in the transaction of their event and sent by a job. A row has the facts
-- that its template needs, and no secret: the token of a link is made when the e-mail is sent.
create table emails (
  id uuid primary key,
  -- to whose account it belongs, and is deleted with
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('welcome', 'email_confirmation', 'order_confirmation',
    'status_changed', 'refund', 'password_changed', 'password_reset', 'new_sign_in')),
  -- the order that it is about
  order_id uuid references orders,
  recipient text not null check (recipient ~ '\S'),
  facts jsonb not null,
  created_at timestamptz not null default now(),
  -- kept: written to a file, because the shop has no SMTP server. bounced: the server refused the
  -- recipient or the message permanently. failed: not accepted by any server in time
  state text not null default 'queued'
    check (state in ('queued', 'sent', 'kept', 'bounced', 'failed')),
  -- when it is tried next; while a job sends it, the end of the job's lease
  next_attempt_at timestamptz default now(),
  -- when it fails if it is still queued
  expires_at timestamptz not null default now() + interval '72 hours',
  attempts smallint not null default 0,
  last_error text,
  sent_at timestamptz,
  constraint emails_queued_are_attempted check ((state = 'queued') = (next_attempt_at is not null))
);
create index emails_to_send on emails (next_attempt_at) where state = 'queued';
create index emails_of_user on emails (user_id);
-- an order is confirmed once
create unique index emails_of_order on emails (order_id) where kind = 'order_confirmation';


-- Audit log --------------------------------------------------------------------------------------

-- Changes of the catalogue, of accounts' roles and secrets, of orders' status, and of refunds. Orders,
-- payments and reservations are their own history: a purchase writes no entry. Triggers write the
-- entries, in the transaction of the change, so that no code path can forget one.

-- The actor of the transaction, which the shop sets: 'admin <id>', 'user <id>', 'provider' or 'owner'.
-- Without the setting it is the shop itself.
create function actor_kind() returns text language sql stable return
  coalesce(nullif(split_part(current_setting('haat.actor', true), ' ', 1), ''), 'shop');
create function actor_id() returns uuid language sql stable return
  nullif(split_part(current_setting('haat.actor', true), ' ', 2), '')::uuid;

create table audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null default actor_kind()
    check (actor_kind in ('user', 'admin', 'provider', 'shop', 'owner')),
  -- not a foreign key, like row_id: entries outlive rows
  actor_id uuid default actor_id(),
  -- insert, update or delete; of an account also an event that changes no row of users, such as
  -- signed_in
  action text not null,
  table_name text not null,
  row_id uuid not null,
  -- values by column; of an update only the columns that changed
  before jsonb,
  after jsonb,
  check ((actor_kind in ('user', 'admin')) = (actor_id is not null))
);
create index audit_log_of_row on audit_log (row_id, id);
create index audit_log_of_actor on audit_log (actor_id, id) where actor_id is not null;
create index audit_log_by_time on audit_log (at);
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Writes the entry of one changed row. Arguments: the column with the row's id, then the columns that
-- are left out because they are derived, internal or personal. An update of nothing else writes no
-- entry. A secret or an e-mail is not stored: only that it changed, as {"password": "changed"}.
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

-- A sale sets only products.quantity, and fires no trigger. An edit also sets updated_at.
create trigger audit
  after insert or delete or update of
    name, slug, description, price_minor, category_id, shipping, weight_grams, tax_class_id, photo_version,
    updated_at
  on products for each row
  execute function write_audit_log(
    'id', 'created_at', 'updated_at', 'name_folded', 'name_search', 'search', 'in_stock');

create trigger audit after insert or update or delete on categories
  for each row execute function write_audit_log('id', 'name_key');

create trigger audit after insert or update or delete on shipping_zones
  for each row execute function write_audit_log('id', 'updated_at');
-- the entries of a place have the id of its zone
create trigger audit after insert or update or delete on shipping_places
  for each row execute function write_audit_log('zone_id');
create trigger audit after insert or update or delete on shipping_rates
  for each row execute function write_audit_log('id', 'zone_id', 'position');

-- A purchase sets only coupons.uses, and fires no trigger.
create trigger audit
  after insert or delete or update of
    percent, amount_minor, minimum_minor, product_ids, category_ids, starts_at, ends_at, max_uses,
    max_uses_each, is_combinable, deleted_at
  on coupons for each row
  execute function write_audit_log('id', 'code_key', 'uses', 'created_at');
create trigger audit after insert or update or delete on tax_classes
  for each row execute function write_audit_log('id', 'name_key');
create trigger audit after insert or update or delete on tax_rates
  for each row execute function write_audit_log('id');
create trigger audit after insert or update on tax_settings
  for each row execute function write_audit_log('id');

-- The first start inserts the row without an entry.
create trigger audit after update on settings
  for each row execute function write_audit_log('id', 'revision');

create trigger audit after update of status on orders
  for each row execute function write_audit_log(
    'id', 'buyer_name', 'buyer_email', 'buyer_phone', 'buyer_address', 'delivery', 'mailed_statuses',
    'search');

-- Not the registration of a customer, nor changes that users make to their own name, phone or address.
create trigger audit_insert after insert on users
  for each row when (new.is_admin)
  execute function write_audit_log(
    'id', 'created_at', 'email_confirmed_at', 'name', 'email_key', 'phone', 'address', 'delivery',
    'search');
create trigger audit
  after delete or update of is_admin, password_hash, answer_hash, email on users
  for each row
  execute function write_audit_log(
    'id', 'created_at', 'email_confirmed_at', 'name', 'email_key', 'phone', 'address', 'delivery',
    'search');

-- Refunds, and an admin's note about an issue. Entries of surplus have the id of its payment.
create trigger audit after update of state, refund_minor, refunded_minor, resolution_note on payments
  for each row when (new.surplus_of is null and (
    new.state in ('refund_pending', 'refunded') or old.resolution_note is distinct from new.resolution_note
  ))
  execute function write_audit_log('id', 'user_id', 'quote', 'delivery', 'received_at',
    'confirmed_at', 'next_attempt_at', 'attempts', 'last_error');
create trigger audit_surplus after insert or update of state, refunded_minor on payments
  for each row when (new.surplus_of is not null and new.state in ('refund_pending', 'refunded'))
  execute function write_audit_log('surplus_of', 'id', 'user_id', 'provider', 'test', 'created_at',
    'quote', 'delivery', 'reserved_until', 'public_key', 'provider_order_id', 'failure', 'cancelled_at', 'received_at',
    'confirmed_at', 'issue', 'resolved_at', 'resolution_note', 'refund_reason', 'refund_minor',
    'refund_accepted', 'next_attempt_at', 'attempts', 'last_error');


-- Page cache -------------------------------------------------------------------------------------

-- The change feed: the tags of what changed. Every process polls it twice a second, and invalidates
-- its cache entries with these tags. Rows are deleted after two minutes.
create table change_feed (
  -- polls compare snapshots, because transactions do not commit in the order in which they begin
  transaction xid8 not null default pg_current_xact_id(),
  tag text not null,
  -- for how many milliseconds an entry with the tag may still be served while it is made anew
  stale_ms integer not null check (stale_ms >= 0),
  at timestamptz not null default now()
);
create index change_feed_by_transaction on change_feed (transaction);


-- Import -----------------------------------------------------------------------------------------

-- The checked rows of a CSV file while it is imported. They are staged here first, so that products
-- are locked only while they are written. Unlogged: an import that a crash ends is begun again.
create unlogged table import_rows (
  import_id uuid not null,
  line integer not null,
  -- the product of the row: its id; of a new one the slug or, where none is given, the new id
  product text not null,
  -- the id of the product to write; null when there is nothing to write
  id uuid,
  -- of a new product
  slug text,
  -- of a product that changes: its updated_at when the row was checked
  seen_at timestamptz(3),
  -- the values that the row gives
  facts jsonb,
  primary key (import_id, line),
  unique (import_id, product),
  unique (import_id, slug)
);


-- Facts ------------------------------------------------------------------------------------------

-- What the shop has to remember about itself: the key of the hashes in known_networks and known_browsers,
-- and whether the catalogue is the demo's.
create table shop_facts (
  key text primary key,
  value text not null
);


-- Limits -----------------------------------------------------------------------------------------

-- Rate limits that several worker processes share. rate-limiter-flexible defines the columns and
-- deletes expired rows. Unlogged: a crash of the server may empty it.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
