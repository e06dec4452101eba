import type { ShippingChoice } from '#app/checkout/contract.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Props = {
  choices: ShippingChoice[]
  /** The id of the chosen rate. */
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** The rates by which the cart can be delivered. */
export function ShippingRateChoice({ choices, chosen, onChoose }: Props) {
  const money = useMoney()
  if (choices.length === 0) return null
  return (
    <fieldset className="space-y-2">
      <legend className="text-lg">Shipping</legend>
      {choices.map(({ _id, label, amountMinor }) => (
        <label key={_id} className="flex items-center gap-3">
          <input
            type="radio"
            name="shipping-rate"
            value={_id}
            checked={_id === chosen}
            onChange={() => onChoose(_id)}
            className="radio"
          />
          <span className="wrap-anywhere min-w-0 flex-1">{label}</span>
          <span>{amountMinor === 0 ? 'free' : money(amountMinor / 100)}</span>
        </label>
      ))}
    </fieldset>
  )
}
