import { useEffect } from 'react'
import type { PaymentMethod } from '#app/orders/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { RadioGroup } from '#app/shared/web/form/radio-group.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { PaymentChoice as Choice } from '../contract.ts'
import { choicesAtom } from './choices.ts'

/** The value of a payment by the provider. */
const ONLINE = 'online'

const choose = (paymentMethod: PaymentMethod | undefined) =>
  choicesAtom.update((stored) => ({ ...stored, paymentMethod }))

type Props = {
  choices: Choice[]
  /** The method that the buyer has chosen; undefined: online. */
  wanted: PaymentMethod | undefined
}

/** The ways to pay. In a shop without a provider, the first one is chosen by default. */
export function PaymentChoice({ choices, wanted }: Props) {
  const { payments, currencyDisplay } = useShop()
  const money = useMoney()
  const isOnline = payments !== 'none'
  const chosen = choices.find(({ method }) => method === wanted)?.method
  const first = choices[0]?.method
  useEffect(() => {
    if (!isOnline && chosen === undefined) choose(first)
  }, [isOnline, chosen, first])
  return (
    <RadioGroup
      legend="Payment"
      name="payment-method"
      options={[
        ...(isOnline ? [{ value: ONLINE, label: 'Pay online' } as const] : []),
        ...choices.map(({ method, name, feeMinor }) => ({
          value: method,
          label: name,
          note: feeMinor > 0 ? `+ ${money(toMajor(feeMinor, currencyDisplay))}` : undefined,
        })),
      ]}
      chosen={chosen ?? ONLINE}
      onChoose={(value) => choose(value === ONLINE ? undefined : value)}
    />
  )
}
