import { atom } from 'nanostores'
import { useBuyer } from '#app/accounts/web/buyer.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '#app/orders/contract.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { storedAtom, useStore } from '#app/shared/web/storage.ts'
import type { StartChoices } from '../contract.ts'

/** The buyer's choices in this tab. */
export type BuyerChoices = {
  couponCodes: string[]
  shippingRate?: string | undefined
  /** A way to pay without a provider. */
  paymentMethod?: PaymentMethod | undefined
  /** The delivery address, and who entered it; null is a guest. */
  delivery?: { buyerId: string | null; address: NonNullable<StartChoices['delivery']> } | undefined
  /** The billing address, undefined until it is entered, and the buyer who chose to have one. */
  billing?: { buyerId: string; address?: StartChoices['billing'] } | undefined
}

const NO_CHOICES: BuyerChoices = { couponCodes: [] }

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

const isText = (value: unknown) => typeof value === 'string'

function cleanDelivery(stored: unknown): BuyerChoices['delivery'] {
  const { buyerId = null, address } = Object(stored)
  const parts = Object.values(Object(address))
  return parts.length > 0 && parts.every(isText) ? { buyerId, address } : undefined
}

function cleanBilling(stored: unknown): BuyerChoices['billing'] {
  const { buyerId } = Object(stored)
  return isId(buyerId) ? { buyerId, address: cleanDelivery(stored)?.address } : undefined
}

/** The valid part of a stored value. */
function cleanChoices(stored: unknown): BuyerChoices {
  const choices: { [Name in keyof BuyerChoices]?: unknown } = Object(stored)
  return {
    couponCodes: texts(choices.couponCodes),
    shippingRate: isId(choices.shippingRate) ? choices.shippingRate : undefined,
    paymentMethod: PAYMENT_METHODS.find((method) => method === choices.paymentMethod),
    delivery: cleanDelivery(choices.delivery),
    billing: cleanBilling(choices.billing),
  }
}

/** The buyer's choices beside the cart, stored until the tab is closed. */
export const choicesAtom = storedAtom(
  'checkout',
  atom(NO_CHOICES),
  cleanChoices,
  () => sessionStorage,
)

export type Billing = BuyerChoices['billing']

/** Whether the buyer is billed at another address, and where; not what another buyer chose in this tab. */
export function useBilling(): Billing {
  const buyer = useBuyer()
  const { billing } = useStore(choicesAtom)
  return billing?.buyerId === buyer?._id ? billing : undefined
}
