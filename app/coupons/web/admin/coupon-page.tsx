import { useState } from 'react'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { type Choice, ComboboxOfSeveral } from '#app/back-office/kit/combobox.client.tsx'
import { ConfirmButton } from '#app/back-office/kit/dialog-button.tsx'
import {
  Checkbox,
  Day,
  Field,
  Money,
  NumberField,
  Row,
  Select,
} from '#app/back-office/kit/fields.tsx'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { Card, Columns } from '#app/back-office/kit/page.tsx'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrFailure } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/coupon-page.ts'
import { categoriesOf, discountIn, type Named, nameOf, useSentence } from './described.ts'

export const clientLoader = ({ params: { id } }: Route.ClientLoaderArgs) => {
  const coupon = id === undefined ? null : call(couponAdminCalls.getCoupon, { params: { id } })
  // both or none: a form without the categories would take them from the discount
  return loadOrFailure(Promise.all([coupon, call(categoryCalls.getCategories)]))
}

/** Creates a discount; or changes or deletes one. */
export default function CouponPage({
  loaderData: { loaded, failure },
  params: { id },
}: Route.ComponentProps) {
  const [coupon, categories] = useLastLoaded(loaded, id) ?? []
  if (!categories) return <ErrorPage error={failure} />
  return <CouponForm key={id} coupon={coupon ?? null} categories={categories.category} />
}

const LIST = { href: href('/dashboard/admin/coupons'), label: 'Discounts' }
const METHODS = { code: 'Customers enter a code', automatic: 'It applies automatically' }
const BENEFITS = {
  percent: 'A percentage off',
  amount: 'An amount off',
  freeShipping: 'Free delivery',
}
const AUDIENCES = {
  everybody: 'Everybody',
  confirmed: 'Customers with a confirmed e-mail address',
  first_order: 'Customers without an order before',
  chosen: 'Chosen customers',
}

function benefitOf(coupon: Coupon | null): keyof typeof BENEFITS {
  if (coupon?.freeShipping) return 'freeShipping'
  return coupon?.amount == null ? 'percent' : 'amount'
}

/** The names of customers and products that were chosen or found, for the sentence. */
const NAMES = new Map<string, string>()
const named = (ids: string[]) => ids.map((id) => ({ _id: id, name: NAMES.get(id) ?? '' }))

function choiceOf({ _id: value, name: label, email: note }: Named & { email?: string }): Choice {
  NAMES.set(value, label)
  return { value, label, note }
}

const findCustomers = async (q: string, call: Call) =>
  (await call(userAdminCalls.getAllUsers, { query: { q } })).map(choiceOf)

async function findProducts(q: string, call: Call) {
  const { products } = await call(productCalls.getProducts, { query: { q, page: 1 } })
  return products.map(choiceOf)
}

type Props = { coupon: Coupon | null; categories: Category[] }

/** The form of a discount, which leads back to the list when it is saved. */
export function CouponForm({ coupon, categories }: Props) {
  const [form, setForm] = useState<FormData | null>(null)
  const sentence = useSentence(categories)
  const values = {
    ...coupon,
    method: coupon?.title == null ? 'code' : 'automatic',
    benefit: benefitOf(coupon),
    audience: coupon?.audience ?? 'everybody',
    minimum: coupon?.minimum || null,
  }
  const chosen = (name: keyof typeof values) => form?.get(name) ?? values[name]
  const entered = form && discountIn(form)
  const discount = entered
    ? {
        ...entered,
        code: form.has('code') ? (entered.code ?? '…') : null,
        products: named(entered.products),
        customers: named(entered.customers),
      }
    : coupon
  return (
    <FormPage
      title={coupon ? nameOf(coupon) : 'Create discount'}
      back={LIST}
      tools={coupon && <HistoryLink object={coupon._id} />}
      failed="The discount could not be saved."
      action={coupon ? 'Save' : 'Create discount'}
      isNew={!coupon}
      values={values}
      onEdit={setForm}
      save={async (_field, sent) => {
        const { code, ...terms } = discountIn(sent)
        const { message } = await (coupon
          ? call(couponAdminCalls.updateCoupon, { params: { id: coupon._id }, body: terms })
          : call(couponAdminCalls.createCoupon, { body: { code, ...terms } }))
        return { message, to: LIST.href }
      }}
      after={coupon && <DeleteCoupon coupon={coupon} />}
    >
      <Columns
        side={
          <Card title="Summary">
            <p role="status" className="wrap-anywhere">
              {discount
                ? sentence(discount)
                : 'Once it is complete, the discount is summed up here.'}
            </p>
            {discount && <AddressWarning {...discount} />}
            {coupon && <p>Used {coupon.uses} times.</p>}
          </Card>
        }
      >
        <Benefit
          coupon={coupon}
          isAutomatic={chosen('method') === 'automatic'}
          benefit={chosen('benefit')}
        />
        <Scope
          coupon={coupon}
          categories={categories}
          isForChosen={chosen('audience') === 'chosen'}
        />
        <Limits />
      </Columns>
    </FormPage>
  )
}

/** A warning where customers need a confirmed address, and the shop cannot have it confirmed. */
function AddressWarning({
  audience,
  maxUsesEach,
}: Pick<ReturnType<typeof discountIn>, 'audience'> & { maxUsesEach?: number | null }) {
  const { sendsEmail } = useShop()
  if (sendsEmail || (audience !== 'confirmed' && !maxUsesEach)) return null
  return (
    <p role="alert" className="rounded-field border border-warning bg-warning/15 p-3">
      Only customers with a confirmed e-mail address can use it, and this shop sends no e-mail yet,
      so nobody can confirm one.{' '}
      <a href={href('/dashboard/admin/settings/:page', { page: 'email' })} className="link">
        Set up e-mail
      </a>
    </p>
  )
}

type BenefitProps = { coupon: Coupon | null; isAutomatic: boolean; benefit: unknown }

/** How a discount is given, and what it is worth. The server says what is wrong with the fields. */
const Benefit = ({ coupon, isAutomatic, benefit }: BenefitProps) => (
  <Card title="Discount">
    {!coupon && <Select label="How customers get it" name="method" options={METHODS} />}
    {isAutomatic ? (
      <Field
        label="Title"
        hint="Customers see it in the cart. Of automatic discounts and codes, they get those with which they pay least."
        name="title"
        required
      />
    ) : (
      <Field
        label="Code"
        hint="3 to 40 letters, digits and hyphens. It cannot be changed later."
        name="code"
        required
        readOnly={coupon !== null}
      />
    )}
    <Select label="What it gives" name="benefit" options={BENEFITS} />
    {benefit === 'percent' && (
      <NumberField label="Percentage" name="percent" unit="%" min={1} required />
    )}
    {benefit === 'amount' && <Money label="Amount" name="amount" required />}
    {benefit === 'freeShipping' && (
      <p className="text-base-content/75">
        The cheapest way of delivery costs nothing. The others keep their price.
      </p>
    )}
  </Card>
)

/** For whom, and for what a discount is. */
const Scope = ({ coupon, categories, isForChosen }: Props & { isForChosen: boolean }) => (
  <Card title="For whom, and for what">
    <Select label="Customers" name="audience" options={AUDIENCES} />
    {isForChosen && (
      <ComboboxOfSeveral
        label="Chosen customers"
        name="customers"
        placeholder="Search by name or e-mail"
        chosen={(coupon?.customers ?? []).map(choiceOf)}
        search={findCustomers}
      />
    )}
    <ComboboxOfSeveral
      label="Only for these categories"
      name="categories"
      hint="Without categories and products, it is for everything."
      chosen={categoriesOf(coupon?.categories ?? [], categories).map(choiceOf)}
      choices={categories.map(choiceOf)}
    />
    <ComboboxOfSeveral
      label="Only for these products"
      name="products"
      placeholder="Search by name"
      chosen={(coupon?.products ?? []).map(choiceOf)}
      search={findProducts}
    />
    <Money
      label="In carts from"
      hint="What the goods have to cost before discounts. Empty: any cart."
      name="minimum"
    />
  </Card>
)

/** When, and how often a discount applies. */
function Limits() {
  const { timeZone } = useShop()
  return (
    <Card title="When, and how often">
      <Row>
        <Day label="First day" name="from" />
        <Day label="Last day" hint={`Days are days in ${timeZone}.`} name="to" />
        <NumberField label="Uses in all" hint="Empty: without a limit." name="maxUses" min={1} />
        <NumberField
          label="Uses by each customer"
          hint="With a limit, only for confirmed e-mail addresses."
          name="maxUsesEach"
          min={1}
        />
      </Row>
      <Checkbox label="Can be combined with other discounts that allow it" name="combinable" />
    </Card>
  )
}

const DeleteCoupon = ({ coupon }: { coupon: Coupon }) => (
  <ConfirmButton
    label="Delete discount"
    title={`Delete ${nameOf(coupon)}?`}
    action="Delete"
    deletes
    run={() => call(couponAdminCalls.deleteCoupon, { params: { id: coupon._id } })}
    failed="The discount could not be deleted."
    to={LIST.href}
    button={{ className: 'btn btn-ghost text-error' }}
  >
    It cannot be used any more. Orders and started payments keep their discount.
  </ConfirmButton>
)
