/** The ways to pay for a cart without a provider: pure functions of the settings. */
import { PAYMENT_METHODS, type PaymentMethod } from '#app/orders/contract.ts'
import type { PaymentMethodSettings, PaymentMethods } from '#app/settings/admin-contract.ts'
import { toMinor } from '#app/shared/model/minor-units.ts'
import type { Place } from '#app/shipping/model.ts'
import type { Notice, PaymentChoice as PublicChoice } from '../contract.ts'

/** A way to pay with the days within which the order is to be paid. */
export type PaymentChoice = PublicChoice & { days: number }

type Cart = {
  place: Place | null
  /** The id of the shipping rate in the total; undefined when nothing is shipped. */
  shippingRate: string | undefined
  /** With discounts, shipping and tax, and without a fee. */
  totalMinor: number
  currency: string
}

function isOfferedFor(
  { isOffered, countries, maxTotal, shippingRates }: PaymentMethodSettings,
  { place, shippingRate, totalMinor, currency }: Cart,
): boolean {
  const isPlace = countries.length === 0 || (place !== null && countries.includes(place.country))
  const isRate =
    shippingRates.length === 0 ||
    shippingRates.some((id) => id.toLowerCase() === shippingRate?.toLowerCase())
  const isBelow = maxTotal === null || totalMinor <= toMinor(maxTotal, currency)
  return isOffered && isPlace && isRate && isBelow
}

/** The ways to pay that the shop offers for a cart. A cart that costs nothing has none. */
export function paymentChoicesOf(methods: PaymentMethods, cart: Cart): PaymentChoice[] {
  if (cart.totalMinor === 0) return []
  return PAYMENT_METHODS.filter((method) => isOfferedFor(methods[method], cart)).map((method) => {
    const { name, fee, days } = methods[method]
    return { method, name, feeMinor: toMinor(fee, cart.currency), days }
  })
}

/** Whether the country of a delivery decides about the ways to pay. */
export const varyByCountry = (methods: PaymentMethods): boolean =>
  PAYMENT_METHODS.some(
    (method) => methods[method].isOffered && methods[method].countries.length > 0,
  )

/** The notice that the chosen way to pay is none of the choices. */
export function paymentNotices(
  methods: PaymentMethods,
  choices: PaymentChoice[],
  requested: PaymentMethod | undefined,
): Notice[] {
  if (requested === undefined || choices.some(({ method }) => method === requested)) return []
  const message = `${methods[requested].name} is not offered for this cart.`
  return [{ about: 'payment', message, source: requested }]
}
