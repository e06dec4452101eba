import { useState } from 'react'
import { Link } from 'react-router'
import { Card, Columns } from '#app/back-office/kit/card.tsx'
import { Combobox } from '#app/back-office/kit/combobox.client.tsx'
import { Field, Money, NumberField, Row, Select } from '#app/back-office/kit/fields.tsx'
import { PhotoField } from '#app/back-office/kit/files.tsx'
import type { Category } from '#app/categories/contract.ts'
import type { Attribute } from '#app/products/attribute-contract.ts'
import { type DetailedProduct, photoUrl } from '#app/products/contract.ts'
import type { StoredProduct } from '#app/products/publication-contract.ts'
import { MarkdownField } from '#app/settings/web/admin/text-fields.tsx'
import { href } from '#app/shared/model/href.ts'
import type { TaxClass } from '#app/taxes/admin-contract.ts'
import { classNames } from '#app/taxes/admin-model.ts'
import { AttributeFields } from './attribute-fields.tsx'
import { SaleFields, StatusCard } from './publication-fields.tsx'
import { StockHistory } from './stock-history.tsx'

type Given = {
  /** The product to edit; undefined for a new one. */
  product?: (DetailedProduct & Pick<StoredProduct, 'regularPrice'>) | undefined
  /** The product with which the form of a new one begins. */
  copied?: DetailedProduct | null | undefined
}

type Props = Given & {
  categories: Category[]
  /** Empty when they could not be loaded: the present one stays. */
  taxClasses: TaxClass[]
  /** Null when they could not be loaded: their values stay. */
  attributes?: Attribute[] | null
}

/** The fields of a product (spec §2), in cards. None is required by the browser. */
export function ProductFields({ product, copied, categories, taxClasses, attributes }: Props) {
  const begin = product ?? copied
  return (
    <Columns
      main={
        <>
          <Card title="Details">
            <Field label="Name" name="name" />
            <MarkdownField
              label="Description"
              name="description"
              preview="Preview of the description"
              hint="In Markdown: line breaks are kept, an empty line begins a paragraph, - an entry of a list; **bold**, *italic*."
            />
            <Combobox
              label="Category"
              name="category"
              placeholder="Select a category"
              choices={categories.map(choiceOf)}
              chosen={begin ? choiceOf(begin.category) : null}
            />
            {categories.length === 0 && (
              <p className="text-sm">
                There are no categories yet.{' '}
                <Link to={href('/dashboard/admin/create-category')} className="link">
                  Create one first
                </Link>
              </p>
            )}
          </Card>
          <Card title="Pricing">
            <Row>
              <Money label="Price" name="price" />
            </Row>
            {product?.variants && (
              <p className="text-base-content/75">
                Price, stock and weight here are those of the default variant. The{' '}
                <Link
                  to={href('/dashboard/admin/variants/:id', { id: product._id })}
                  className="link"
                >
                  others
                </Link>{' '}
                have their own.
              </p>
            )}
            <SaleFields
              regularPrice={product?.regularPrice}
              hasOptions={begin?.variants !== undefined}
            />
          </Card>
          <Card title="Stock" tools={product && <StockHistory product={product} />}>
            <Row>
              <Quantity product={product} />
            </Row>
          </Card>
          {attributes && <AttributeFields attributes={attributes} />}
        </>
      }
      side={
        <>
          <StatusCard isNew={!product} />
          {!product && (
            <Card title="Picture">
              <PhotoField present={begin ? photoUrl(begin, 640) : undefined} />
            </Card>
          )}
          <Card title="Delivery and tax">
            <Select
              label="Shipping"
              name="shipping"
              hint="Yes: it has to be delivered, at the rates of your shipping zones. No: such as a file."
              options={{ 0: 'No', 1: 'Yes' }}
            />
            <NumberField label="Weight in grams" name="weightGrams" />
            {taxClasses.length > 0 && (
              <Select label="Tax class" name="taxClass" options={classNames(taxClasses)} />
            )}
          </Card>
        </>
      }
    />
  )
}

const choiceOf = ({ _id: value, name: label }: Category) => ({ value, label })

/** The quantity; a correction may have a reason, which its history shows. */
function Quantity({ product }: Pick<Given, 'product'>) {
  const [isCorrected, setCorrected] = useState(false)
  const stored = String(product?.quantity)
  return (
    <>
      <NumberField
        label="Quantity"
        name="quantity"
        onChange={({ target }) => setCorrected(target.value !== stored)}
      />
      {product && isCorrected && (
        <Field
          label="Reason"
          name="reason"
          hint="Such as: counted anew, delivery, broken. It may stay empty."
        />
      )}
    </>
  )
}
