-- An order is placed from its payment, which has the contact of the buyer.

-- The shop has to be stopped for it: 0.7.0 starts payments without the contact.
insert into shop_facts (key, value) values ('oldest_version', '0.8.0')
  on conflict (key) do update set value = excluded.value;

-- name, email, phone and address: those of the account until the payment is paid or cancelled, and as they were then.
-- Null when the account is closed, and in payments that were paid or cancelled before this migration
alter table payments add column buyer jsonb;

create function contact_of(account users) returns jsonb language sql stable
  return case when account.closed_at is null then
    jsonb_build_object('name', account.name, 'email', account.email, 'phone', account.phone, 'address', account.address)
  end;

-- Payments that 0.7.0 has started and that may still be paid.
update payments set buyer = contact_of(users)
from users
where users.id = payments.user_id and closed_at is null and state in ('open', 'expired');

-- A changed contact is that of what is paid from then on; a closed account leaves none.
create function change_buyer() returns trigger language plpgsql as $$
begin
  update payments set buyer = contact_of(new)
  where user_id = new.id and buyer is not null and (state in ('open', 'expired') or new.closed_at is not null);
  return null;
end $$;
create trigger change_buyer after update of name, email, phone, address, closed_at on users
  for each row when (contact_of(old) is distinct from contact_of(new)) execute function change_buyer();
