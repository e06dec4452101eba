import type { ShippingChoice } from '#app/checkout/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { RadioGroup } from '#app/shared/web/form/radio-group.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Props = {
  choices: ShippingChoice[]
  /** The id of the chosen rate. */
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** The rates by which the cart can be delivered. */
export function ShippingRateChoice({ choices, chosen, onChoose }: Props) {
  const { currencyDisplay } = useShop()
  const money = useMoney()
  if (choices.length === 0) return null
  return (
    <RadioGroup
      legend="Shipping"
      name="shipping-rate"
      options={choices.map(({ _id, label, amountMinor }) => ({
        value: _id,
        label,
        note: amountMinor === 0 ? 'free' : money(toMajor(amountMinor, currencyDisplay)),
      }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}
