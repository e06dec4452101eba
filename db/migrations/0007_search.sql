-- Every product is found through one index, whatever is asked for, and the shop knows its words.

-- to compile what is short takes longer than to run it, and here it would be done for each product
perform set_config('jit', 'off', true);

-- what all forms of a word have in common; null for a word that stands everywhere and says nothing
create function stem(word text) returns text language sql immutable
  return (ts_lexize('english_stem', $1))[1];

create function words_of(text) returns text[] language sql immutable
  return tsvector_to_array(to_tsvector('simple', searched($1)));

-- A word to be looked for, as a number; two words of a shop share one about never.
create function term(text) returns integer language sql immutable
  return hashtext($1) & 2147483647;

create function category_term(category_id uuid) returns integer language sql immutable
  return -1073741824 - (hashtext(category_id::text) & 1073741823);

-- All that a product is found by: the stems of its name, behind '=', where a word that says nothing
-- stands as it is; the stems of all its texts; and, below zero, its price band, its category, and the
-- slices of the shop that it is in: a thin one of 1024 products that came one after the other, and a
-- thick one of sixteen thin ones. So the newest matches are found without a look at all others.
create function terms_of(
  name text, description text, category_id uuid, price_minor integer, number integer
) returns integer[] language sql immutable
  return array(select term('=' || coalesce(stem(word), word)) from unnest(words_of(name)) as word)
    || array(
      select term(word)
      from unnest(tsvector_to_array(to_tsvector('english', searched(name || ' ' || description)))) as word
    )
    || array[
      -1 - price_band(price_minor), category_term(category_id),
      -100000000 - number / 1024, -200000000 - number / 16384
    ];

-- Products in the order in which they came; those that are there, as they lie, which is nearly that.
-- A sequence, because those who add wait for nobody.
create sequence product_numbers as integer;
alter table products drop column search;
alter table products add column number integer not null default nextval('product_numbers');
alter sequence product_numbers owned by products.number;

-- What a search reads of a product, and nothing else, so that much of it fits into memory.
create table search_entries (
  product_id uuid primary key,
  number integer not null,
  category_id uuid not null,
  price_minor integer not null,
  in_stock boolean not null,
  name_folded text not null,
  terms integer[] not null
);
-- the planner would weigh every word by how frequent it is, when all that is asked for is in the index
alter table search_entries alter column terms set statistics 0;
create index search_entries_by_term on search_entries using gin (terms) with (fastupdate = off);
-- names that are, or begin with, exactly what was typed
create index search_entries_by_name on search_entries (name_folded text_pattern_ops);

create function add_search_entries() returns trigger language plpgsql set jit = off as $$
begin
  insert into search_entries
    select id, number, category_id, price_minor, quantity > 0, name_folded,
      terms_of(name, description, category_id, price_minor, number)
    from added order by number;
  return null;
end
$$;
create trigger add_search_entries after insert on products
  referencing new table as added for each statement execute function add_search_entries();

create function change_search_entry() returns trigger language plpgsql as $$
begin
  update search_entries set number = new.number, category_id = new.category_id, price_minor = new.price_minor,
    in_stock = new.quantity > 0, name_folded = new.name_folded,
    terms = terms_of(new.name, new.description, new.category_id, new.price_minor, new.number)
    where product_id = new.id;
  return null;
end
$$;
create trigger change_search_entry
  after update of name, description, category_id, price_minor, number on products for each row
  when ((old.name, old.description, old.category_id, old.price_minor, old.number)
    is distinct from (new.name, new.description, new.category_id, new.price_minor, new.number))
  execute function change_search_entry();

-- a sale changes nothing here, unless it takes the last piece
create function change_search_stock() returns trigger language plpgsql as $$
begin
  update search_entries set in_stock = new.quantity > 0 where product_id = new.id;
  return null;
end
$$;
create trigger change_search_stock after update of quantity on products for each row
  when ((old.quantity > 0) <> (new.quantity > 0)) execute function change_search_stock();

create function remove_search_entries() returns trigger language plpgsql as $$
begin
  delete from search_entries where product_id in (select id from removed);
  return null;
end
$$;
create trigger remove_search_entries after delete on products
  referencing old table as removed for each statement execute function remove_search_entries();

insert into search_entries
  select id, number, category_id, price_minor, quantity > 0, name_folded,
    terms_of(name, description, category_id, price_minor, number)
  from products order by number;

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
