import type { ProductForm } from '#app/products/admin-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import { type Fields, fieldsOf } from '#app/shared/web/form/use-submit.ts'

/** The text fields of the product form. */
export type ProductTexts = Record<keyof ProductForm, string>

/** The form's current values without the photo. */
export const textsIn = (field: Fields): ProductTexts => ({
  name: field('name'),
  description: field('description'),
  price: field('price'),
  quantity: field('quantity'),
  category: field('category'),
  shipping: field('shipping'),
  weightGrams: field('weightGrams'),
  taxClass: field('taxClass'),
})

/** The selected photo, if any. */
export function photoIn(form: FormData): File | undefined {
  const photo = form.get('photo')
  return photo instanceof File && photo.name !== '' ? photo : undefined
}

/** Normalizes CR LF, which imported texts may contain, to the form's LF. */
const asInForm = (text: string) => text.replace(/\r\n?/g, '\n')

const textsOf = ({ category, ...product }: DetailedProduct): ProductTexts => ({
  name: product.name,
  description: asInForm(product.description),
  price: String(product.price),
  quantity: String(product.quantity),
  category: category._id,
  shipping: String(product.shipping),
  weightGrams: String(product.weightGrams ?? ''),
  taxClass: product.taxClass ?? '',
})

/** The values of an empty form. */
const BLANK: ProductTexts = {
  name: '',
  description: '',
  price: '',
  quantity: '',
  category: '',
  shipping: '1',
  weightGrams: '',
  taxClass: '',
}

function changesOf(before: Record<string, string>, now: ProductTexts): Partial<ProductTexts> {
  const changed = Object.entries(now).filter(([name, text]) => asInForm(text) !== before[name])
  return Object.fromEntries(changed)
}

/** Whether the form differs from the product as it was read, or from an empty form. */
export function isChanged(form: FormData, read?: DetailedProduct): boolean {
  const changes = changesOf(read ? textsOf(read) : BLANK, textsIn(fieldsOf(form)))
  return Object.keys(changes).length > 0 || photoIn(form) !== undefined
}

/**
 * The body of an edit: the changed fields, and the time of the last edit. A changed quantity is
 * sent with the quantity that was read, so that concurrent sales are subtracted.
 */
export function editOf(read: DetailedProduct, now: ProductTexts) {
  const edit = changesOf(textsOf(read), now)
  return {
    ...edit,
    ...(edit.quantity !== undefined && { quantityRead: read.quantity }),
    updatedAt: read.updatedAt,
  }
}
