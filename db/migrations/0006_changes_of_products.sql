-- Added to the schema of 0001 to 0004, in a form that 0.4.0 runs on.

-- Audit log --------------------------------------------------------------------------------------

alter table audit_log
  -- the change of many rows of which the entry is a part, so that all of it can be undone; null for others
  add column change_id uuid,
  -- why an admin changed the row, such as a correction of stock
  add column reason text;
-- by themselves: a column that is added with such a default writes the table anew
alter table audit_log
  alter column change_id set default nullif(current_setting('haat.change', true), '')::uuid,
  alter column reason set default nullif(current_setting('haat.reason', true), '');
create index audit_log_of_change on audit_log (change_id, row_id) where change_id is not null;


-- Orders -----------------------------------------------------------------------------------------

-- the sales of a product, for the history of its stock
create index order_lines_of_product on order_lines (product_id, order_id desc);
-- the orders among them whose pieces came back: few
create index orders_returned on orders (id) where stock_returned_at is not null;
