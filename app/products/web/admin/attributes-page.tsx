import { DialogButton, ItemActions, RowDialogs } from '#app/back-office/kit/dialog-button.tsx'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import {
  ATTRIBUTES_FAILED,
  type Attribute,
  attributeCalls,
  MAX_ATTRIBUTES,
} from '#app/products/attribute-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/attributes-page.ts'
import { AttributeDialog, KINDS } from './attribute-dialog.tsx'

export async function clientLoader() {
  const items = await loadOrToast(call(attributeCalls.getAttributes), ATTRIBUTES_FAILED)
  return items && { items, total: items.length }
}

/** Choices named in a row; more are counted. */
const MAX_NAMED = 4

function valuesOf({ kind, unit, choices }: Attribute): string {
  if (kind !== 'choice') return unit === null ? '' : `in ${unit}`
  const more = choices.length - MAX_NAMED
  const named = choices.slice(0, more > 1 ? MAX_NAMED : undefined).map(({ name }) => name)
  return [...named, ...(more > 1 ? [`${more} more`] : [])].join(', ')
}

function lossOf({ products }: Attribute): string {
  if (products === 0) return 'No product has a value of it.'
  const lose = products === 1 ? 'loses its' : 'lose their'
  return `${pluralize(products, 'product', false)} ${lose} value of it. This cannot be undone.`
}

const COLUMNS: Column<Attribute>[] = [
  { header: 'Name', csv: ({ name }) => name, phone: 'title' },
  { header: 'Kind', csv: ({ kind }) => KINDS[kind] },
  { header: 'Values', csv: valuesOf },
  {
    header: 'Narrows lists',
    phone: 'none',
    cell: ({ isFilterable }) => (isFilterable ? 'Yes' : 'No'),
  },
  { header: 'Products', align: 'end', csv: ({ products }) => products, phone: 'end' },
  {
    header: 'Actions',
    phone: 'break',
    cell: (one) => (
      <ItemActions
        object={one._id}
        name={one.name}
        edit={<AttributeDialog one={one} />}
        remove={() => call(attributeCalls.deleteAttribute, { params: { id: one._id } })}
        warning={lossOf(one)}
        failed="The attribute could not be deleted."
      />
    ),
  },
]

/** The attributes of products: creates, edits and deletes them. */
export default function AttributesPage({ loaderData }: Route.ComponentProps) {
  return (
    <RowDialogs>
      <TablePage
        title="Attributes"
        what="attribute"
        found={loaderData}
        columns={COLUMNS}
        nameOf={({ name }) => name}
        pageSize={MAX_ATTRIBUTES}
        tools={
          <DialogButton className="btn btn-primary" dialog={<AttributeDialog />}>
            New attribute
          </DialogButton>
        }
        empty={
          <div className="mx-auto max-w-prose space-y-2">
            <p className="font-semibold text-base">
              Attributes are facts about products, such as their material.
            </p>
            <p>
              Define one here, for example Material with the values Oak and Steel, and choose its
              value in the form of each product. Customers see it on the page of the product, and
              can narrow categories and searches by it.
            </p>
          </div>
        }
      />
    </RowDialogs>
  )
}
