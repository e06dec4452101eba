import { categoryCalls } from '#app/categories/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import type { Call } from '#app/shared/web/call.ts'

export const categoriesOf = async (call: Call) => (await call(categoryCalls.getCategories)).category

/** A demo category in which other journeys have no products. */
export async function aCategory(call: Call) {
  const found = (await categoriesOf(call)).find(({ name }) => name === 'Home & Garden')
  if (!found) throw new Error('The shop has not the categories of the demo.')
  return found
}

/** Demo products that other journeys do not change. */
export async function demoProducts(call: Call) {
  const { _id } = await aCategory(call)
  return (await call(productCalls.filterProducts, { body: { checked: [_id] } })).products
}
