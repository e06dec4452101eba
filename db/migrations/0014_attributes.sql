-- Added to the schema of 0001 to 0013: attributes, which are facts about products, such as their material. The code of
-- 0.5.0 runs on it.

create type attribute_kind as enum ('choice', 'number', 'yes_no', 'text');

create table attributes (
  id uuid primary key,
  name text not null check (name ~ '\S'),
  name_folded text not null generated always as (folded(name)) stored,
  -- it never changes
  kind attribute_kind not null,
  -- of a number, such as kg
  unit text check (unit is null or (kind = 'number' and unit ~ '\S')),
  -- whether lists are narrowed by it
  is_filterable boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint attributes_name unique (name_folded)
);

-- What may be chosen, in this order.
create table attribute_choices (
  id uuid primary key,
  attribute_id uuid not null references attributes on delete cascade,
  position smallint not null,
  name text not null check (name ~ '\S'),
  name_folded text not null generated always as (folded(name)) stored,
  constraint attribute_choices_name unique (attribute_id, name_folded) deferrable,
  unique (id, attribute_id)
);

-- The value of an attribute that a product has: a choice, or else a number in PostgreSQL's notation, 'yes', 'no' or a
-- text.
create table product_attributes (
  product_id uuid not null references products on delete cascade,
  attribute_id uuid not null references attributes on delete cascade,
  choice_id uuid,
  value text check (value ~ '\S'),
  primary key (product_id, attribute_id),
  constraint product_attributes_has_value check (num_nonnulls(choice_id, value) = 1),
  foreign key (choice_id, attribute_id) references attribute_choices (id, attribute_id) on delete cascade
);
create index product_attributes_of_attribute on product_attributes (attribute_id, choice_id);

create trigger audit after insert or update or delete on attributes
  for each row execute function write_audit_log('id');
create trigger audit after insert or update or delete on attribute_choices
  for each row execute function write_audit_log('id', 'attribute_id', 'position');
create trigger audit after insert or update or delete on product_attributes
  for each row execute function write_audit_log('product_id');
