/** What a discount gives, as a sentence. */
import { atFirstUse } from '../shared/model/at-first-use.ts'
import type { Audience } from './admin-contract.ts'

type Given<Value> = Value | null | undefined

/** A discount, as a sentence says it back. Amounts are in major units. */
export type Described = {
  percent?: Given<number>
  amount?: Given<number>
  freeShipping?: Given<boolean>
  code?: Given<string>
  title?: Given<string>
  /** The names of its products and categories; none: everything. */
  goods: string[]
  audience?: Given<Audience>
  /** The names of the chosen customers. */
  customers: string[]
  minimum?: Given<number>
  from?: Given<string>
  to?: Given<string>
  maxUses?: Given<number>
  maxUsesEach?: Given<number>
  combinable?: Given<boolean>
}

/** Names in a sentence; more are counted. */
const MAX_NAMED = 3

const list = atFirstUse(() => new Intl.ListFormat('en-GB'))

function named(names: string[]): string {
  const more = names.length - MAX_NAMED
  return list().format(more > 1 ? [...names.slice(0, MAX_NAMED), `${more} more`] : names)
}

const dayFormat = (options: Intl.DateTimeFormatOptions) =>
  atFirstUse(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }))
const [DAY, MONTH_DAY, WHOLE] = [
  dayFormat({ day: 'numeric' }),
  dayFormat({ day: 'numeric', month: 'long' }),
  dayFormat({ day: 'numeric', month: 'long', year: 'numeric' }),
]

/** The days, with the year where it is not this one. */
function daysOf(from: Given<string>, to: Given<string>, year: string): string | null {
  const text = (day: string, format = day.startsWith(year) ? MONTH_DAY : WHOLE) =>
    format().format(new Date(day))
  if (from && to) {
    const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
    return from === to
      ? `on ${text(from)}`
      : `from ${text(from, isOneMonth ? DAY : undefined)} to ${text(to)}`
  }
  if (from) return `from ${text(from)}`
  return to ? `until ${text(to)}` : null
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const AUDIENCE_TEXTS: Record<Exclude<Audience, 'chosen'>, string> = {
  everybody: 'for everybody',
  confirmed: 'for customers with a confirmed e-mail address',
  first_order: 'for a first order',
}

const audienceText = (audience: Audience, customers: string[]) => {
  if (audience !== 'chosen') return AUDIENCE_TEXTS[audience]
  return customers.length > 0 ? `for ${named(customers)}` : 'for chosen customers'
}

/** Says a discount back, such as: 10 % off Mugs for everybody with the code SPRING, from 1 to 30 April. */
export function sentenceOf(discount: Described, money: (amount: number) => string, today: string) {
  const { percent, amount, freeShipping, code, goods, minimum, maxUses, maxUsesEach } = discount
  const value = percent ? `${percent} %` : money(amount ?? 0)
  const what = goods.length > 0 ? named(goods) : 'everything'
  const benefit = freeShipping
    ? `Free delivery${goods.length > 0 ? ` with ${what} in the cart` : ''}`
    : `${value} off ${what}`
  const audience = discount.audience ?? 'everybody'
  // customers are counted by their confirmed address
  const isLimited = maxUsesEach && audience === 'everybody'
  const who = audienceText(isLimited ? 'confirmed' : audience, discount.customers)
  const how = code ? `with the code ${code}` : 'without a code'
  const parts = [
    `${benefit} ${who} ${how}`,
    minimum ? `in carts from ${money(minimum)}` : null,
    daysOf(discount.from, discount.to, today.slice(0, 4)),
    maxUses ? (maxUses === 1 ? 'once in all' : `at most ${times(maxUses)}`) : null,
    maxUsesEach ? `${times(maxUsesEach)} a customer` : null,
    discount.combinable ? 'also together with other discounts' : null,
  ]
  return `${parts.filter((part) => part !== null).join(', ')}.`
}
