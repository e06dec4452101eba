import type { AttributeValues } from '#app/products/attribute-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import type { ProductForm } from '#app/products/form-contract.ts'
import type { Publication, StoredProduct } from '#app/products/publication-contract.ts'
import {
  CELL_NAMES,
  type CellName,
  type FormCell,
  isFormCell,
} from '#app/products/variant-contract.ts'
import { CallFailure } from '#app/shared/web/call.ts'

/** The text fields of the product form. */
type ProductTexts = Record<keyof ProductForm | keyof Publication, string>

/** A product as it was read. */
type ReadProduct = DetailedProduct &
  Partial<Pick<StoredProduct, keyof Publication | 'attributeValues'>>

/** The name of the field of an attribute begins so; its id follows. */
const OF_ATTRIBUTE = 'attribute.'

export const fieldOfAttribute = (id: string) => OF_ATTRIBUTE + id

/** The names of the fields of an option that is not added yet. */
export const NEW_OPTION = { name: 'option.name', values: 'option.values' }

/** Fields that are sent as cells of variants, with the draft of them, or not at all. */
const OF_VARIANTS = new Set<string>([
  ...CELL_NAMES,
  ...Object.values(NEW_OPTION),
  'variants',
  'next',
])

/**
 * The texts of the form but the values of attributes and the cells of variants. A field without a control is not
 * among them, and keeps its value.
 */
export const textsIn = (form: FormData) =>
  Object.fromEntries(
    [...form].filter(
      ([name, value]) =>
        typeof value === 'string' && !name.startsWith(OF_ATTRIBUTE) && !OF_VARIANTS.has(name),
    ),
  ) as ProductTexts

/** The values of attributes in the form, without empty ones; those without a control are as they were read. */
function valuesIn(form: FormData, read: AttributeValues): AttributeValues {
  const entered = [...form]
    .filter(([name]) => name.startsWith(OF_ATTRIBUTE))
    .map(([name, value]) => [name.slice(OF_ATTRIBUTE.length), value] as const)
  const values = Object.entries({ ...read, ...Object.fromEntries(entered) })
  return Object.fromEntries(
    values.filter((one): one is [string, string] => typeof one[1] === 'string' && one[1] !== ''),
  )
}

const sorted = (values: AttributeValues) => JSON.stringify(Object.entries(values).toSorted())

/** The field with all values of attributes, where they differ from those that are stored. */
const attributesOf = (values: AttributeValues, stored: AttributeValues) =>
  sorted(values) === sorted(stored) ? {} : { attributes: JSON.stringify(values) }

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

type Copied = Pick<StoredProduct, '_id' | 'photo' | 'attributeValues'>

/** The body of a new product, which may begin as a copy of another one. */
export const newOf = (form: FormData, copied?: Copied | null) => ({
  ...textsIn(form),
  ...attributesOf(valuesIn(form, copied?.attributeValues ?? {}), {}),
  ...(copied && { copyOf: copied._id }),
})

/** The body of an edit: the changed fields, and the time of the last edit. */
export function editOf(read: ReadProduct, form: FormData) {
  const { attributeValues = {} } = read
  return {
    ...changesIn(form, read),
    ...attributesOf(valuesIn(form, attributeValues), attributeValues),
    updatedAt: read.updatedAt,
  }
}

/** The fields of a new product without options that are cells of its variant, as they were typed. */
export function offerIn(form: FormData): Record<FormCell, string> {
  const texts: string[][] = CELL_NAMES.filter(isFormCell).map((cell) => [cell, textIn(form, cell)])
  return Object.fromEntries(texts)
}

const textIn = (form: FormData, name: CellName) => String(form.get(name) ?? '')

/** The path of a cell in the body of a save. */
const OF_CELL = /^variants\.(?:changed|added)\.\d+\.(\w+?)(?:\.to)?$/

/** A refusal of a product without options: what is about its only variant is about the fields of that. */
export function atFields({ status, code, serverMessage, requestId, fields }: CallFailure) {
  return new CallFailure(status, {
    ...(code && { code }),
    ...(serverMessage !== null && { message: serverMessage }),
    ...(requestId !== null && { requestId }),
    fields: fields.map((problem) => {
      const cell = OF_CELL.exec(problem.field)?.[1]
      if (cell === undefined) return problem
      return { field: cell, message: problem.message.replace(`${problem.field} `, `${cell} `) }
    }),
  })
}
