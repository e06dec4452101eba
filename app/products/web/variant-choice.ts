/** Which variant of a product is chosen, and to which one the choice of another value leads. */
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { CartEntry } from '#app/cart/web/cart.ts'
import type { SoldVariant } from '#app/products/sold-variant-contract.ts'
import type { DetailedProduct } from '../contract.ts'
import { nameOfVariant } from '../variant-model.ts'
import { type PackedProduct, unpackVariants } from './packed-variants.ts'

/** The variant of the address, else the listed one; null for a product without options. */
export function chosenVariant(
  { variants }: Pick<DetailedProduct, 'variants'>,
  id: string | null,
): SoldVariant | null {
  const found = variants?.find(({ _id }) => _id === id)
  return found ?? variants?.find(({ isListed }) => isListed) ?? null
}

/**
 * The chosen variant, which is in the address; the listed one has none. Each choice replaces the one before, so
 * that Back leaves the product.
 */
export function useVariant(given: PackedProduct | DetailedProduct) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const product = useMemo(() => unpackVariants(given), [given])
  const choose = ({ _id, isListed }: SoldVariant) =>
    void navigate(
      { search: isListed ? '' : `?variant=${_id}` },
      { replace: true, preventScrollReset: true },
    )
  const variant = chosenVariant(product, new URLSearchParams(search).get('variant'))
  return { product, variant, choose }
}

/** How many values two variants share. */
const alike = (one: SoldVariant, other: SoldVariant) =>
  one.values.filter((value, at) => value === other.values[at]).length

/**
 * The variant with this value of an option that shares most of the other values with the chosen one, one in stock
 * first; null when no variant has the value.
 */
export function variantWith(
  variants: SoldVariant[],
  chosen: SoldVariant,
  { option, value }: { option: number; value: number },
): SoldVariant | null {
  const [best = null] = variants
    .filter(({ values }) => values[option] === value)
    .toSorted(
      (one, other) =>
        alike(other, chosen) - alike(one, chosen) ||
        Number(other.quantity > 0) - Number(one.quantity > 0),
    )
  return best
}

/** The names of the values of a variant, such as 'Red' and 'M'. */
export const valuesOf = ({ options = [] }: DetailedProduct, { values: places }: SoldVariant) =>
  options.map(({ values }, at) => ({ value: values[places[at] ?? 0]?.name ?? '' }))

/** An entry with the ids of its product and variant, where it has options. */
type VariantEntry = CartEntry & { product?: string; variant?: string }

/** The entry of the cart for a variant; a product without options is its own entry. */
export function entryOf(product: DetailedProduct, variant: SoldVariant | null): VariantEntry {
  if (!variant) return product
  const { options: _, variants: __, formatted: ___, compareAt: ____, ...facts } = product
  const { _id, price, compareAt, quantity } = variant
  return {
    ...facts,
    product: product._id,
    variant: _id,
    _id,
    name: nameOfVariant({ name: product.name, options: valuesOf(product, variant) }),
    price,
    ...(compareAt && { compareAt }),
    quantity,
  }
}

/** The lowest and the highest price of a product with options, where they differ. */
export function priceRange({ variants }: Pick<DetailedProduct, 'variants'>) {
  const prices = variants?.map(({ price }) => price) ?? []
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return low < high ? { low, high } : null
}
