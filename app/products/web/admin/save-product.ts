/** How the page of a product begins, and what it sends. */
import { productAdminCalls } from '#app/products/admin-contract.ts'
import type { StoredProduct } from '#app/products/publication-contract.ts'
import type { Cells, VariantEdit } from '#app/products/variant-contract.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { editOf, NEW_OPTION, newOf, offerIn, photoIn } from './product-form.ts'
import type { Draft, Problem, Read } from './variants/draft.ts'
import { offerOf } from './variants/only-variant.ts'

/** A product with its options and variants. */
export type Stored = Read & { product: StoredProduct }

/** The cells that the form of a copy begins with; with options the lowest price, and no stock. */
export const firstCells = ({ options, variants }: Stored): Partial<Cells> =>
  options.length > 0
    ? { price: Math.min(...variants.map(({ price }) => price)), quantity: 0 }
    : { ...variants[0], sku: null, barcode: null }

/** A copy has none of the plans of its product. */
export const withoutPlans = (copied: StoredProduct) => ({
  ...copied,
  publishAt: undefined,
  unpublishAt: undefined,
  salePrice: undefined,
  saleFrom: undefined,
  saleUntil: undefined,
})

/** Changes a product and its variants, as far as they were changed. */
export function update(product: StoredProduct, form: FormData, edit: VariantEdit) {
  const isEdited = Object.keys(edit).length > 0
  const body = { ...editOf(product, form), ...(isEdited && { variants: edit }) }
  const params = { id: product._id }
  return call(productAdminCalls.updateProduct, { params, body, photo: photoIn(form) })
}

type New = {
  form: FormData
  copied: Stored | null | undefined
  /** The draft of its variants, which has what stands in the fields of a product without options. */
  sent: Draft
  /** Null where its fields say all of it. */
  edit: VariantEdit | null
  format: MoneyFormat
}

/** Creates a product. */
export function create({ form, copied, sent, edit, format }: New) {
  const body = {
    ...newOf(form, copied?.product),
    ...(form.has('price') ? offerIn(form) : offerOf(sent, format)),
    ...(edit && { variants: edit }),
  }
  return call(productAdminCalls.createProduct, { body, photo: photoIn(form) })
}

/** Refuses a form with an option that is typed and not added yet. */
export function requireAdded(form: FormData) {
  const field = Object.values(NEW_OPTION).find((name) => form.get(name))
  if (!field) return
  const message = 'Add the option first, or empty its fields.'
  throw new CallFailure(400, { message, fields: [{ field, message }] })
}

/** A draft that cannot be sent; without options its problems are at fields of the form. */
export const refusalOf = (
  { message, problems }: { message: string; problems: Problem[] },
  hasOptions: boolean,
) =>
  new CallFailure(400, {
    message,
    fields: hasOptions ? [] : problems.map((one) => ({ field: one.cell, message: one.message })),
  })
