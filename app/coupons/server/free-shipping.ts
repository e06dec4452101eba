/** Free delivery: the cheapest rate that is no pick-up costs nothing, the others keep their price. Pure. */
import { cheapestDelivery, type Shipping } from '#app/shipping/server/rates.ts'

export const TAKES_NOTHING = 'This code takes nothing off this cart.'

/** Why free delivery takes nothing off this shipping. It applies while it is not known what is delivered where. */
export function freeShippingRefusal(shipping: Shipping | null): string | null {
  if (shipping?.refusal) return null
  const free = cheapestDelivery(shipping?.choices ?? [])
  if (!free || free.amountMinor === 0) return TAKES_NOTHING
  return free.id === shipping?.chosen?.id
    ? null
    : `This code makes ${free.label} free. Choose it to use the code.`
}

/** The shipping with its cheapest delivery for nothing. */
export function withFreeShipping(shipping: Shipping | null): Shipping | null {
  if (shipping === null) return null
  const free = cheapestDelivery(shipping.choices)
  const priced = <Choice extends { id: string; amountMinor: number }>(choice: Choice) =>
    choice.id === free?.id ? { ...choice, amountMinor: 0 } : choice
  const { choices, chosen } = shipping
  return { ...shipping, choices: choices.map(priced), chosen: chosen && priced(chosen) }
}
