/** The back office's calls for the options and variants of a product. */
import { type Static, type TSchema, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import {
  Done,
  FilledCode,
  FilledName,
  FilledText,
  Id,
  Nullable,
  Slug,
  stripped,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import { MAX_WEIGHT_GRAMS, ProductForm, REASON_LENGTH } from './form-contract.ts'

export const MAX_OPTIONS = 3
/** The values of an option. */
export const MAX_VALUES = 100
export const MAX_VARIANTS = 500

const OptionValue = Type.Object({
  _id: { ...Id, description: 'The client makes that of a new one' },
  name: FilledName(50),
  swatch: Nullable(
    Type.String({ pattern: '^#[0-9a-f]{6}$', description: 'A colour beside the name' }),
  ),
})

export const ProductOption = Type.Object({
  slot: Type.Integer({
    minimum: 1,
    maximum: MAX_OPTIONS,
    description: 'The place of its value in the values of a variant; it never changes',
  }),
  name: FilledName(50),
  values: Type.Array(OptionValue, { minItems: 1, maxItems: MAX_VALUES }),
})
export type ProductOption = Static<typeof ProductOption>

const Options = Type.Array(ProductOption, {
  maxItems: MAX_OPTIONS,
  description: 'In the order in which they are shown',
})

const { price, quantity } = ProductForm.properties

/** Cells that are amounts in the shop's currency. */
const amounts = {
  price,
  compareAt: Nullable({ ...price, description: 'The price before a reduction' }),
}

/** What a variant has beside its values. */
const cells = {
  ...amounts,
  quantity,
  weightGrams: Nullable(Type.Integer({ minimum: 0, maximum: MAX_WEIGHT_GRAMS })),
  sku: Nullable(FilledCode(64)),
  barcode: Nullable(
    stripped(
      'code',
      Type.String({
        pattern: '^(\\d{8}|\\d{12,14})$',
        description: 'A GTIN of 8, 12, 13 or 14 digits; the last one checks the others',
      }),
    ),
  ),
}
const Cells = Type.Object(cells)
export type Cells = Static<typeof Cells>
export type CellName = keyof Cells
export const CELL_NAMES = Object.keys(cells) as CellName[]
/** The names of the cells, in the back office and in messages about them. */
export const CELL_LABELS: Record<CellName, string> = {
  price: 'Price',
  compareAt: 'Compare at',
  quantity: 'Stock',
  weightGrams: 'Weight in grams',
  sku: 'SKU',
  barcode: 'Barcode',
}
/** Whether a cell is an amount in the shop's currency. */
export const isMoneyCell = (cell: CellName) => cell in amounts
export type FormCell = Extract<CellName, keyof ProductForm>
// written out, as schemas are empty in the browser
const formCells: Record<FormCell, true> = { price: true, quantity: true, weightGrams: true }
/** Whether the call for a product has a field for a cell; the others are sent with `variants` only. */
export const isFormCell = (cell: CellName): cell is FormCell => cell in formCells

const values = Type.Array(Nullable(Id), {
  minItems: MAX_OPTIONS,
  maxItems: MAX_OPTIONS,
  description: 'By slot; null without an option',
})

export const Variant = Type.Object({
  _id: Id,
  values,
  held: Type.Integer({ description: 'Pieces in payments that are open' }),
  ...cells,
  updatedAt: Timestamp,
})
export type Variant = Static<typeof Variant>

/** The options and variants of a product as they are edited. */
export const storedVariants = { options: Options, variants: Type.Array(Variant) }

/** A change of a cell; `from` is compared with what is stored. */
const change = <S extends TSchema>(cell: S, from = cell) =>
  Type.Optional(Type.Object({ from, to: cell }))

const changes = Object.fromEntries(
  CELL_NAMES.map((name) => [name, change<TSchema>(cells[name])]),
) as { [Name in CellName]: ReturnType<typeof change<(typeof cells)[Name]>> }

const VariantChange = Type.Object({
  _id: Id,
  updatedAt: Text({ maxLength: 40, description: 'As last read' }),
  ...changes,
  // a stored one may have characters that are removed from codes since
  sku: change(cells.sku, Nullable(FilledText(64))),
})
export type VariantChange = Static<typeof VariantChange>

const NewVariant = Type.Object({
  _id: { ...Id, description: 'The client makes it' },
  values,
  ...cells,
})
export type NewVariant = Static<typeof NewVariant>

export const VariantEdit = Type.Object({
  options: Type.Optional(
    Type.Object(
      { from: Options, to: Options },
      {
        description:
          'All options. The variants that stay have the first value of a new one, and none of a removed one',
      },
    ),
  ),
  changed: Type.Optional(Type.Array(VariantChange, { maxItems: MAX_VARIANTS })),
  added: Type.Optional(Type.Array(NewVariant, { maxItems: MAX_VARIANTS })),
  removed: Type.Optional(Type.Array(Id, { maxItems: MAX_VARIANTS })),
  order: Type.Optional(
    Type.Array(Id, { maxItems: MAX_VARIANTS, description: 'All variants in their new order' }),
  ),
  reason: Type.Optional(
    Text({ maxLength: REASON_LENGTH, description: 'Of a correction of stock, for its history' }),
  ),
})
export type VariantEdit = Static<typeof VariantEdit>

export const NOTHING_CHANGED = 'Nothing is changed.'

/** An edit of nothing is none. The schema refuses lists that are none. */
function editProblems(edit: VariantEdit): FieldProblem[] {
  const { changed } = edit
  const { reason: _, changed: _changed, ...parts } = VariantEdit.properties
  const isPartSent = (Object.keys(parts) as (keyof typeof parts)[]).some((name) => {
    const sent = edit[name]
    return sent !== undefined && (!Array.isArray(sent) || sent.length > 0)
  })
  const isCellSent = Array.isArray(changed)
    ? changed.some((sent) => CELL_NAMES.some((cell) => Object(sent)[cell]))
    : changed !== undefined
  return isCellSent || isPartSent ? [] : [{ field: 'changed', message: NOTHING_CHANGED }]
}

const ById = Type.Object({ id: Id })

export const variantCalls = {
  getVariants: endpoint({
    method: 'GET',
    path: '/product/variants/:id',
    access: 'admin',
    summary: 'The options and variants of a product',
    params: ById,
    answer: Type.Object({
      product: Type.Object({ _id: Id, name: Type.String(), slug: Slug }),
      ...storedVariants,
    }),
  }),
  saveVariants: endpoint({
    method: 'PUT',
    path: '/product/variants/:id',
    access: 'admin',
    summary: 'Changes what is sent of options and variants, all of it or nothing',
    params: ById,
    body: VariantEdit,
    rules: editProblems,
    answer: Type.Object({
      ...Done.properties,
      variants: Type.Array(
        Type.Object({
          _id: Id,
          updatedAt: Timestamp,
          quantity: Type.Optional(
            Type.Integer({ description: 'Where it is not the one sent: some were sold meanwhile' }),
          ),
        }),
        { description: 'Those that were written' },
      ),
    }),
  }),
} satisfies Contract
