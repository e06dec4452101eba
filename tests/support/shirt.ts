import { randomUUID } from 'node:crypto'
import { variantCalls } from '#app/products/variant-contract.ts'
import { createProduct, named } from './back-office.ts'
import type { Visitor } from './journey.ts'
import { combinations, option } from './variant-calls.ts'

/** A shirt in red and blue, S and M: red in S is the listed variant at $12.50, red in M is sold out, blue is reduced. */
export async function createShirt(admin: Visitor) {
  const { _id, name, slug } = await createProduct(admin, named('Shirt'))
  const colour = option(1, 'Colour', 'Red', 'Blue')
  for (const [at, swatch] of ['#c02020', '#2040c0'].entries())
    Object.assign(colour.values[at] ?? {}, { swatch })
  const size = option(2, 'Size', 'S', 'M')
  const [, redM, blueS, blueM] = combinations([colour, size])
  const cells = { weightGrams: null, sku: null, barcode: null }
  const added = [
    { values: redM ?? [], price: 12.5, compareAt: null, quantity: 0 },
    { values: blueS ?? [], price: 19, compareAt: 25, quantity: 9 },
    { values: blueM ?? [], price: 19, compareAt: 25, quantity: 3 },
  ].map((variant) => ({ _id: randomUUID(), ...cells, ...variant }))
  await admin.call(variantCalls.saveVariants, {
    params: { id: _id },
    body: { options: { from: [], to: [colour, size] }, added },
  })
  const [, , blueInM] = added
  return { _id, name, slug, blueInM: blueInM?._id ?? '' }
}
