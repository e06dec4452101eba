-- The words of a category's name, as products have those of theirs: its products are found by them.
alter table categories add column name_search tsvector not null generated always as (
  to_tsvector('simple', searched(name)) || to_tsvector('english', searched(name))
) stored;
create index categories_by_words on categories using gin (name_search) with (fastupdate = off);
