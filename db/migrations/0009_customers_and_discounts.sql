-- Added to the schema of 0001 to 0008: discounts without a code, free delivery, and for whom a discount is;
-- notes on customers.

-- Discounts --------------------------------------------------------------------------------------

alter table coupons
  -- how an automatic discount is called where customers see it; null: it has a code. The code of an automatic
  -- one is its id, which nobody enters
  add column title text check (title ~ '\S'),
  -- instead of a percentage and an amount: the cheapest delivery costs nothing
  add column is_free_shipping boolean not null default false,
  add column audience text not null default 'everybody'
    check (audience in ('everybody', 'confirmed', 'first_order', 'chosen')),
  -- the chosen customers
  add column user_ids uuid[] not null default '{}',
  drop constraint coupons_percent_or_amount,
  add constraint coupons_one_benefit
    check (num_nonnulls(percent, amount_minor) + is_free_shipping::integer = 1),
  add constraint coupons_automatic_code check (title is null or code = id::text);

-- read with the prices of each cart
create index coupons_automatic on coupons (id) where title is not null and deleted_at is null;
-- the list by name
create index coupons_by_name on coupons (upper(coalesce(title, code)), id) where deleted_at is null;


-- Customers --------------------------------------------------------------------------------------

-- What admins write down about a customer, for themselves.
create table user_notes (
  id uuid primary key,
  user_id uuid not null references users,
  author_id uuid not null references users,
  text text not null check (text ~ '\S'),
  created_at timestamptz not null default now()
);
create index user_notes_of_user on user_notes (user_id, id);
create index user_notes_of_author on user_notes (author_id);

-- the entries of a note have the id of its customer, and not its text
create trigger audit after insert or delete on user_notes
  for each row execute function write_audit_log('user_id', 'text');

-- The lists of users: by time, and by name. What the lists choose by is in the indexes.
create index users_customers on users (id) where not is_admin and closed_at is null;
create index users_closed on users (id) where closed_at is not null;
create index users_by_name on users (left(folded(name), 100), id) include (name, is_admin, closed_at);
