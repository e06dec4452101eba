/** The buyer pays the carrier or the merchant when the goods arrive. */
import { byHand } from './by-hand.ts'

export const payOnDelivery = byHand('pay_on_delivery', 'pay on delivery')
