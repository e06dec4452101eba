import type { PropertyValue } from 'schema-dts'
import { formatDigitsBy } from '#app/shared/model/format-money.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { ShownAttribute } from '../shown-attribute-contract.ts'

/** The attributes of a product, each with its value: numbers as prices are written, but years without groups. */
export function ProductFacts({ attributes }: { attributes: ShownAttribute[] }) {
  const { currencyDisplay, moneyFormats } = useShop()
  const format = moneyFormats[currencyDisplay]
  const textOf = (value: ShownAttribute['value']) => {
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    if (typeof value === 'string' || !format) return value
    const digits = formatDigitsBy({ ...format, leastGrouped: 5 }, String(Math.abs(value)))
    return value < 0 ? `-${digits}` : digits
  }
  return (
    <dl className="wrap-anywhere w-full max-w-prose border-base-300 border-b">
      {attributes.map(({ name, value, unit }) => (
        <div key={name} className="flex gap-6 border-base-300 border-t py-2">
          <dt className="min-w-0 flex-1 text-base-content/75">{name}</dt>
          <dd className="min-w-0 flex-[2]">
            {textOf(value)} {unit}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The attributes of a product as structured data. */
export const propertyValues = ({ attributes }: { attributes?: ShownAttribute[] }) =>
  attributes && {
    additionalProperty: attributes.map(
      ({ name, value, unit }): PropertyValue => ({
        '@type': 'PropertyValue',
        name,
        value,
        ...(unit !== undefined && { unitText: unit }),
      }),
    ),
  }
