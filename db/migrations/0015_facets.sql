-- Added to the schema of 0001 to 0014: the facets by which lists are narrowed. The code of 0.5.0 runs on it:
-- triggers keep the facets of variants, whoever writes them.

-- A facet is the name of an option or a filterable attribute with a value, over all products, such as 'colour:red'.
-- Neither case nor accents matter.
create function facet_key(name text, value text) returns text language sql immutable
  return left(replace(folded(btrim(name)), ':', ' '), 100) || ':' || left(folded(btrim(value)), 100);

-- How a facet is written: as by the product that had it first.
create table facets (
  key text primary key,
  name text not null,
  value text not null,
  -- the order of the values of an option or an attribute
  position smallint not null,
  -- the order of numbers
  number double precision,
  swatch text
);

-- The facets of each variant that has any. They are no columns of variants, whose rows sales write: a sale
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

-- Each facet of each product, with the value of an option that a variant must have for it; null of attributes.
create view facets_of_products as
  select product_id, option_values.id as value_id, product_options.name, option_values.name as value,
    option_values.position, null::double precision as number, swatch
  from option_values join product_options using (product_id, slot)
  union all
  select product_id, null, attributes.name,
    case kind
      when 'choice' then choice.name
      when 'yes_no' then initcap(product_attributes.value)
      else concat_ws(' ', product_attributes.value, unit) end,
    coalesce(choice.position, 0), case when kind = 'number' then product_attributes.value::double precision end, null
  from product_attributes
  join attributes on attributes.id = product_attributes.attribute_id and is_filterable
  left join attribute_choices as choice on choice.id = choice_id;

-- The facets of variants as they are to be. Lateral, because the planner would read the facets of all products.
create view wanted_facets as
  select variants.id as variant_id, variants.product_id,
    coalesce(variants.quantity, stocked.quantity) > 0 as in_stock,
    array_agg(facet_key(facet.name, value) order by value_id is null, facet.name) as keys
  from variants
  join products as stocked on stocked.id = variants.product_id
  cross join lateral (
    select value_id, name, value from facets_of_products
    where facets_of_products.product_id = variants.product_id offset 0
  ) as facet
  where value_id is null or value_id in (value1, value2, value3)
  group by variants.id, stocked.id;

-- Writes the facets of these products where they differ. The products are locked, then their variants, in the order of
-- sales: what is in stock is that of the locked rows. Rows of facets, which many products share, are written only where
-- they differ: others could not be sold or edited meanwhile. Options do not change how a facet is written.
create function refresh_facets(refreshed uuid[]) returns void language plpgsql as $$
begin
  perform from products where id = any (refreshed) order by id for no key update;
  perform from variants where product_id = any (refreshed) order by id for no key update;
  insert into facets (key, name, value, position, number, swatch)
    select distinct on (1) facet_key(name, value), name, value, position, number, swatch
    from facets_of_products
    where product_id = any (refreshed)
    order by 1, swatch
    on conflict (key) do nothing;
  update facets set value = present.value, position = present.position, number = present.number,
      swatch = coalesce(facets.swatch, present.swatch)
    from (
      select distinct on (key) facet_key(name, value) as key, value, position, number, swatch,
        value_id
      from facets_of_products where product_id = any (refreshed)
      order by key, value_id nulls first, swatch
    ) as present
    where facets.key = present.key
      and (facets.swatch is null and present.swatch is not null
        or value_id is null and (facets.value, facets.position, facets.number)
          is distinct from (present.value, present.position, present.number));
  delete from variant_facets using variants
    where variant_id = variants.id and variants.product_id = any (refreshed)
      and variant_id not in (select variant_id from wanted_facets where product_id = any (refreshed));
  insert into variant_facets (variant_id, product_id, in_stock, keys)
    select variant_id, product_id, in_stock, keys from wanted_facets where product_id = any (refreshed)
    on conflict (variant_id) do update set keys = excluded.keys, in_stock = excluded.in_stock
      where (variant_facets.keys, variant_facets.in_stock)
        is distinct from (excluded.keys, excluded.in_stock);
end
$$;

-- Products whose facets a job writes, because an attribute of many was changed. Without a key: an edit that came while
-- the job has a product adds it again.
create table stale_facets (product_id uuid not null);

-- The table of changed rows has the column product_id. Most products have no facets. What goes with an attribute or a
-- choice (in a trigger of its foreign key) is left to the job.
create function refresh_changed_facets() returns trigger language plpgsql as $$
declare
  refreshed uuid[] := array(
    select distinct product_id from changed
    where exists (select from product_options where product_options.product_id = changed.product_id)
      or exists (select from product_attributes where product_attributes.product_id = changed.product_id)
      or exists (
        select from variants join variant_facets on variant_id = variants.id
        where variants.product_id = changed.product_id));
begin
  if pg_trigger_depth() > 1 then insert into stale_facets select unnest(refreshed);
  elsif cardinality(refreshed) > 0 then perform refresh_facets(refreshed);
  end if;
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
create trigger facets_insert after insert on product_attributes
  referencing new table as changed for each statement execute function refresh_changed_facets();
create trigger facets_update after update on product_attributes
  referencing new table as changed for each statement execute function refresh_changed_facets();
create trigger facets_delete after delete on product_attributes
  referencing old table as changed for each statement execute function refresh_changed_facets();

-- Leaves the products of a changed attribute to the job. How its facets are written changes at once.
create function refresh_facets_of_attributes() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'attributes' then
    update facets set name = changed.name from changed
      where starts_with(key, facet_key(changed.name, '')) and facets.name <> changed.name;
    insert into stale_facets
      select product_id from product_attributes
      join changed on changed.id = attribute_id join former on former.id = changed.id
      where (changed.name, changed.unit, changed.is_filterable)
        is distinct from (former.name, former.unit, former.is_filterable);
  else
    update facets set position = changed.position
      from changed join attributes on attributes.id = attribute_id
      where key = facet_key(attributes.name, changed.name) and facets.position <> changed.position;
    insert into stale_facets
      select product_id from product_attributes
      join changed on changed.id = choice_id join former on former.id = changed.id
      where changed.name <> former.name;
  end if;
  return null;
end
$$;
create trigger facets_update after update on attributes
  referencing old table as former new table as changed
  for each statement execute function refresh_facets_of_attributes();
create trigger facets_update after update on attribute_choices
  referencing old table as former new table as changed
  for each statement execute function refresh_facets_of_attributes();

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
