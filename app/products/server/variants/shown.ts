/** Options and variants as the page of a product has them. */
import type { DetailedProduct, ProductCard } from '#app/products/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Choices, Choosable } from './shown-store.ts'

/** Options and variants of a product, where it has any; values by their places, because there may be 500 variants. */
export function presentChoosable({
  options,
  variants,
  currency,
}: Choosable & { currency: string }): Pick<DetailedProduct, 'options' | 'variants'> {
  if (!variants) return {}
  const places = options.map(({ values }) => new Map(values.map(({ _id }, at) => [_id, at])))
  return {
    options: options.map(({ name, values }) => ({
      name,
      values: values.map((value) => ({
        name: value.name,
        ...(value.swatch && { swatch: value.swatch }),
      })),
    })),
    variants: variants.map(([_id, values, price, before, quantity, isListed]) => ({
      _id,
      values: options.map(({ slot }, at) => places[at]?.get(values[slot - 1] ?? '') ?? 0),
      price: toMajor(price, currency),
      ...(before !== null && { compareAt: toMajor(before, currency) }),
      quantity,
      ...(isListed && { isListed }),
    })),
  }
}

const pluralOf = (noun: string) => {
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** What a card says of a product with options. */
export const presentChoices = ({
  options,
  inStock,
  isFrom,
}: Choices): NonNullable<ProductCard['choices']> => ({
  text: `in ${options
    .map(({ name, count }) => {
      const noun = name.toLowerCase()
      return `${count} ${count === 1 ? noun : pluralOf(noun)}`
    })
    .join(' and ')}`,
  ...(isFrom && { from: 'from' as const }),
  inStock,
})
