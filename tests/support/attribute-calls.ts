import type { Attribute, AttributeForm } from '#app/products/attribute-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import { formOf } from './form.ts'
import type { TestShop } from './shop.ts'

const NEW: AttributeForm = {
  name: 'Material',
  kind: 'text',
  unit: null,
  isFilterable: true,
  choices: [],
}
type Saved = { message: string; attribute: Attribute; fields?: { field: string }[] }
type Sold = { id: string; slug: string }

/** The calls of an admin on attributes. */
export function attributeCallsOf(shop: TestShop, token: () => string) {
  const as = (body?: unknown) => ({ token: token(), body })
  const create = (facts: object) =>
    shop.post<Saved>('/product/attributes', as({ ...NEW, ...facts }))
  const added = async (facts: object) => (await create(facts)).body.attribute
  return {
    create,
    added,
    /** Adds an attribute with these choices. */
    choice: (name: string, ...names: string[]) =>
      added({ name, kind: 'choice', choices: names.map((name) => ({ name })) }),
    change: ({ _id, products: _, ...attribute }: Attribute, facts: object) =>
      shop.put<Saved>(`/product/attributes/${_id}`, as({ ...attribute, ...facts })),
    remove: ({ _id }: { _id: string }) => shop.delete(`/product/attributes/${_id}`, as()),
    listed: async (id: string) =>
      (await shop.get<Attribute[]>('/product/attributes', as())).body.find(({ _id }) => _id === id),
    describeAs: ({ id }: Sold, values: Record<string, string>) =>
      shop.put<{ message: string }>(
        `/product/update-product/${id}`,
        as(formOf({ attributes: JSON.stringify(values) })),
      ),
    /** The values on the page of a product. */
    shown: async ({ slug }: { slug: string }) =>
      (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
        .attributes,
  }
}
