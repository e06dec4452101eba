-- Indexes for the figures, the bell and the lists of the back office.

-- what lost disputes took, for the figures
create index captures_disputed on captures (payment_id) where disputed_minor > 0;

-- the outbox by state, newest first, and its counts
create index emails_by_state on emails (state, id);

-- the history by kind and by who
create index audit_log_of_kind on audit_log (table_name, id);
create index audit_log_of_actor_kind on audit_log (actor_kind, id);

-- discounts by a part of their title or code
create index coupons_by_text on coupons using gin (folded(coalesce(title, code)) gin_trgm_ops)
  where deleted_at is null;

-- The payments that somebody has to look into, as before. The money of cancelled orders is compared with the refunds
-- of all of them: most of it was refunded, and to look at each took longer than everything else.
create or replace view payments_needing_attention as
  select overview.* from (
    select id from captures
    where resolved_at is null and (purpose in ('undecided', 'unknown') or issue is not null
      or confirmed_at is null and voided_at is null or purpose = 'order' and voided_at is not null)
    union select capture_id from refunds where state in ('pending', 'failed')
    union select capture_id from disputes where state = 'open'
  ) as candidates
  cross join lateral (
    select id, listed_at, state from capture_overview where capture_overview.id = candidates.id offset 0
  ) as overview
  where overview.state in ('refund_pending', 'refund_refused', 'disputed', 'dispute_lost', 'unmatched',
    'unknown', 'capture_pending', 'expired', 'amount_mismatch', 'paid_cancelled', 'refunded_elsewhere',
    'refund_missing')
  union all
  select captured.id, received_at, 'paid_cancelled' from orders
    cross join lateral (
      select id, received_at, amount_minor - disputed_minor as kept_minor from captures
      where payment_id = orders.payment_id and purpose = 'order' and confirmed_at is not null and voided_at is null
        and (resolved_at is null and issue is null
          or resolved_at is not null and issue is distinct from 'paid_cancelled')
      offset 0
    ) as captured
    left join (
      select capture_id, sum(amount_minor) as minor, bool_or(state in ('pending', 'accepted', 'failed')) as is_open
      from refunds where state <> 'given_up' group by capture_id
    ) as refunded on refunded.capture_id = captured.id
  where orders.status = 'cancel' and coalesce(refunded.minor, 0) < kept_minor and is_open is not true
    and captured.id not in (select capture_id from disputes where state = 'open')
  union all
  select id, listed_at, state from owed_overview where state = 'overdue';
