import type { PaymentMethodSettings, PaymentMethods } from '#app/settings/admin-contract.ts'
import { HIDDEN } from '#app/settings/server/defaults.ts'

type Offers = { [Method in keyof PaymentMethods]?: Partial<PaymentMethodSettings> }

/** The settings of a shop that offers these payment methods, with these values. */
export function paymentMethods({ pay_on_delivery, bank_transfer }: Offers): PaymentMethods {
  const defaults = HIDDEN.paymentMethods
  return {
    pay_on_delivery: {
      ...defaults.pay_on_delivery,
      ...(pay_on_delivery && { isOffered: true }),
      ...pay_on_delivery,
    },
    bank_transfer: {
      ...defaults.bank_transfer,
      ...(bank_transfer && { isOffered: true, instructions: 'IBAN DE02 1203 0000 0000 2020 51' }),
      ...bank_transfer,
    },
  }
}
