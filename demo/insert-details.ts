/** Sizes and attributes of the products of the demo. */
import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Schema } from '#db/schema.ts'
import { newestFirst } from './catalogue.ts'
import type { DemoFacts } from './demo-category.ts'

type Stored = { id: string; name: string; offer: { price_minor: number } }

const DETAILED = newestFirst().map(({ product }) => product)

/** The variant of the product is its first size; each other one is another variant at the same price. */
async function insertSizes(
  tx: Database,
  { id: product_id, offer: { price_minor } }: Stored,
  sizes: [string, number][],
) {
  await tx
    .insertInto('product_options')
    .values({ product_id, slot: 1, position: 0, name: 'Size' })
    .execute()
  const values = sizes.map(([name], position) => ({
    id: uuidv7(),
    product_id,
    slot: 1,
    position,
    name,
  }))
  await tx.insertInto('option_values').values(values).execute()
  const [first, ...others] = values.map(({ id }) => id)
  await tx
    .updateTable('variants')
    .set({ value1: first })
    .where('product_id', '=', product_id)
    .execute()
  const variants = others.map((value1, at) => ({
    id: randomUUID(),
    product_id,
    position: at + 1,
    value1,
    price_minor,
    quantity: sizes[at + 1]?.[1] ?? 0,
  }))
  await tx.insertInto('variants').values(variants).execute()
}

type Attribute = Pick<Insertable<Schema['attributes']>, 'kind' | 'unit'>

const ATTRIBUTES: Record<keyof DemoFacts, Attribute> = {
  Material: { kind: 'choice' },
  'Machine-washable': { kind: 'yes_no' },
  Capacity: { kind: 'number', unit: 'l' },
}

/** Inserts the attributes, and the materials as choices by their names. Returns the ids of both. */
async function insertAttributes(tx: Database) {
  const rows = Object.entries(ATTRIBUTES).map(([name, attribute]) => ({
    id: uuidv7(),
    name,
    is_filterable: true,
    ...attribute,
  }))
  await tx.insertInto('attributes').values(rows).execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  const materials = [...new Set(DETAILED.flatMap(({ facts }) => facts?.Material ?? []))].sort()
  const choices = materials.map((name, position) => ({
    id: uuidv7(),
    attribute_id: ids.get('Material') ?? '',
    position,
    name,
  }))
  await tx.insertInto('attribute_choices').values(choices).execute()
  return { ids, choices: new Map(choices.map(({ id, name }) => [name, id])) }
}

/** Inserts the sizes and the facts of the demo's products. */
export async function insertDetails(tx: Database, products: Stored[]): Promise<void> {
  const byName = new Map(products.map((product) => [product.name, product]))
  const { ids, choices } = await insertAttributes(tx)
  for (const { name, sizes, facts = {} } of DETAILED) {
    const product = byName.get(name)
    if (!product) continue
    if (sizes) await insertSizes(tx, product, Object.entries(sizes))
    const values = Object.entries(facts).map(([attribute, text]) => {
      const choice_id = choices.get(text) ?? null
      return {
        product_id: product.id,
        attribute_id: ids.get(attribute) ?? '',
        choice_id,
        value: choice_id ? null : text,
      }
    })
    if (values.length > 0) await tx.insertInto('product_attributes').values(values).execute()
  }
}
