-- What changed in the catalogue, for the processes of the shop: each keeps pages in memory, and asks
-- here a few times a second what it has to forget. A row is wanted for seconds, and gone in minutes.
create table catalogue_changes (
  -- who asks takes what was not over yet when it asked before
  transaction xid8 not null default pg_current_xact_id(),
  -- whose stock changed; null: anything may have changed
  product_id uuid,
  -- whether it sold out, or is there again
  crossed boolean not null default false
);
create index catalogue_changes_by_transaction on catalogue_changes (transaction);

create function note_change() returns trigger language plpgsql as $$
begin
  insert into catalogue_changes default values;
  return null;
end
$$;
create trigger note_change after insert or update or delete or truncate on categories
  for each statement execute function note_change();
create trigger note_change after insert or update or delete or truncate on product_photos
  for each statement execute function note_change();
create trigger note_change after insert or delete or truncate on products
  for each statement execute function note_change();

-- A sale changes the stock and nothing else; an edit changes something else, too.
create function note_changed_products() returns trigger language plpgsql as $$
begin
  -- a full join is never done row by row for each row
  if exists (
    select from removed full join inserted on removed.id = inserted.id
    where (
      removed.name, removed.slug, removed.description, removed.price_minor, removed.category_id,
      removed.shipping, removed.photo_version, removed.created_at, removed.updated_at
    ) is distinct from (
      inserted.name, inserted.slug, inserted.description, inserted.price_minor, inserted.category_id,
      inserted.shipping, inserted.photo_version, inserted.created_at, inserted.updated_at
    )
  ) then
    insert into catalogue_changes default values;
  else
    insert into catalogue_changes (product_id, crossed)
      -- of many, as an import changes them, it is not told one by one
      select distinct case when not many then id end, crossed and not many
      from (
        select inserted.id, (removed.quantity = 0) <> (inserted.quantity = 0) as crossed,
          count(*) over () > 100 as many
        from removed full join inserted on removed.id = inserted.id
        where removed.quantity <> inserted.quantity
      ) as changed;
  end if;
  return null;
end
$$;
create trigger note_changed_products after update on products
  referencing old table as removed new table as inserted
  for each statement execute function note_changed_products();
