-- Payments by their state, except those that simply paid their order: the back office's list. A
-- resolved issue, and money of an order that was refunded at the provider, are listed as such.
create view payment_overview as
  select money.id, payments.id as payment_id,
    case
      when money.state <> 'captured' then money.state
      when issue is not null and resolved_at is not null then 'resolved'
      -- money for a cancelled order is to be refunded; any other issue ends with its order
      when issue = 'paid_cancelled' and orders.status = 'cancel' and refunded_minor < money.amount_minor
        or issue <> 'paid_cancelled' and orders.status <> 'cancel' then issue
      when refunded_minor > 0 then 'order_refunded'
    end as state,
    money.created_at
  from provider_payments as money
    join payments on payments.id = money.payment_id
    left join orders on orders.payment_id = payments.id
  where money.state <> 'captured' or money.issue is not null or money.refunded_minor > 0
  union all
  select payments.id::text, payments.id, 'started', payments.created_at
  from payments
  where settled_at is null and next_poll_at is not null
    and not exists (select from provider_payments where payment_id = payments.id);

-- Those that somebody has to look after: for the dashboard, the metric and alerts.
create view payments_needing_attention as
  select id, state from payment_overview
  where state in ('refund_pending', 'unmatched', 'capture_pending', 'expired', 'amount_mismatch',
    'paid_cancelled');
