/** Coupons in the back office: listed, created, changed, deleted, exported. */
import { type Static, Type } from 'typebox'
import type { AdminMenu } from '../shared/contract/admin-menu.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import {
  Done,
  GivenDay,
  Id,
  isBefore,
  Nullable,
  PageQuery,
  Streamed,
} from '../shared/contract/fields.ts'

const Amount = Type.Number({ minimum: 0, maximum: 1_000_000, maxDecimals: 2 })
const MaxUses = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const Ids = Type.Array(Id, { maxItems: 200 })

/** The limits of a coupon; an absent one does not apply, and is answered as null. */
const Limits = {
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  amount: { ...Amount, description: 'Major units; instead of percent' },
  from: { ...GivenDay, description: 'The first day' },
  to: { ...GivenDay, description: 'The last day' },
  maxUses: MaxUses,
  maxUsesEach: { ...MaxUses, description: 'By each customer' },
}

/** The terms of a coupon, which an admin may change later. */
export const CouponTerms = Type.Object({
  ...Type.Partial(Type.Object(Limits)).properties,
  minimum: Type.Optional({ ...Amount, description: 'What the goods have to cost, major units' }),
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
function couponProblems({ percent, amount, from, to }: Partial<CouponTerms>): FieldProblem[] {
  const found: [keyof CouponTerms, string | false][] = [
    ['percent', percent === undefined && amount === undefined && EITHER],
    ['amount', percent !== undefined && amount !== undefined && EITHER],
    ['amount', amount === 0 && 'amount must be more than 0.'],
    ['to', isBefore(to, from) && 'The last day is before the first day.'],
  ]
  return found.flatMap(([field, message]) => (message ? [{ field, message }] : []))
}

const EITHER = 'Give either a percentage or an amount.'

export const NewCoupon = Type.Object({
  code: Type.String({
    pattern: '^\\s*[A-Za-z0-9-]{3,40}\\s*$',
    'x-refusal': 'must have 3 to 40 letters, digits and hyphens',
    description: '3 to 40 letters, digits and hyphens; case does not matter. It never changes',
  }),
  ...CouponTerms.properties,
})
export type NewCoupon = Static<typeof NewCoupon>

export const Coupon = Type.Object({
  _id: Id,
  code: Type.String(),
  ...Type.Required(CouponTerms).properties,
  percent: Nullable(Limits.percent),
  amount: Nullable(Limits.amount),
  from: Nullable(Limits.from),
  to: Nullable(Limits.to),
  maxUses: Nullable(Limits.maxUses),
  maxUsesEach: Nullable(Limits.maxUsesEach),
  products: Type.Array(Type.Object({ _id: Id, name: Type.String() }), {
    description: 'Those that were deleted since are named Deleted product',
  }),
  uses: Type.Integer({ description: 'Orders, and started payments that reserve a use' }),
})
export type Coupon = Static<typeof Coupon>

const ById = Type.Object({ id: Id })
const Saved = Type.Object({ ...Done.properties, coupon: Coupon })

export const couponAdminCalls = {
  getCoupons: endpoint({
    method: 'GET',
    path: '/coupon/coupons',
    access: 'admin',
    summary: 'A page of fifty coupons, newest first; the total is in X-Total-Count',
    query: PageQuery,
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
    summary: 'Adds a coupon; codes are compared without case',
    body: NewCoupon,
    rules: couponProblems,
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
    rules: couponProblems,
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

export const adminMenu: AdminMenu = [
  { path: '/dashboard/admin/coupons', label: 'Coupons', position: 45 },
]
