-- Every product is found through one index, whatever is asked for, and the shop knows its words.

-- to compile what is short takes longer than to run it, and here it would be done for each product
perform set_config('jit', 'off', true);

-- what all forms of a word have in common; null for a word that stands everywhere and says nothing
create function stem(word text) returns text language sql immutable
  return (ts_lexize('english_stem', $1))[1];

create function words_of(text) returns text[] language sql immutable
  return tsvector_to_array(to_tsvector('simple', searched($1)));

-- All that a product is found by: the stems of its texts; those of its name once more, behind '=',
-- where a word that says nothing stands as it is; its category, its price band, and which slices
-- of the shop it is in: a thin one of 1024 products that came one after the other, and a thick one of
-- sixteen thin ones. So the newest matches are found without a look at all others.
create function search_of(
  name text, description text, category_id uuid, price_minor integer, number integer
) returns tsvector language sql immutable
  return array_to_tsvector(
    array(select '=' || coalesce(stem(word), word) from unnest(words_of(name)) as word)
    || tsvector_to_array(to_tsvector('english', searched(name || ' ' || description)))
    || array[
      '@c' || category_id, '@b' || price_band(price_minor), '@s' || number / 1024, '@t' || number / 16384
    ]
  );

-- Products in the order in which they came; those that are there, as they lie, which is nearly that.
-- A sequence, because those who add wait for nobody.
create sequence product_numbers as integer;
alter table products drop column search;
alter table products
  add column number integer not null default nextval('product_numbers'),
  add column search tsvector not null
    generated always as (search_of(name, description, category_id, price_minor, number)) stored;
alter sequence product_numbers owned by products.number;
create index products_by_search on products using gin (search) with (fastupdate = off);
-- names that are, or begin with, exactly what was typed
create index products_by_name on products (name_folded text_pattern_ops);

drop trigger ledger_insert on products;
drop trigger ledger_update on products;
drop trigger ledger_delete on products;
drop trigger refuse_truncate on products;
call write_ledger_of(
  'products', 'product', 'id', 'id', 'name_folded', 'search', 'number', 'updated_at');

-- The first seven letters of a word, and what is left of them without one letter, of a longer word
-- also without two: whoever mistypes it and leaves out as many arrives at one of these. Who compares
-- (app/products/server/search/spelling.ts) does the same to what was typed.
create function misspellings(word text) returns text[] language sql immutable
  return case when length(word) between 2 and 40 and word !~ '[0-9]' then array(
    select left(word, 7)
    union
    select overlay(left(word, 7) placing '' from i for 1)
    from generate_series(1, least(length(word), 7)) as i where length(word) > 2
    union
    select overlay(overlay(left(word, 7) placing '' from j for 1) placing '' from i for 1)
    from generate_series(1, least(length(word), 7)) as j, generate_series(1, j - 1) as i
    where length(word) > 5
  ) end;

-- Each word, in how many names it stands, and in how many products at all.
create table vocabulary (
  word text collate "C" primary key,
  stem text collate "C" not null generated always as (coalesce(stem(word), word)) stored,
  in_names integer not null,
  in_all integer not null,
  misspellings text[] generated always as (misspellings(word)) stored
);
create index vocabulary_by_stem on vocabulary (stem);
create index vocabulary_by_misspelling on vocabulary using gin (misspellings) with (fastupdate = off);

-- What came and went since the vocabulary was counted. It is only added to, so that nobody who
-- writes products waits for another; a job counts it into the vocabulary.
create table vocabulary_changes (
  word text collate "C" not null,
  stem text collate "C" not null generated always as (coalesce(stem(word), word)) stored,
  in_names integer not null,
  in_all integer not null,
  -- of a word that the vocabulary lacks
  misspellings text[]
);
create index vocabulary_changes_by_word on vocabulary_changes (word);
create index vocabulary_changes_by_stem on vocabulary_changes (stem);
create index vocabulary_changes_by_misspelling on vocabulary_changes using gin (misspellings)
  with (fastupdate = off) where misspellings is not null;

create view known_words as
  select word, stem, in_names, in_all, misspellings from vocabulary
  union all
  select word, stem, in_names, in_all, misspellings from vocabulary_changes;

-- the words of a product, and whether they stand in its name
create function words_with_place(name text, description text)
  returns table (word text, is_in_name boolean) language sql immutable
begin atomic
  select found, found = any (named)
  from words_of(name) as named, unnest(words_of(name || ' ' || description)) as found
  where length(found) <= 60;
end;

create function note_words() returns trigger language plpgsql set jit = off as $$
declare
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into vocabulary_changes (word, in_names, in_all, misspellings)
    select word, sign * count(*) filter (where is_in_name), sign * count(*),
      case when not exists (select from vocabulary known where known.word = written.word collate "C")
        then misspellings(word) end
    from moved cross join lateral words_with_place(name, description) as written
    group by word;
  return null;
end
$$;
create trigger note_new_words after insert on products
  referencing new table as moved for each statement execute function note_words();
create trigger note_gone_words after delete on products
  referencing old table as moved for each statement execute function note_words();

create function note_changed_words() returns trigger language plpgsql set jit = off as $$
begin
  insert into vocabulary_changes (word, in_names, in_all, misspellings)
    select word, sum(sign * is_in_name::integer), sum(sign),
      case when not exists (select from vocabulary known where known.word = written.word collate "C")
        then misspellings(word) end
    from (
      select 1 as sign, * from words_with_place(new.name, new.description)
      union all
      select -1, * from words_with_place(old.name, old.description)
    ) as written
    group by word
    having sum(sign) <> 0 or sum(sign * is_in_name::integer) <> 0;
  return null;
end
$$;
create trigger note_changed_words after update of name, description on products
  for each row when (old.name <> new.name or old.description <> new.description)
  execute function note_changed_words();

insert into vocabulary (word, in_names, in_all)
  select word, count(*) filter (where is_in_name), count(*)
  from products cross join lateral words_with_place(name, description) group by word;
