import type { Change, Entry, Value } from '#app/ledger/admin-contract.ts'
import { cut } from '#app/shared/web/cut.ts'
import { formatMoney, useMoney } from '#app/shared/web/money.ts'
import { useShop } from '#app/shared/web/use-shop.ts'
import { VALUE_NAMES } from './words.ts'

const LONGEST = 120

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })

export const timeOf = (at: string) => clock.format(new Date(at))

/** What payments are made in, as the entry says it, or as the shop does today. */
const currencyOf = ({ changes }: Entry, usual: string) => {
  const currency = changes.find(({ field }) => field === 'currency')
  return String(currency?.after ?? currency?.before ?? usual)
}

/** Answers how the values of an entry are shown to people. */
export function useShown(entry: Entry): (field: Change['field'], value: Value) => string {
  const money = useMoney()
  const { currencyCharge } = useShop()
  const paid = (amount: number) => formatMoney(amount, currencyOf(entry, currencyCharge))
  const ofNumber = (field: string, value: number) => {
    if (field === 'price' || field === 'total') return money(value)
    return field === 'amount' || field === 'givenBack' ? paid(value) : value.toLocaleString('en-US')
  }
  return (field, value) => {
    if (value === null) return 'none'
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    if (typeof value === 'number') return ofNumber(field, value)
    if (Array.isArray(value))
      return value
        .map(
          ({ name, quantity, price }) =>
            `${quantity} × ${name ?? 'a product that is gone'} at ${money(price)}`,
        )
        .join(', ')
    if (field.endsWith('At')) return timeOf(value)
    if (field === 'state' || field === 'doubt') return VALUE_NAMES[value] ?? value
    return field === 'photo' ? 'a picture' : cut(value, LONGEST)
  }
}
