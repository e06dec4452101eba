/** Discounts in the back office, by code (coupons) or automatic: listed, created, changed, deleted, exported. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import {
  Done,
  FilledName,
  GivenDay,
  GivenPrice,
  Id,
  isBefore,
  Nullable,
  Page,
  SearchText,
  Streamed,
  stripped,
} from '../shared/contract/fields.ts'

const MaxUses = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const Ids = Type.Array(Id, { maxItems: 200 })

/** For whom a discount is. */
export const AUDIENCES = ['everybody', 'confirmed', 'first_order', 'chosen'] as const
export type Audience = (typeof AUDIENCES)[number]

const Title = FilledName(100)

/** The limits of a coupon; an absent one does not apply, and is answered as null. */
const Limits = {
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  amount: { ...GivenPrice, description: 'Major units; instead of percent' },
  from: { ...GivenDay, description: 'The first day' },
  to: { ...GivenDay, description: 'The last day' },
  maxUses: MaxUses,
  maxUsesEach: { ...MaxUses, description: 'By each customer' },
}

/** The terms of a coupon, which an admin may change later. */
export const CouponTerms = Type.Object({
  ...Type.Partial(Type.Object(Limits)).properties,
  freeShipping: Type.Optional(
    Type.Boolean({
      description: 'Instead of percent and amount: the cheapest delivery costs nothing',
    }),
  ),
  title: Type.Optional({ ...Title, description: 'Of an automatic discount, as customers see it' }),
  audience: Type.Optional(
    Type.Enum([...AUDIENCES], {
      description:
        'Everybody, or customers with a confirmed address, without an order before, or those of customers',
    }),
  ),
  customers: Type.Optional({ ...Ids, description: 'The chosen customers' }),
  minimum: Type.Optional({
    ...GivenPrice,
    description: 'What the goods have to cost, major units',
  }),
  products: Type.Optional({ ...Ids, description: 'The products to which it applies' }),
  categories: Type.Optional({
    ...Ids,
    description: 'The categories to which it applies; without any, and without products, to all',
  }),
  combinable: Type.Optional(
    Type.Boolean({ description: 'Whether it may be used with others that are combinable, too' }),
  ),
})
export type CouponTerms = Static<typeof CouponTerms>

/** The rules of a coupon that a schema cannot express. The database checks them, too. */
function termsProblems(terms: Partial<CouponTerms>): FieldProblem[] {
  const { percent, amount, freeShipping, from, to, audience, customers } = terms
  const benefits = [percent, amount, freeShipping || undefined]
  const count = benefits.filter((benefit) => benefit !== undefined).length
  const found: [keyof CouponTerms, string | false][] = [
    [amount === undefined ? 'percent' : 'amount', count !== 1 && ONE_BENEFIT],
    ['amount', amount === 0 && 'amount must be more than 0.'],
    ['to', isBefore(to, from) && 'The last day is before the first day.'],
    ['customers', audience === 'chosen' && !customers?.length && 'Choose customers.'],
  ]
  return found.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

const ONE_BENEFIT = 'Give a percentage, an amount or free delivery.'

const newProblems = ({ code, ...terms }: Partial<NewCoupon>): FieldProblem[] => [
  ...((code === undefined) === (terms.title === undefined)
    ? [{ field: 'code', message: 'Give a code, or a title for a discount without a code.' }]
    : []),
  ...termsProblems(terms),
]

export const NewCoupon = Type.Object({
  code: Type.Optional(
    stripped(
      'code',
      Type.String({
        pattern: '^\\s*[A-Za-z0-9-]{3,40}\\s*$',
        'x-refusal': 'must have 3 to 40 letters, digits and hyphens',
        description:
          '3 to 40 letters, digits and hyphens; case does not matter. It never changes. Without it, and with a title, the discount is automatic',
      }),
    ),
  ),
  ...CouponTerms.properties,
})
export type NewCoupon = Static<typeof NewCoupon>

/**
 * The states of a discount. `used_up`: it was used as often as it may be; `unusable`: the customers, or the products,
 * for which it was chosen are gone, or customers need a confirmed address, which none can have.
 */
export const COUPON_STATES = ['active', 'scheduled', 'used_up', 'ended', 'unusable'] as const

export const Coupon = Type.Object({
  _id: Id,
  code: Nullable(Type.String({ description: 'Null of an automatic discount' })),
  ...Type.Required(CouponTerms).properties,
  title: Nullable(Title),
  percent: Nullable(Limits.percent),
  amount: Nullable(Limits.amount),
  from: Nullable(Limits.from),
  to: Nullable(Limits.to),
  maxUses: Nullable(Limits.maxUses),
  maxUsesEach: Nullable(Limits.maxUsesEach),
  products: Type.Array(Type.Object({ _id: Id, name: Type.String() }), {
    description: 'Those that were deleted since are named Deleted product',
  }),
  customers: Type.Array(Type.Object({ _id: Id, name: Type.String() })),
  state: Type.Enum([...COUPON_STATES]),
  uses: Type.Integer({ description: 'Orders, and started payments that reserve a use' }),
})
export type Coupon = Static<typeof Coupon>

const ById = Type.Object({ id: Id })
const Saved = Type.Object({ ...Done.properties, coupon: Coupon })

/** The list of discounts. `name` is the code or the title. */
export const CouponFilter = Type.Object({
  page: Type.Optional(Page),
  q: SearchText('Part of the code or title'),
  state: Type.Optional(Type.Enum([...COUPON_STATES])),
  sort: Type.Optional(Type.Enum(['created', '-created', 'name', '-name', 'uses', '-uses'])),
})
export type CouponFilter = Static<typeof CouponFilter>

export const couponAdminCalls = {
  getCoupons: endpoint({
    method: 'GET',
    path: '/coupon/coupons',
    access: 'admin',
    summary: 'A page of fifty coupons, by default newest first; the total is in X-Total-Count',
    query: CouponFilter,
    answer: Type.Array(Coupon),
  }),
  getCoupon: endpoint({
    method: 'GET',
    path: '/coupon/coupon/:id',
    access: 'admin',
    summary: 'One coupon',
    params: ById,
    answer: Coupon,
  }),
  createCoupon: endpoint({
    method: 'POST',
    path: '/coupon/create-coupon',
    access: 'admin',
    summary: 'Adds a coupon, or a discount without a code; codes are compared without case',
    body: NewCoupon,
    rules: newProblems,
    answer: Saved,
    status: 201,
  }),
  updateCoupon: endpoint({
    method: 'PUT',
    path: '/coupon/update-coupon/:id',
    access: 'admin',
    summary: 'Replaces the terms of a coupon; its code and its uses stay',
    params: ById,
    body: CouponTerms,
    rules: termsProblems,
    answer: Saved,
  }),
  deleteCoupon: endpoint({
    method: 'DELETE',
    path: '/coupon/delete-coupon/:id',
    access: 'admin',
    summary: 'Deletes a coupon; orders and started payments keep their discount',
    params: ById,
    answer: Done,
  }),
  exportCoupons: endpoint({
    method: 'GET',
    path: '/coupon/export',
    access: 'admin',
    summary:
      'Every coupon with its uses as CSV, oldest first, deleted ones that were used included',
    answer: Streamed,
  }),
} satisfies Contract
