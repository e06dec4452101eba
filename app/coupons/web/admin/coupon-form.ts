import type { Category } from '#app/categories/contract.ts'
import type { Coupon, CouponTerms } from '#app/coupons/admin-contract.ts'
import { fieldsOf } from '#app/shared/web/form/use-submit.ts'

const numberIn = (text: string) => (text === '' ? undefined : Number(text))
const textIn = (text: string) => (text === '' ? undefined : text)

/** The terms in a form as the server takes them; an empty field is absent. */
export function termsIn(form: FormData, products: Coupon['products']): CouponTerms {
  const field = fieldsOf(form)
  return {
    percent: numberIn(field('percent')),
    amount: numberIn(field('amount')),
    minimum: numberIn(field('minimum')),
    from: textIn(field('from')),
    to: textIn(field('to')),
    maxUses: numberIn(field('maxUses')),
    maxUsesEach: numberIn(field('maxUsesEach')),
    combinable: field('combinable') !== '',
    categories: form.getAll('categories').filter((value) => typeof value === 'string'),
    products: products.map(({ _id }) => _id),
  }
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
