/** Options and variants as the page of a product has them. */
import type { DetailedProduct } from '#app/products/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Choosable } from './shown-store.ts'

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
    variants: variants.map(([_id, values, price, before, quantity, isDefault]) => ({
      _id,
      values: options.map(({ slot }, at) => places[at]?.get(values[slot - 1] ?? '') ?? 0),
      price: toMajor(price, currency),
      ...(before !== null && before > price && { compareAt: toMajor(before, currency) }),
      quantity,
      ...(isDefault && { isDefault }),
    })),
  }
}
