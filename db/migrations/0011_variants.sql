-- Added to the schema of 0001 to 0010: products are sold in variants. The code of 0.5.0 runs on it: it sells and
-- edits the default variant of each product, whose price, stock and weight are those of the row of products.

-- Products ---------------------------------------------------------------------------------------

alter table products
  -- the price before a reduction, which is shown beside the price while that is lower
  add column compare_at_minor integer,
  -- The variant that is sold as the product itself. A random default, so that products of 0.5.0 have one, too.
  add column default_variant_id uuid not null default gen_random_uuid(),
  -- refers to variants.is_default
  add column has_default boolean not null default true check (has_default);


-- Options ----------------------------------------------------------------------------------------

-- What the variants of a product differ in, such as colour and size.
create table product_options (
  product_id uuid not null references products on delete cascade,
  -- the column of its values in variants: 1 is value1
  slot smallint not null check (slot between 1 and 3),
  -- the order in which they are shown
  position smallint not null,
  name text not null check (name ~ '\S'),
  name_folded text not null generated always as (folded(name)) stored,
  primary key (product_id, slot),
  constraint product_options_name unique (product_id, name_folded) deferrable
);

create table option_values (
  id uuid primary key,
  product_id uuid not null,
  slot smallint not null,
  position smallint not null,
  name text not null check (name ~ '\S'),
  name_folded text not null generated always as (folded(name)) stored,
  -- a colour that is shown beside the name
  swatch text check (swatch ~ '^#[0-9a-f]{6}$'),
  foreign key (product_id, slot) references product_options on delete cascade,
  unique (id, product_id, slot),
  constraint option_values_name unique (product_id, slot, name_folded) deferrable
);


-- Variants ---------------------------------------------------------------------------------------

-- What is sold of a product: its combinations of values. A product without options has one variant.
create table variants (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  is_default boolean not null,
  position smallint not null default 0,
  value1 uuid,
  value2 uuid,
  value3 uuid,
  slot1 smallint not null generated always as (1) stored,
  slot2 smallint not null generated always as (2) stored,
  slot3 smallint not null generated always as (3) stored,
  -- stock keeping unit: the merchant's own number
  sku text check (sku ~ '\S'),
  -- GTIN with its check digit
  barcode text check (barcode ~ '^(\d{8}|\d{12,14})$'),
  -- As in products. Of the default variant they are null: products has them.
  price_minor integer check (price_minor >= 0),
  compare_at_minor integer,
  quantity integer check (quantity >= 0),
  weight_grams integer check (weight_grams >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint variants_default_is_in_products check (
    case when is_default then num_nonnulls(price_minor, compare_at_minor, quantity, weight_grams) = 0
      else num_nonnulls(price_minor, quantity) = 2 end),
  -- a value is one of its product, in its slot
  constraint variants_value1_fkey foreign key (value1, product_id, slot1)
    references option_values (id, product_id, slot) deferrable initially deferred,
  constraint variants_value2_fkey foreign key (value2, product_id, slot2)
    references option_values (id, product_id, slot) deferrable initially deferred,
  constraint variants_value3_fkey foreign key (value3, product_id, slot3)
    references option_values (id, product_id, slot) deferrable initially deferred,
  -- also the index of the variants of a product
  constraint variants_combination
    unique nulls not distinct (product_id, value1, value2, value3) deferrable,
  constraint variants_sku unique (sku) deferrable,
  constraint variants_barcode unique (barcode) deferrable,
  constraint variants_of_product unique (id, product_id, is_default)
  -- a sale changes only the quantity, which is not indexed: a heap-only (HOT) update
) with (fillfactor = 90);
create unique index variants_default on variants (product_id) where is_default;
create index variants_of_value1 on variants (value1) where value1 is not null;
create index variants_of_value2 on variants (value2) where value2 is not null;
create index variants_of_value3 on variants (value3) where value3 is not null;

insert into variants (id, product_id, is_default, created_at, updated_at)
  select default_variant_id, id, true, created_at, updated_at from products;
-- each product has a default variant, and by variants_default one
alter table products add constraint products_default_variant
  foreign key (default_variant_id, id, has_default)
  references variants (id, product_id, is_default) deferrable initially deferred;

create function insert_default_variant() returns trigger language plpgsql as $$
begin
  insert into variants (id, product_id, is_default) values (new.default_variant_id, new.id, true);
  return null;
end
$$;
create trigger default_variant after insert on products
  for each row execute function insert_default_variant();

-- Each variant with its price and stock.
create view sellables as
  select variants.id, product_id, is_default, position, value1, value2, value3, sku, barcode,
    case when is_default then products.updated_at else variants.updated_at end as updated_at,
    case when is_default then products.price_minor else variants.price_minor end as price_minor,
    case when is_default then products.compare_at_minor else variants.compare_at_minor end as compare_at_minor,
    case when is_default then products.quantity else variants.quantity end as quantity,
    case when is_default then products.weight_grams else variants.weight_grams end as weight_grams,
    -- [{"name": "Colour", "value": "Red"}]; null without options
    case when num_nonnulls(value1, value2, value3) > 0 then (
      select jsonb_agg(
        jsonb_build_object('name', product_options.name, 'value', option_values.name)
        order by product_options.position, slot)
      from option_values join product_options using (product_id, slot)
      where option_values.id in (value1, value2, value3)
    ) end as options
  from variants join products on products.id = product_id;


-- Orders -----------------------------------------------------------------------------------------

alter table order_lines
  -- null: sold before there were variants
  add column variant_id uuid,
  -- the id that was in the cart, of the product or of the variant; null: the product's
  add column cart_id uuid,
  add column sku text,
  -- as in sellables; null without options
  add column options jsonb;


-- Audit log --------------------------------------------------------------------------------------

-- the history of a product has its variants and values that were removed
create index audit_log_of_removed on audit_log ((before ->> 'product_id'))
  where action = 'delete' and table_name in ('variants', 'option_values');

-- made anew: which variant is the default one is in the entries of variants
drop trigger audit on products;
create trigger audit after insert or delete on products
  for each row execute function write_audit_log('id', 'default_variant_id', 'has_default');
drop trigger audit_update on products;
create trigger audit_update after update on products
  for each row when (old.quantity = new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id', 'default_variant_id', 'has_default');

-- a default variant comes with its product, and a sale changes only the quantity
create trigger audit_insert after insert on variants
  for each row when (not new.is_default) execute function write_audit_log('id', 'slot1', 'slot2', 'slot3');
create trigger audit_delete after delete on variants
  for each row when (not old.is_default) execute function write_audit_log('id', 'slot1', 'slot2', 'slot3');
create trigger audit_update after update on variants
  for each row when (old.quantity is not distinct from new.quantity or old.updated_at <> new.updated_at)
  execute function write_audit_log('id', 'position');
create trigger audit after insert or update or delete on option_values
  for each row execute function write_audit_log('id', 'slot', 'position');
-- the entries of an option have the id of its product
create trigger audit after insert or update or delete on product_options
  for each row execute function write_audit_log('product_id', 'slot', 'position');
