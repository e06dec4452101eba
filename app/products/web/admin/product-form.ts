import type { ProductForm } from '#app/products/admin-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import type { Publication, StoredProduct } from '#app/products/publication-contract.ts'

/** The text fields of the product form. */
type ProductTexts = Record<keyof ProductForm | keyof Publication, string>

/** A product as it was read. */
type ReadProduct = DetailedProduct & Partial<Pick<StoredProduct, keyof Publication>>

/** The texts of the form. A field without a control is not among them, and keeps its value. */
export const textsIn = (form: FormData) =>
  Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as ProductTexts

/** The selected photo, if any. */
export function photoIn(form: FormData): File | undefined {
  const photo = form.get('photo')
  return photo instanceof File && photo.name !== '' ? photo : undefined
}

/** Normalizes CR LF, which imported texts may contain, to the form's LF. */
const asInForm = (text: string) => text.replace(/\r\n?/g, '\n')

/** The text of a field as the product was read. */
function textOf(name: keyof ProductTexts, read: ReadProduct): string {
  const value = read[name] ?? ''
  return asInForm(String(typeof value === 'object' ? value._id : value))
}

/** The fields that differ from the product as it was read. */
function changesIn(form: FormData, read: ReadProduct): Partial<ProductTexts> {
  const texts = Object.entries(textsIn(form)) as [keyof ProductTexts, string][]
  return Object.fromEntries(texts.filter(([name, text]) => asInForm(text) !== textOf(name, read)))
}

/**
 * The body of an edit: the changed fields, and the time of the last edit. A changed quantity is
 * sent with the quantity that was read, so that concurrent sales are subtracted.
 */
export function editOf(read: ReadProduct, form: FormData) {
  const edit = changesIn(form, read)
  return {
    ...edit,
    ...(edit.quantity !== undefined && { quantityRead: read.quantity }),
    updatedAt: read.updatedAt,
  }
}
