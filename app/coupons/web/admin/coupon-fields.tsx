import { Checkbox } from '#app/back-office/fields.tsx'
import type { Category } from '#app/categories/contract.ts'
import type { Coupon } from '#app/coupons/admin-contract.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { useShop } from '#app/shared/web/shop.ts'

const shown = (value: string | number | null | undefined) => value ?? ''

const NUMBER = { type: 'number', min: 0, step: 'any' } as const

type Props = { coupon: Coupon | null; categories: Category[] }

/** The fields of a coupon. The server says what is wrong with them. */
export function CouponFields({ coupon, categories }: Props) {
  const { sendsEmail, timeZone } = useShop()
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Code"
          hint="3 to 40 letters, digits and hyphens. It cannot be changed later."
          name="code"
          defaultValue={coupon?.code}
          readOnly={coupon !== null}
          autoComplete="off"
        />
        <MoneyField
          label="Minimum of the cart"
          hint="What the goods have to cost before discounts"
          name="minimum"
          defaultValue={coupon?.minimum || null}
        />
        <Field
          label="Percentage"
          name="percent"
          defaultValue={shown(coupon?.percent)}
          {...NUMBER}
        />
        <MoneyField label="Or an amount" name="amount" defaultValue={coupon?.amount} />
        <Field label="First day" name="from" type="date" defaultValue={shown(coupon?.from)} />
        <Field
          label="Last day"
          hint={`Days are days in ${timeZone}`}
          name="to"
          type="date"
          defaultValue={shown(coupon?.to)}
        />
        <Field
          label="Uses in all"
          hint="Empty without a limit"
          name="maxUses"
          defaultValue={shown(coupon?.maxUses)}
          {...NUMBER}
        />
        <Field
          label="Uses by each customer"
          hint={`Empty without a limit; with one, only for confirmed e-mail addresses.${
            sendsEmail ? '' : ' This shop sends no e-mail, so nobody can confirm an address.'
          }`}
          name="maxUsesEach"
          defaultValue={shown(coupon?.maxUsesEach)}
          {...NUMBER}
        />
      </div>
      <Checkbox
        label="May be used together with other combinable coupons"
        name="combinable"
        defaultChecked={coupon?.combinable}
      />
      <Categories categories={categories} chosen={coupon?.categories ?? []} />
    </>
  )
}

/**
 * The categories that a coupon can apply to. One of its own that was deleted since is kept until it is
 * unticked: without any category and product, the coupon would apply to everything.
 */
export function categoryChoices(
  categories: Category[],
  chosen: string[],
): Pick<Category, '_id' | 'name'>[] {
  const deleted = chosen.filter((id) => categories.every(({ _id }) => _id !== id))
  return [...categories, ...deleted.map((_id) => ({ _id, name: 'Deleted category' }))]
}

function Categories({ categories, chosen }: { categories: Category[]; chosen: string[] }) {
  const choices = categoryChoices(categories, chosen)
  if (choices.length === 0) return null
  return (
    <fieldset className="space-y-3">
      <legend className="font-medium text-sm">Only for these categories</legend>
      <p className="text-base-content/75 text-sm">
        Without categories and products, it applies to all products.
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ _id, name }) => (
          <Checkbox
            key={_id}
            label={name}
            name="categories"
            value={_id}
            defaultChecked={chosen.includes(_id)}
          />
        ))}
      </div>
    </fieldset>
  )
}
