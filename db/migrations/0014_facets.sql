-- Added to the schema of 0001 to 0013: the facets by which lists are narrowed. The code of 0.5.0 runs on it:
-- triggers keep the facets of variants, whoever writes them.

-- A facet is an option's name with a value's name, over all products, such as 'colour:red'. Neither case nor
-- accents matter.
create function facet_key(name text, value text) returns text language sql immutable
  return left(replace(folded(btrim(name)), ':', ' '), 100) || ':' || left(folded(btrim(value)), 100);

-- How a facet is written: as by the product that had it first.
create table facets (
  key text primary key,
  name text not null,
  value text not null,
  -- the order of the values of an option
  position smallint not null,
  swatch text
);

-- The facets of each variant that has options. They are no columns of variants, whose rows sales write: a sale
-- writes here only when the variant sells out.
create table variant_facets (
  variant_id uuid primary key references variants on delete cascade,
  product_id uuid not null,
  in_stock boolean not null,
  keys text[] not null
);
create index variant_facets_available on variant_facets (product_id) include (keys) where in_stock;
create index variant_facets_sold_out on variant_facets (product_id) where not in_stock;
create index variant_facets_keys on variant_facets using gin (keys) where in_stock;

-- The facets of variants as they are to be.
create view wanted_facets as
  select variants.id as variant_id, variants.product_id,
    coalesce(variants.quantity, stocked.quantity) > 0 as in_stock,
    array_agg(facet_key(product_options.name, option_values.name) order by product_options.slot) as keys
  from variants
  join products as stocked on stocked.id = variants.product_id
  join option_values on option_values.id in (value1, value2, value3)
  join product_options on product_options.product_id = option_values.product_id
    and product_options.slot = option_values.slot
  group by variants.id, stocked.id;

-- Writes the facets of these products where they differ.
create function refresh_facets(refreshed uuid[]) returns void language plpgsql as $$
begin
  insert into facets (key, name, value, position, swatch)
    select distinct on (1) facet_key(product_options.name, option_values.name), product_options.name,
      option_values.name, option_values.position, swatch
    from option_values join product_options using (product_id, slot)
    where product_id = any (refreshed)
    order by 1, swatch
    on conflict (key) do update set swatch = excluded.swatch
      where facets.swatch is null and excluded.swatch is not null;
  insert into variant_facets (variant_id, product_id, in_stock, keys)
    select variant_id, product_id, in_stock, keys from wanted_facets where product_id = any (refreshed)
    on conflict (variant_id) do update set keys = excluded.keys, in_stock = excluded.in_stock
      where (variant_facets.keys, variant_facets.in_stock)
        is distinct from (excluded.keys, excluded.in_stock);
end
$$;

-- The table of changed rows has the column product_id. Products without options have no facets.
create function refresh_changed_facets() returns trigger language plpgsql as $$
declare
  refreshed uuid[] := array(select distinct product_id from changed join product_options using (product_id));
begin
  if cardinality(refreshed) > 0 then perform refresh_facets(refreshed); end if;
  return null;
end
$$;
create trigger facets_insert after insert on variants
  referencing new table as changed for each statement execute function refresh_changed_facets();
create trigger facets_insert after insert on option_values
  referencing new table as changed for each statement execute function refresh_changed_facets();
create trigger facets_update after update on option_values
  referencing new table as changed for each statement execute function refresh_changed_facets();
create trigger facets_update after update on product_options
  referencing new table as changed for each statement execute function refresh_changed_facets();

create function refresh_facets_of_variant() returns trigger language plpgsql as $$
begin
  delete from variant_facets where variant_id = new.id;
  insert into variant_facets (variant_id, product_id, in_stock, keys)
    select variant_id, product_id, in_stock, keys from wanted_facets where variant_id = new.id;
  return null;
end
$$;
-- a sale changes none of these columns
create trigger facets_update after update of value1, value2, value3, is_default on variants
  for each row when ((old.value1, old.value2, old.value3, old.is_default)
    is distinct from (new.value1, new.value2, new.value3, new.is_default))
  execute function refresh_facets_of_variant();

create function set_facet_stock() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'products' then
    update variant_facets set in_stock = new.quantity > 0 where variant_id = new.default_variant_id;
  else
    update variant_facets set in_stock = new.quantity > 0 where variant_id = new.id;
  end if;
  return null;
end
$$;
create trigger facets_stock after update of quantity on variants
  for each row when ((old.quantity > 0) is distinct from (new.quantity > 0) and new.quantity is not null)
  execute function set_facet_stock();
create trigger facets_stock after update of quantity on products
  for each row when ((old.quantity > 0) is distinct from (new.quantity > 0))
  execute function set_facet_stock();

do $$
begin
  perform refresh_facets(array(select distinct product_id from product_options));
end
$$;
