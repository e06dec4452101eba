-- Added to the schema of 0011: products are found by the values of their options, by SKU and by barcode.

-- 0011 has filled variants in this transaction: what it deferred is checked now, else no index can be made
set constraints all immediate;

-- The name of a product with options and their values, as one text: 'red shirt' has all its words in it. A table of
-- its own, so that products without options are neither longer nor written.
create table product_words (
  product_id uuid primary key references products on delete cascade,
  words tsvector not null
);
create index product_words_by_words on product_words using gin (words) with (fastupdate = off);
-- exact SKUs in any case
create index variants_by_sku on variants (folded(sku)) where sku is not null;

create function write_product_words(ids uuid[]) returns void language sql as $$
  delete from product_words
  where product_id = any(ids) and not exists (
    select from option_values where option_values.product_id = product_words.product_id);
  insert into product_words
  select id, to_tsvector('simple', text) || to_tsvector('english', text)
  from (
    select products.id, searched(products.name || ' ' || string_agg(option_values.name, ' ')) as text
    from products join option_values on product_id = products.id
    where products.id = any(ids) group by products.id
  ) as named
  on conflict (product_id) do update set words = excluded.words
  where product_words.words <> excluded.words;
$$;
create function write_words_of_values() returns trigger language plpgsql as $$
begin
  perform write_product_words((select array_agg(distinct product_id) from changed));
  return null;
end
$$;
create trigger words_insert after insert on option_values referencing new table as changed
  for each statement execute function write_words_of_values();
create trigger words_update after update on option_values referencing new table as changed
  for each statement execute function write_words_of_values();
create trigger words_delete after delete on option_values referencing old table as changed
  for each statement execute function write_words_of_values();
create function write_words_of_product() returns trigger language plpgsql as $$
begin
  perform write_product_words(array[new.id]);
  return null;
end
$$;
create trigger words after update of name on products
  for each row when (old.name <> new.name) execute function write_words_of_product();

perform write_product_words(array(select distinct product_id from option_values));
