import type { ProductForm } from '#app/products/admin-contract.ts'
import type { Product } from '#app/products/contract.ts'
import { type Fields, fieldsOf } from '#app/shared/web/form/use-submit.ts'

/** The fields of the product form as texts, as a form holds them. */
export type ProductTexts = Record<keyof ProductForm, string>

/** What the form holds now; the photo apart. */
export const textsIn = (field: Fields): ProductTexts => ({
  name: field('name'),
  description: field('description'),
  price: field('price'),
  quantity: field('quantity'),
  category: field('category'),
  shipping: field('shipping'),
})

/** The chosen photo, if one was chosen. */
export function photoIn(form: FormData): File | undefined {
  const photo = form.get('photo')
  return photo instanceof File && photo.name !== '' ? photo : undefined
}

/** In a form lines end with LF; in what was imported perhaps with CR LF. */
const asInForm = (text: string) => text.replace(/\r\n?/g, '\n')

const textsOf = ({ category, ...product }: Product): ProductTexts => ({
  name: product.name,
  description: asInForm(product.description),
  price: String(product.price),
  quantity: String(product.quantity),
  category: category._id,
  shipping: String(product.shipping),
})

/** What a form holds before anything is written into it. */
const BLANK: ProductTexts = {
  ...{ name: '', description: '', price: '', quantity: '', category: '' },
  shipping: '0',
}

function changesOf(before: Record<string, string>, now: ProductTexts): Partial<ProductTexts> {
  const changed = Object.entries(now).filter(([name, text]) => asInForm(text) !== before[name])
  return Object.fromEntries(changed)
}

/** Whether the form holds anything that is not in the product as it was read, if it was. */
export function isChanged(form: FormData, read?: Product): boolean {
  const changes = changesOf(read ? textsOf(read) : BLANK, textsIn(fieldsOf(form)))
  return Object.keys(changes).length > 0 || photoIn(form) !== undefined
}

/**
 * What an edit sends: only what was changed, and when the product was read. A changed quantity
 * goes with the one that was read, so that what was sold meanwhile stays sold.
 */
export function editOf(read: Product, now: ProductTexts) {
  const edit = changesOf(textsOf(read), now)
  return {
    ...edit,
    ...(edit.quantity !== undefined && { quantityRead: read.quantity }),
    updatedAt: read.updatedAt,
  }
}
