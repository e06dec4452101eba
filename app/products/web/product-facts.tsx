import type { PropertyValue } from 'schema-dts'
import { formatMoneyBy } from '#app/shared/model/format-money.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { ShownAttribute } from '../shown-attribute-contract.ts'

/** A number of five digits or more is grouped: 12,500, and the year 2026. */
const LEAST_GROUPED = 5

/** Formats a number as prices are, without their currency. */
function useNumber() {
  const { currencyDisplay, moneyFormats } = useShop()
  const format = moneyFormats[currencyDisplay]
  return (value: number) =>
    format
      ? formatMoneyBy(
          {
            ...format,
            affixes: ['', ''],
            negativeAffixes: ['-', ''],
            // amounts in some currencies have none
            decimal: format.decimal || (format.group === ',' ? '.' : ','),
            digits: String(value).split('.')[1]?.length ?? 0,
            leastGrouped: Math.max(format.leastGrouped, LEAST_GROUPED),
          },
          value,
        )
      : String(value)
}

/** The attributes of a product, each with its value. */
export function ProductFacts({ attributes }: { attributes: ShownAttribute[] }) {
  const number = useNumber()
  const textOf = ({ value, unit }: ShownAttribute) => {
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    if (typeof value === 'string') return value
    return unit === undefined ? number(value) : `${number(value)} ${unit}`
  }
  return (
    <dl className="facts">
      {attributes.map((attribute) => (
        <div key={attribute.name}>
          <dt>{attribute.name}</dt>
          <dd>{textOf(attribute)}</dd>
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
