-- Added to the schema of 0012: the first photo of a product is a row like the others.

-- The shop has to be stopped for it: 0.7.0 reads the first photo's version in products, and its bytes by the product's id.
insert into shop_facts (key, value) values ('oldest_version', '0.8.0')
  on conflict (key) do update set value = excluded.value;

drop trigger first_photo on products;
drop function insert_first_photo;

alter table product_photos drop constraint product_photos_first_is_in_products;
-- of a product whose photo was taken away by other means than the editor
delete from product_photos using products
  where position = 0 and products.id = product_id and photo_version is null;
update product_photos set version = photo_version
  from products where position = 0 and products.id = product_id;
-- changes with the bytes
alter table product_photos alter column version set not null;
alter table products drop column photo_version;

-- The bytes of a picture are those of a photo of a product, or of a picture of the settings.
alter table pictures drop constraint pictures_owner;
update pictures set photo_id = product_photos.id, product_id = null
  from product_photos where position = 0 and product_photos.product_id = pictures.product_id;
delete from pictures where product_id is not null;
alter table pictures
  drop column product_id,
  add constraint pictures_owner check (
    num_nonnulls(photo_id, id) = 1
    and num_nonnulls(full_width, full_height, used_at) = case when id is null then 0 else 3 end);

-- The entries of a photo have the id of its product. Of places only the first one counts: a photo that moves there moves
-- all others.
drop trigger audit_insert on product_photos;
drop trigger audit_delete on product_photos;
drop trigger audit_update on product_photos;
create trigger audit after insert or delete on product_photos
  for each row execute function write_audit_log('product_id', 'id', 'position');
create trigger audit_update after update on product_photos
  for each row when ((old.alt, old.version) is distinct from (new.alt, new.version))
  execute function write_audit_log('product_id', 'id', 'position');
create trigger audit_first after update of position on product_photos
  for each row when ((old.position = 0) is distinct from (new.position = 0))
  execute function write_audit_log('product_id', 'id', 'alt', 'version');
