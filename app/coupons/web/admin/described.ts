import { today } from '#app/back-office/kit/time.tsx'
import type { Category } from '#app/categories/contract.ts'
import { AUDIENCES, type Coupon } from '#app/coupons/admin-contract.ts'
import { type Described, sentenceOf } from '#app/coupons/admin-model.ts'
import { fieldsOf, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

export type Named = Pick<Category, '_id' | 'name'>

export const nameOf = ({ title, code }: Pick<Coupon, 'title' | 'code'>) => title ?? code ?? ''

/** The categories with these ids. One that was deleted since stays: without any, it would be for everything. */
export const categoriesOf = (ids: string[], categories: Named[]): Named[] =>
  ids.map((id) => categories.find(({ _id }) => _id === id) ?? { _id: id, name: 'Deleted category' })

type Sentenced = Omit<Described, 'goods' | 'customers'> & {
  categories: string[]
  products: Named[]
  customers: Named[]
}

/** Says a discount back, with the money and the day of the shop. */
export function useSentence(categories: Named[]) {
  const money = useMoney()
  const namesOf = (all: Named[]) => all.map(({ name }) => name)
  return (discount: Sentenced) => {
    const goods = [...categoriesOf(discount.categories, categories), ...discount.products]
    const names = { goods: namesOf(goods), customers: namesOf(discount.customers) }
    return sentenceOf({ ...discount, ...names }, money, today())
  }
}

/** The discount that the form sends. What another choice hides is not sent. */
export function discountIn(form: FormData) {
  const field = fieldsOf(form)
  const given = (name: string) => field(name) || undefined
  const number = (name: string) => (field(name) === '' ? undefined : Number(field(name)))
  const ids = (name: string) => form.getAll(name).map(String).filter(Boolean)
  return {
    ...valuesOf(given, 'code', 'title', 'from', 'to'),
    ...valuesOf(number, 'percent', 'amount', 'minimum', 'maxUses', 'maxUsesEach'),
    ...valuesOf(ids, 'customers', 'categories', 'products'),
    freeShipping: field('benefit') === 'freeShipping',
    audience: AUDIENCES.find((audience) => audience === field('audience')),
    combinable: field('combinable') !== '',
  }
}
