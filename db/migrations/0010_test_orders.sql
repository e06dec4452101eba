-- Payments in the sandbox or with test keys move no money: their orders are test orders, which are
-- sent like any other and count in no figure. Orders before this migration count as they did.

-- the same as its payment's
alter table orders add column test boolean not null default false;
