/** What a card says of a product with options, and where it leads: nothing is bought unasked. */
import type { ProductCard } from '#app/products/contract.ts'

/** The id of the part of a product's page where a variant is chosen. */
export const CHOICE_ID = 'choose'

type Option = NonNullable<ProductCard['choices']>['options'][number]

const pluralOf = (noun: string) => {
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** The options with the number of their values: 'in 3 sizes and 2 colours'. */
export const optionsText = (options: Option[]): string =>
  `in ${options
    .map(
      ({ name, count }) =>
        `${count} ${count === 1 ? name.toLowerCase() : pluralOf(name.toLowerCase())}`,
    )
    .join(' and ')}`
