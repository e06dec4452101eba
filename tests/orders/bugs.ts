/** Bugs that are planted from outside: in a statement on its way to the database, the schema or the provider. */
import type { Bug } from './open-story.ts'
import type { BuyerPlan, JobName, StoryPlan } from './plan.ts'
import type { RewriteRequest } from './provider.ts'

/** Replaces a part of the statement that has it. */
const replacing = (part: string | RegExp, by: string) => ({
  rewrite: (text: string) => text.replace(part, by),
})

const KEY = 'x-refund-idempotency'

/** Without an idempotency key, two requests of one refund are two refunds. */
const withoutKey: RewriteRequest = (request) => {
  request.headers.delete(KEY)
  return request
}

let keys = 0
const withOtherKey: RewriteRequest = (request) => {
  keys += 1
  if (request.headers.has(KEY)) request.headers.set(KEY, `another-key-${keys}`)
  return request
}

const BUYER: BuyerPlan = {
  quantity: 1,
  hasCoupon: false,
  starts: 1,
  pays: 'captured',
  does: 'verify',
}

/** Two sales, and what happens after them. */
const afterSale = (...jobs: JobName[]): Partial<StoryPlan> => ({
  quantity: 2,
  buyers: [BUYER, BUYER],
  jobs,
  doJobsWait: true,
  deliveries: [],
  faults: [],
  crashAt: null,
})

/** Found by stories. */
export const STORY_BUGS: Record<string, Bug> = {
  'an amount that is not checked': replacing(/\((\$\d+)::boolean\s+or/, '(true or $1::boolean or'),
  'stock that is taken without a condition': {
    ...replacing('variants.quantity >= lines.quantity and', ''),
    schema: {
      broken: 'alter table variants drop constraint variants_quantity_check',
      mended: 'alter table variants add constraint variants_quantity_check check (quantity >= 0)',
    },
  },
  'a sell-out that lists do not see': {
    schema: {
      broken: 'alter table variants disable trigger availability',
      mended: 'alter table variants enable trigger availability',
    },
  },
  'a reservation that is released too early': replacing(
    '"reserved_until" <= now()',
    `"reserved_until" <= now() + interval '1 hour'`,
  ),
  'a refund in flight that the webhook of another refund wakes, without a key': {
    plan: {
      ...afterSale(
        'two refunds of a fifth',
        'the provider repeats the webhook of a refund',
        'the provider repeats the webhook of a refund',
        'refunds, again and again',
        'refunds, again and again',
        'refunds, again and again',
      ),
      buyers: [BUYER, { ...BUYER, pays: 'not' }],
      listsLag: true,
    },
    request: withoutKey,
    ...replacing(
      /^(update "refunds" set "next_attempt_at" = now\(\) where "capture_id" = \$1 and )("state" = \$2)$/,
      `$1($2 or "state" = 'pending')`,
    ),
  },
  'a refund whose key changes with each request': {
    plan: {
      ...afterSale('refund of a part', 'minutes pass', 'refunds, again and again'),
      listsLag: true,
    },
    request: withOtherKey,
  },
  'a late success of a declined attempt that is forgotten': {
    plan: {
      ...afterSale('half an hour passes', 'polls'),
      buyers: [{ ...BUYER, pays: 'declined, then late' }, BUYER],
      deliveries: [1, 0, 0, 0],
    },
    ...replacing('set "failure" = $1', 'set "next_attempt_at" = null, "failure" = $1'),
  },
  'a refund that two jobs take, without a key': {
    request: withoutKey,
    plan: afterSale('refund of a part', 'refunds', 'refunds', 'refunds', 'refunds'),
    rewrite: (text) =>
      text.startsWith('update "refunds"')
        ? text.replace('and "refunds"."next_attempt_at" <= now()', '')
        : text,
  },
  'a capture that ignores the state': replacing(
    /(state = any\(\$\d+::text\[\]\)) and quote/,
    '(true or $1) and quote',
  ),
  'a capture that is counted twice': {
    ...replacing(
      /on conflict \(provider_payment_id\) do update set purpose = 'order'\s+where (\$\d+::boolean) and captures[^)]*?payment_id = excluded.payment_id/,
      'where $1 is not null on conflict do nothing',
    ),
    schema: {
      broken: 'alter table captures drop constraint captures_provider_payment_id_key',
      mended: `alter table captures add constraint captures_provider_payment_id_key
        unique (provider_payment_id)`,
    },
  },
  'a release after a capture': {
    plan: {
      ...afterSale('polls, every half an hour'),
      buyers: [
        { ...BUYER, pays: 'declined, then late, captured' },
        { ...BUYER, pays: 'not' },
      ],
      doJobsWait: false,
    },
    ...replacing(/and confirmed_at is null(?=\s+and provider_payment_id)/, ''),
    schema: {
      broken: 'alter table captures drop constraint captures_voided_is_unconfirmed',
      mended: `alter table captures add constraint captures_voided_is_unconfirmed
        check (voided_at is null or confirmed_at is null)`,
    },
  },
  'a credit note without a refund': {
    plan: afterSale('refund of a part', 'invoices', 'refunds'),
    ...replacing(
      /^insert into "refunds" .*$/,
      'with asked as ($& returning id) insert into credit_notes_due select id from asked',
    ),
  },
  'an unpaid order whose stock is never given back': {
    plan: {
      ...afterSale('an unpaid order is cancelled'),
      buyers: [
        { ...BUYER, pays: 'by bank transfer' },
        { ...BUYER, pays: 'not' },
      ],
    },
    ...replacing(
      /^update "orders" set "stock_returned_at" = now\(\)/,
      'update "orders" set "number" = "number"',
    ),
  },
  'a piece that is refunded twice': {
    plan: {
      ...afterSale('a transfer is entered', 'pieces are refunded and returned'),
      buyers: [
        { ...BUYER, pays: 'by bank transfer' },
        { ...BUYER, pays: 'not' },
      ],
    },
    rewrite: (text) =>
      text.includes('refund_lines') ? text.replaceAll("state <> 'given_up'", 'false') : text,
  },
  'returned pieces of which only the last are noted': {
    plan: {
      ...afterSale('a transfer is entered', 'pieces are refunded and returned'),
      buyers: [
        { ...BUYER, pays: 'by bank transfer', quantity: 2 },
        { ...BUYER, pays: 'not' },
      ],
    },
    ...replacing('returned_lines.quantity + excluded.quantity', 'excluded.quantity'),
  },
  'an order by phone without its stock': {
    plan: {
      ...afterSale('an order is placed by phone'),
      doJobsWait: false,
      buyers: [
        { ...BUYER, pays: 'not' },
        { ...BUYER, pays: 'not' },
      ],
    },
    ...replacing('locked.quantity - taken', 'locked.quantity'),
  },
  'a refund without a credit note': {
    plan: afterSale('refund of a part', 'refunds'),
    ...replacing("refunds.state = 'done' and refunds.amount_minor > 0", 'false'),
  },
  "a provider's unit mistaken for a tenth of it": {
    provider: ({ start, lookUp, ...provider }) => ({
      ...provider,
      start: (order) => start({ ...order, amountMinor: order.amountMinor / 10 }),
      async lookUp(known) {
        const order = await lookUp({ ...known, amountMinor: known.amountMinor / 10 })
        const payments = order.payments.map((one) => ({
          ...one,
          amountMinor: one.amountMinor * 10,
        }))
        return { ...order, amountMinor: order.amountMinor * 10, payments }
      },
    }),
  },
  'a proof whose signature is not checked': {
    provider: (provider) => ({ ...provider, verify: () => true }),
  },
  'stock that is not returned': replacing(
    'locked.quantity - taken',
    'locked.quantity - greatest(taken, 0)',
  ),
  'payments that are not polled': replacing(
    '"next_attempt_at" <= now() and "provider" =',
    'false and "provider" =',
  ),
  'an order of one piece, whatever was paid': replacing(
    "jsonb_build_object('order_id', placed.id,",
    "jsonb_build_object('quantity', 1, 'order_id', placed.id,",
  ),
}

/** Found by the orders of the statements of two transactions, in the pair of this name. */
export const CONCURRENCY_BUGS: Record<string, Bug & { pair: string }> = {
  'a dropped unique key': {
    pair: 'start and start of one buyer, of an edited product',
    schema: {
      broken: 'drop index payments_reserved',
      mended: `create unique index payments_reserved on payments (user_id)
        where state = 'open' and reserved_until is not null`,
    },
  },
  'a coupon without a limit': {
    pair: 'last use of a coupon',
    ...replacing('and (max_uses is null or uses < max_uses)', ''),
    schema: {
      broken: 'alter table coupons drop constraint coupons_used_within_limit',
      mended: `alter table coupons add constraint coupons_used_within_limit
        check (uses between 0 and coalesce(max_uses, uses))`,
    },
  },
  'an expiry without a lock': {
    pair: 'expiry and capture',
    ...replacing(/ for no key update$| for update skip locked$/, ''),
  },
  'stock that is read before it is locked': {
    pair: 'last piece of an edited product',
    rewrite: (text) =>
      text.includes('locked_products')
        ? text.replace(/ for no key update( of variants)?\)/g, ')')
        : text,
  },
  'a refund without a lock': {
    pair: 'refund and refund',
    ...replacing(' for no key update of "payments"', ''),
  },
}
