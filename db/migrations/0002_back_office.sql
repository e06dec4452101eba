-- The admin's lists: searched by a part of a text, in any case and with or without accents.

-- the pattern of a text's part, in which every character stands for itself
create function containing(text) returns text language sql immutable
  return concat('%', regexp_replace(folded($1), '([\\%_])', '\\\1', 'g'), '%');

alter table users add column search text not null
  generated always as (folded(name || ' ' || email_key)) stored;
create index users_by_search on users using gin (search gin_trgm_ops);
create index admins on users (id) where is_admin;

create index orders_by_time on orders (created_at, id);
create index orders_by_status on orders (status, created_at, id);

-- The rows of a file under import: checked and kept here first, so that the products are held no
-- longer than it takes to write them.
create unlogged table import_rows (
  import_id uuid not null,
  line integer not null,
  -- which product the row is about: its id; of a new one the slug or, where none is given, the id
  product text not null,
  -- the product to be written; null where there is nothing to write
  id uuid,
  -- of a new product
  slug text,
  -- of a product to change: its last edit when the row was checked
  seen_at timestamptz(3),
  -- what the row gives
  facts jsonb,
  primary key (import_id, line),
  unique (import_id, product),
  unique (import_id, slug)
);

-- an address is claimed before the row that carries it is written
alter table category_slugs alter constraint category_slugs_category_id_fkey deferrable initially deferred;
alter table product_slugs alter constraint product_slugs_product_id_fkey deferrable initially deferred;

-- moved by whoever edits a product, not by sales; as precise as it travels, so that an editor can send it back
alter table products alter column updated_at type timestamptz(3);
