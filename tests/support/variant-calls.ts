import { randomUUID } from 'node:crypto'
import type {
  Cells,
  NewVariant,
  ProductOption,
  Variant,
  VariantEdit,
} from '#app/products/variant-contract.ts'
import type { TestShop } from './shop.ts'

/** What the back office has of a product with variants. */
export type Variants = {
  product: { _id: string; name: string; slug: string }
  options: ProductOption[]
  variants: Variant[]
}

/** An option with these values. */
export const option = (slot: number, name: string, ...values: string[]): ProductOption => ({
  slot,
  name,
  values: values.map((value) => ({ _id: randomUUID(), name: value, swatch: null })),
})

const NO_CELLS: Cells = {
  price: 12.5,
  compareAt: null,
  quantity: 10,
  weightGrams: null,
  sku: null,
  barcode: null,
}

/** All combinations of the values of options. */
export const combinations = (options: ProductOption[]): (string | null)[][] =>
  [1, 2, 3].reduce<(string | null)[][]>(
    (rows, slot) => {
      const values = options.find((one) => one.slot === slot)?.values.map(({ _id }) => _id) ?? [
        null,
      ]
      return rows.flatMap((row) => values.map((value) => [...row, value]))
    },
    [[]],
  )

/** The calls of an admin on the variants of products. */
export function variantCallsOf(shop: TestShop, token: () => string) {
  const load = async (id: string): Promise<Variants> =>
    (await shop.get<Variants>(`/product/variants/${id}`, { token: token() })).body
  const save = <Body = { variants: { _id: string; updatedAt: string; quantity?: number }[] }>(
    id: string,
    edit: VariantEdit,
  ) => shop.put<Body>(`/product/variants/${id}`, { token: token(), body: edit })
  /** Gives a product these options, and all combinations of their values; its own variant has the first ones. */
  async function make(id: string, options: ProductOption[], cells: Partial<Cells> = {}) {
    const { options: from } = await load(id)
    const [, ...others] = combinations(options)
    const added = others.map(
      (values): NewVariant => ({ _id: randomUUID(), values, ...NO_CELLS, ...cells }),
    )
    await save(id, { options: { from, to: options }, added })
    return load(id)
  }
  return { load, save, make }
}

/** The variant with these values, by their names. */
export function variantOf({ options, variants }: Variants, ...names: string[]): Variant {
  const ids = options.map(({ slot, values }, at) => ({
    slot,
    id: values.find(({ name }) => name === names[at])?._id,
  }))
  const found = variants.find(({ values }) => ids.every(({ slot, id }) => values[slot - 1] === id))
  if (!found) throw new Error(`There is no variant ${names.join(' / ')}.`)
  return found
}
