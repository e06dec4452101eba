-- Indexes of the lists of the back office.

-- the variants whose stock is not in products, of which it is shown where little is left; no sale changes it
create index variants_with_stock on variants (product_id) where not is_default;

-- The state in which the back office lists a capture, as before. A payment is only read for money that is not captured
-- yet, and of orders only the index of cancelled ones: to read both took as long as all else.
create or replace view capture_overview as
  select captures.id, received_at as listed_at, case
    when purpose = 'unknown' then case when resolved_at is null then 'unknown' else 'resolved' end
    when exists (select from disputes where capture_id = captures.id and disputes.state = 'open')
      then 'disputed'
    when open_refund = 'accepted' then 'refunding'
    when open_refund = 'pending' then 'refund_pending'
    when open_refund = 'failed'
      then case when refusal is not null and resolved_at is not null then 'resolved' else 'refund_refused' end
    when purpose = 'undecided' then 'unmatched'
    when purpose = 'nothing' and issue is null then case
      when voided_at is not null then 'voided'
      -- the provider releases what nobody captures; it is asked until then
      when confirmed_at is null and refunds = 0 then case
        when payments.next_attempt_at is not null then 'refunding'
        when resolved_at is not null then 'resolved'
        else 'refund_refused'
      end
      else 'refunded'
    end
    -- whatever was resolved before: the rest of its money is to be refunded
    when orders.status = 'cancel' and confirmed_at is not null and voided_at is null
      and refunded_minor + disputed_minor < captures.amount_minor
      and (issue is distinct from 'paid_cancelled' or resolved_at is null) then 'paid_cancelled'
    when concern is not null and resolved_at is not null then 'resolved'
    -- cancelling an order ends its other issues
    when concern <> 'paid_cancelled' and orders.status is distinct from 'cancel' then concern
    -- the money of a cancelled order is not captured any more
    when concern in ('capture_pending', 'expired') then 'voided'
    when refunds > 0 then 'order_refunded'
    else 'paid'
  end as state
  from captures
    left join payments on payments.id = case when confirmed_at is null then captures.payment_id end
    left join orders on orders.payment_id = case when purpose = 'order' then captures.payment_id end
      and orders.status = 'cancel'
    cross join lateral refunds_of(captures.id) as refunded
    cross join lateral (select coalesce(issue, case
      when purpose <> 'order' or refunds > 0 then null
      when voided_at is not null then 'expired'
      when confirmed_at is null and payments.attempts > 0 then 'capture_pending'
    end) as concern) as concerned;
