/** The back office's calls for products: create, edit, delete, CSV import and export. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FailureBody } from '../shared/contract/failure.ts'
import { Done, Id, Streamed, Text } from '../shared/contract/fields.ts'
import { sentAttributes } from './attribute-contract.ts'
import { ListedProduct } from './contract.ts'
import { MAX_QUANTITY, ProductForm, REASON_LENGTH } from './form-contract.ts'
import { publication } from './publication-contract.ts'
import { VariantEdit } from './variant-contract.ts'

const Saved = Type.Object({ ...Done.properties, products: ListedProduct })

/** The message when a product is saved into a category that was deleted meanwhile. */
export const CATEGORY_GONE = 'This category does not exist any more. Please choose another.'

/** The message when a product is saved with a tax class that was deleted meanwhile. */
export const TAX_CLASS_GONE = 'This tax class does not exist any more. Please choose another.'

const ById = Type.Object({ id: Id })

export const productAdminCalls = {
  createProduct: endpoint({
    method: 'POST',
    path: '/product/create-product',
    access: 'admin',
    summary: 'Adds a product, with or without a photo',
    multipart: true,
    body: Type.Object({
      ...ProductForm.properties,
      ...publication,
      attributes: sentAttributes,
      variants: Type.Optional({
        ...VariantEdit,
        description:
          'The options, and with `added` all variants that it begins with: its price, quantity and weight are theirs',
      }),
      copyOf: Type.Optional({
        ...Id,
        description:
          'A product whose photos are copied, and without `variants` its options, and its variants without stock and codes',
      }),
    }),
    answer: Saved,
    status: 201,
  }),
  updateProduct: endpoint({
    method: 'PUT',
    path: '/product/update-product/:id',
    access: 'admin',
    summary: 'Changes what is sent; with updatedAt, never on top of a change not seen',
    multipart: true,
    params: ById,
    body: Type.Object({
      ...Type.Partial(ProductForm).properties,
      ...publication,
      attributes: sentAttributes,
      variants: Type.Optional({
        ...VariantEdit,
        description: 'Changes of options and variants, as the call for them has them',
      }),
      updatedAt: Type.Optional(
        Text({ maxLength: 40, description: 'As last read: refuses to save over a later edit' }),
      ),
      quantityRead: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_QUANTITY,
          description:
            'The quantity as last read: what was sold since is taken from the quantity sent',
        }),
      ),
      reason: Type.Optional(
        Text({
          maxLength: REASON_LENGTH,
          description: 'Of a correction of stock, for its history',
        }),
      ),
    }),
    answer: Saved,
  }),
  deleteProduct: endpoint({
    method: 'DELETE',
    path: '/product/delete-product/:id',
    access: 'admin',
    summary: 'Deletes a product; past orders keep what they sold',
    params: ById,
    answer: Done,
  }),
} satisfies Contract

const Flag = Type.Optional(Type.Boolean())

export const ImportOptions = Type.Object({
  dryRun: Flag,
  createCategories: Flag,
  partial: Flag,
})
export type ImportOptions = Static<typeof ImportOptions>

/** The result of an import or of its check: the number of rows of each kind. */
export const ImportReport = Type.Object({
  rows: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  quantities: Type.Integer({ description: 'Products that get another quantity' }),
  descriptions: Type.Integer({
    description: 'Products whose description was HTML: it becomes Markdown',
  }),
  categories: Type.Integer({ description: 'New ones' }),
  wrong: Type.Integer(),
  problems: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
    description:
      'The first hundred wrong rows, by the line they start in, each with all its problems',
  }),
})
export type ImportReport = Static<typeof ImportReport>

/** A line of the import's response; the last one is the outcome. */
export type ImportStep =
  | { step: 'checking'; rows: number }
  | { step: 'writing'; rows: number; of: number }
  | { step: 'done'; success: boolean; imported: boolean; message: string; report: ImportReport }
  | ({ step: 'failed' } & FailureBody)

/** The maximum size of an import file. */
export const MAX_CSV_BYTES = 50 * 1024 * 1024

export const productCsvCalls = {
  exportProducts: endpoint({
    method: 'GET',
    path: '/product/export',
    access: 'admin',
    summary: 'Every product as CSV, oldest first',
    answer: Streamed,
  }),
  importProducts: endpoint({
    method: 'POST',
    path: '/product/import',
    access: 'admin',
    summary: 'Reads a CSV of products; answers lines of JSON, how far it is and what came of it',
    upload: 'text/csv',
    query: ImportOptions,
    answer: Streamed,
  }),
} satisfies Contract
