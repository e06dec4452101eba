/** The buyer transfers the money to the merchant's bank account, with the order's number as the reference. */
import { byHand } from './by-hand.ts'

export const bankTransfer = byHand('bank_transfer', 'bank transfer')
