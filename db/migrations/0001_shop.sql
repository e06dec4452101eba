create extension if not exists pg_trgm;

-- a text as it is compared: without case and accents
create function folded(text) returns text language sql immutable
  return lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g'));

-- a text as it is searched: its words, so that PostgreSQL's parser sees no paths, hosts or fractions
create function searched(text) returns text language sql immutable
  return regexp_replace(folded($1), '[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]+', ' ', 'g');

-- the stem of a word, as the search has it; null for a stop word
create function stem(word text) returns text language sql immutable
  return (ts_lexize('english_stem', $1))[1];

create table users (
  id uuid primary key,
  name text not null,
  email text not null,
  -- the e-mail as it is compared: trimmed and in lower case
  email_key text not null unique,
  password_hash text not null,
  answer_hash text not null,
  phone text not null,
  address text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now()
);

create table sessions (
  -- SHA-256 of the token: a stolen database signs nobody in
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table categories (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  -- the name as it is compared: case folded, blanks collapsed
  name_key text not null unique,
  slug text not null unique,
  created_at timestamptz not null default now()
);

-- every address a category ever had, the present one included
create table category_slugs (
  slug text primary key,
  category_id uuid not null references categories on delete cascade
);

create table products (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  slug text not null unique,
  description text not null,
  price_minor integer not null check (price_minor >= 0),
  quantity integer not null check (quantity >= 0),
  category_id uuid not null references categories,
  shipping boolean not null default false,
  photo_version text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  name_folded text not null generated always as (folded(name)) stored,
  -- an index may contain this, but not the quantity: a sale that leaves a piece changes no indexed
  -- value, so it is a heap-only (HOT) update
  in_stock boolean not null generated always as (quantity > 0) stored,
  -- The words of the name, and of name and description: by their stems, and those of the name also
  -- as written, for prefixes and stop words. Two columns, because a GIN index knows no weights.
  -- A sale computes neither, as long as no row trigger runs before an update.
  name_search tsvector not null generated always as (
    to_tsvector('simple', searched(name)) || to_tsvector('english', searched(name))
  ) stored,
  search tsvector not null generated always as (
    to_tsvector('simple', searched(name)) || to_tsvector('english', searched(name))
      || to_tsvector('english', searched(description))
  ) stored
  -- room for the new version of a sold product beside the old one
) with (fillfactor = 90);
-- Each order of a list: newest (ids are UUIDv7, so the primary key has this order) and by price, of
-- the shop and of a category. What else narrows a list is included, so that no row is read to skip it.
create index products_by_price on products (price_minor, id) include (category_id);
create index products_of_category on products (category_id, id) include (price_minor, in_stock);
create index products_of_category_by_price on products (category_id, price_minor, id)
  include (in_stock);
-- without a list of pending entries, which every search would read until a vacuum comes
create index products_by_search on products using gin (name_search, search) with (fastupdate = off);
create index products_by_name on products (name_folded);
create index products_by_name_trigrams on products using gin (name_folded gin_trgm_ops)
  with (fastupdate = off);

-- every address a product ever had, the present one included
create table product_slugs (
  slug text primary key,
  product_id uuid not null references products on delete cascade
);
create index product_slugs_of_product on product_slugs (product_id);

create table product_photos (
  product_id uuid not null references products on delete cascade,
  width smallint not null,
  format text not null check (format in ('avif', 'webp', 'jpeg')),
  bytes bytea not null,
  primary key (product_id, width, format)
);
-- pictures are compressed already
alter table product_photos alter column bytes set storage external;

-- A started payment: one order at the provider, settled once.
create table payments (
  id uuid primary key,
  user_id uuid not null references users,
  provider text not null check (provider in ('razorpay', 'sandbox')),
  -- null until the provider has opened its order: the stock is reserved before
  provider_order_id text unique,
  -- the provider's public key at the start
  public_key text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- whether it was started with a cart; then payment_lines are what is sold
  priced_cart boolean not null,
  -- made in the sandbox or with test keys: no money moves
  test boolean not null default false,
  -- until when its prices are honoured
  prices_until timestamptz not null default now() + interval '75 minutes',
  -- when its buyer cancelled it
  cancelled_at timestamptz,
  -- why the buyer's last attempt failed, in the provider's words
  failure text,
  -- when the provider is polled next; null when polling has ended
  next_poll_at timestamptz,
  poll_attempts integer not null default 0 check (poll_attempts >= 0),
  last_poll_error text,
  created_at timestamptz not null default now(),
  -- when it was decided on: it made the order, or its money goes back
  settled_at timestamptz
);
create index payments_of_user on payments (user_id, id);
create index payments_to_poll on payments (next_poll_at) where next_poll_at is not null;
create index payments_started on payments (created_at)
  where settled_at is null and next_poll_at is not null;

-- Money at the provider, by its payment id. Each row belongs to one order or is refunded.
create table provider_payments (
  id text primary key,
  payment_id uuid not null references payments,
  -- unmatched: nobody has said yet what it is for; captured: it paid an order; refunding: the provider
  -- has accepted the refund; voided: it was authorised and never captured
  state text not null check (
    state in ('unmatched', 'captured', 'refund_pending', 'refunding', 'refunded', 'voided')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- when the provider itself said that it has captured it; a signed proof may be of an authorisation
  confirmed_at timestamptz,
  -- what is wrong with the money of an order
  issue text check (issue in ('capture_pending', 'expired', 'amount_mismatch', 'paid_cancelled')),
  -- when an admin resolved the issue, and their note
  resolved_at timestamptz,
  resolution_note text,
  -- why it bought nothing, as its payer is told
  refusal_code text check (refusal_code in ('out_of_stock', 'price_changed', 'payment_failed')),
  refusal text,
  -- the provider's refund that is in progress, or was the last to fail
  refund_id text,
  -- refunded for good, by the shop or at the provider's dashboard
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  -- when the refund is tried, or its progress is polled
  next_refund_at timestamptz,
  refund_attempts integer not null default 0 check (refund_attempts >= 0),
  last_refund_error text,
  created_at timestamptz not null default now(),
  check ((state in ('unmatched', 'captured')) = (refusal is null)),
  check ((refusal is null) = (refusal_code is null)),
  check ((resolved_at is null) = (resolution_note is null)),
  check (state <> 'refunded' or refunded_minor >= amount_minor),
  check ((state in ('refund_pending', 'refunding')) = (next_refund_at is not null))
);
create unique index one_captured_per_payment on provider_payments (payment_id)
  where state = 'captured';
create index provider_payments_of_payment on provider_payments (payment_id);
create index provider_payments_to_list on provider_payments (state, created_at)
  where state <> 'captured' or issue is not null or refunded_minor > 0;
create index refunds_due on provider_payments (next_refund_at) where next_refund_at is not null;

create table payment_lines (
  payment_id uuid not null references payments on delete cascade,
  position smallint not null,
  -- not a reference: a product may be deleted while its payment is under way
  product_id uuid not null,
  quantity integer not null check (quantity > 0),
  name text not null,
  slug text not null,
  description text not null,
  price_minor integer not null check (price_minor >= 0),
  primary key (payment_id, position)
);

create table orders (
  id uuid primary key,
  payment_id uuid not null unique references payments,
  user_id uuid not null references users,
  buyer_name text not null,
  status text not null default 'Not Process'
    check (status in ('Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel')),
  total_minor bigint not null check (total_minor > 0),
  created_at timestamptz not null default now()
);
create index orders_of_user on orders (user_id, id);

-- what was sold, as it was sold: it outlives later edits of the product
create table order_lines (
  order_id uuid not null references orders on delete cascade,
  position smallint not null,
  product_id uuid not null,
  quantity integer not null check (quantity > 0),
  name text not null,
  slug text not null,
  description text not null,
  price_minor integer not null check (price_minor >= 0),
  primary key (order_id, position)
);

-- what the shop remembers about itself
create table shop_facts (
  key text primary key,
  value text not null
);
