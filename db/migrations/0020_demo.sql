-- of the settings, which purchases read: the currency of the shop (ISO 4217)
alter table settings
  add column currency text generated always as (value ->> 'currencyDisplay') stored;

-- The demo's loader inserts orders with their histories: its entries have the time of what they tell.
alter table audit_log alter column at set default
  coalesce(nullif(current_setting('haat.at', true), '')::timestamptz, clock_timestamp());

-- Documents never change. Those of test orders, which only a demo has, are deleted when the demo ends.
create function refuse_deletion_of_document() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'invoices' and exists (
    select from orders where id = (to_jsonb(old) ->> 'order_id')::uuid and test)
  or tg_table_name = 'credit_notes' and exists (
    select from refunds join captures on captures.id = capture_id join orders using (payment_id)
    where refunds.id = (to_jsonb(old) ->> 'refund_id')::uuid and test)
  then
    return old;
  end if;
  raise exception 'Rows of % are never changed or deleted.', tg_table_name
    using errcode = 'restrict_violation';
end
$$;
drop trigger append_only on invoices;
create trigger append_only before update or truncate on invoices
  for each statement execute function refuse_change();
create trigger undeletable before delete on invoices
  for each row execute function refuse_deletion_of_document();
drop trigger append_only on credit_notes;
create trigger append_only before update or truncate on credit_notes
  for each statement execute function refuse_change();
create trigger undeletable before delete on credit_notes
  for each row execute function refuse_deletion_of_document();

-- In a demo, tests have documents from now on: also those of before.
insert into invoices_due (order_id)
select orders.id from orders join payments on payments.id = payment_id
where orders.test and payments.state = 'paid'
  and exists (select from shop_facts where key = 'demo' and value = 'loaded')
  and not exists (select from invoices where order_id = orders.id);
insert into credit_notes_due (refund_id)
select refunds.id from refunds join captures on captures.id = capture_id join orders using (payment_id)
where refunds.state = 'done' and refunds.amount_minor > 0 and purpose = 'order' and orders.test
  and exists (select from invoices_due where order_id = orders.id);
