-- Added to the schema of 0011: a product has up to twenty photos. The code of 0.5.0 runs on it: it reads and
-- replaces the first photo of each product, whose version is in products, and whose bytes are those of its id.

-- checks what 0011 has inserted: a table with checks that wait is not altered
set constraints all immediate;

create table product_photos (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  -- 0 is the first photo
  position smallint not null check (position >= 0),
  -- the alternative text
  alt text not null default '',
  -- as products.photo_version, which has that of the first photo
  version text,
  constraint product_photos_first_is_in_products check ((position = 0) = (version is null)),
  constraint product_photos_position unique (product_id, position) deferrable,
  unique (id, product_id)
);

-- The bytes of a picture are those of the first photo of a product, of another photo, or of a picture of the settings.
alter table pictures
  add column photo_id uuid references product_photos on delete cascade,
  drop constraint pictures_owner,
  add constraint pictures_owner check (
    num_nonnulls(product_id, photo_id, id) = 1
    and num_nonnulls(full_width, full_height, used_at) = case when id is null then 0 else 3 end);
create unique index pictures_of_photo on pictures (photo_id, width, format) where photo_id is not null;

-- the photo that is shown when the variant is chosen; null: the first one
alter table variants
  add column photo_id uuid,
  add constraint variants_photo_fkey foreign key (photo_id, product_id)
    references product_photos (id, product_id) on delete set null (photo_id);
create index variants_of_photo on variants (photo_id) where photo_id is not null;

insert into product_photos (id, product_id, position)
  select gen_random_uuid(), id, 0 from products where photo_version is not null;

-- a product that gets its first photo, also by 0.5.0
create function insert_first_photo() returns trigger language plpgsql as $$
begin
  insert into product_photos (id, product_id, position)
    select gen_random_uuid(), new.id, 0
    where not exists (select from product_photos where product_id = new.id and position = 0);
  return null;
end
$$;
create trigger first_photo after insert or update of photo_version on products
  for each row when (new.photo_version is not null)
  execute function insert_first_photo();

-- The entries of a photo have the id of its product. The first one comes and goes with photo_version of its product,
-- which is logged there.
create trigger audit_insert after insert on product_photos
  for each row when (new.position > 0) execute function write_audit_log('product_id', 'id', 'position');
create trigger audit_delete after delete on product_photos
  for each row when (old.position > 0) execute function write_audit_log('product_id', 'id', 'position');
create trigger audit_update after update of alt on product_photos
  for each row execute function write_audit_log('product_id', 'id', 'position', 'version');
