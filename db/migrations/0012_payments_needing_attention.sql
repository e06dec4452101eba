-- Payments that somebody has to look after, by their state: money without an order, and an order's
-- money that something speaks against. The list of payments, the dashboard, the metric and 'seen to'
-- read this view, so that they agree.
create view payments_needing_attention as
  select id, state from provider_payments where state in ('refund_due', 'unclaimed')
  union all
  -- money that came in for a cancelled order is to go back; any other doubt ends with its order
  select money.id, money.doubt from provider_payments as money
  join orders on orders.payment_id = money.payment_id
  where money.state = 'kept' and money.doubt is not null and money.seen_to_at is null
    and case money.doubt
      when 'paid_cancelled'
        then orders.status = 'cancel' and money.given_back_minor < money.amount_minor
      else orders.status <> 'cancel' end
  union all
  -- the provider's money for an order that is not here
  select id, 'unknown' from unknown_money
  where given_back_minor < amount_minor and seen_to_at is null
    and not exists (select from provider_payments where provider_payments.id = unknown_money.id);
