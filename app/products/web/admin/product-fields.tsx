import { useState } from 'react'
import { Link } from 'react-router'
import { Combobox } from '#app/back-office/kit/combobox.client.tsx'
import { Field, Moment, Money, NumberField, Row, Select } from '#app/back-office/kit/fields.tsx'
import { PhotoField } from '#app/back-office/kit/files.tsx'
import { Card, Columns } from '#app/back-office/kit/page.tsx'
import type { Category } from '#app/categories/contract.ts'
import { type Attribute, MAX_ATTRIBUTE_TEXT } from '#app/products/attribute-contract.ts'
import { type DetailedProduct, photoUrl } from '#app/products/contract.ts'
import type { StoredProduct } from '#app/products/publication-contract.ts'
import { MarkdownField } from '#app/settings/web/admin/text-fields.tsx'
import { href } from '#app/shared/model/href.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { TaxClass } from '#app/taxes/admin-contract.ts'
import { classNames } from '#app/taxes/admin-model.ts'
import { STATUS_NAMES } from './product-columns.tsx'
import { fieldOfAttribute } from './product-form.ts'
import { StockHistory } from './stock-history.tsx'

type Given = {
  /** The product to edit; undefined for a new one. */
  product?: (DetailedProduct & Pick<StoredProduct, 'regularPrice'>) | undefined
  /** The product with which the form of a new one begins. */
  copied?: DetailedProduct | null | undefined
}

/** What the fields choose from. */
export type Choices = {
  categories: Category[]
  /** Empty when they could not be loaded: the present one stays. */
  taxClasses: TaxClass[]
  /** Null when they could not be loaded: their values stay. */
  attributes?: Attribute[] | null
}

type Props = Given &
  Choices & {
    /** Whether its variants have price, stock, weight and codes. */
    hasOptions: boolean
  }

/** The fields of a product (spec §2), in cards. None is required by the browser. */
export function ProductFields({ product, copied, hasOptions, ...choices }: Props) {
  const { categories, taxClasses, attributes } = choices
  const begin = product ?? copied
  return (
    <Columns
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
            {!hasOptions && <NumberField label="Weight in grams" name="weightGrams" />}
            {taxClasses.length > 0 && (
              <Select label="Tax class" name="taxClass" options={classNames(taxClasses)} />
            )}
          </Card>
        </>
      }
    >
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
        {!hasOptions && (
          <Row>
            <Money label="Price" name="price" />
            <Money
              label="Compare at"
              name="compareAt"
              hint="A higher amount, which is shown struck through beside the price."
            />
          </Row>
        )}
        <SaleFields regularPrice={product?.regularPrice} hasOptions={hasOptions} />
      </Card>
      {!hasOptions && (
        <Card title="Stock" tools={product && <StockHistory product={product} />}>
          <Row>
            <Quantity product={product} />
          </Row>
          <Row>
            <Field label="SKU" name="sku" maxLength={64} hint="Your own number of it." />
            <Field label="Barcode" name="barcode" maxLength={64} inputMode="numeric" />
          </Row>
        </Card>
      )}
      {attributes && <AttributeFields attributes={attributes} />}
    </Columns>
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

/** Whether a product is in the shop, and when that changes by itself. A new one is published, or waits for its time. */
function StatusCard({ isNew }: { isNew: boolean }) {
  const { timeZone } = useShop()
  return (
    <Card title="Status">
      {!isNew && <Select label="Status" name="status" options={STATUS_NAMES} />}
      <Moment
        label="Publish at"
        name="publishAt"
        hint={`Until then it is a draft. Times are times in ${timeZone}.`}
      />
      <Moment label="Unpublish at" name="unpublishAt" hint="Then it is archived." />
    </Card>
  )
}

type SaleProps = { regularPrice: number | undefined; hasOptions: boolean }

/** A price for a time. */
function SaleFields({ regularPrice, hasOptions }: SaleProps) {
  const money = useMoney()
  return (
    <>
      <Row>
        <Money
          label="On sale for"
          name="salePrice"
          {...(hasOptions && {
            hint: 'Of all variants that cost more.',
          })}
        />
      </Row>
      <Row>
        <Moment label="Sale from" name="saleFrom" hint="Leave empty to start now." />
        <Moment label="Sale until" name="saleUntil" />
      </Row>
      {regularPrice !== undefined && (
        <p className="text-sm">
          The sale has begun. After it the price is {money(regularPrice)} again.
        </p>
      )}
    </>
  )
}

/** The values of attributes that a product has. */
function AttributeFields({ attributes }: { attributes: Attribute[] }) {
  const define = (text: string) => (
    <Link to={href('/dashboard/admin/attributes')} className="link">
      {text}
    </Link>
  )
  if (attributes.length === 0)
    return (
      <p className="px-4 text-base-content/75">
        Facts such as the material, shown on the page of a product and to narrow lists by:{' '}
        {define('define attributes')}
      </p>
    )
  return (
    <Card title="Attributes" tools={define('Define attributes')}>
      <Row>
        {attributes.map((attribute) => (
          <Value key={attribute._id} {...attribute} />
        ))}
      </Row>
    </Card>
  )
}

function Value({ _id, name: label, kind, unit, choices }: Attribute) {
  const name = fieldOfAttribute(_id)
  if (kind === 'text') return <Field label={label} name={name} maxLength={MAX_ATTRIBUTE_TEXT} />
  if (kind === 'number')
    return (
      <NumberField label={label} name={name} step="any" min={undefined} unit={unit ?? undefined} />
    )
  const options =
    kind === 'yes_no'
      ? { yes: 'Yes', no: 'No' }
      : Object.fromEntries(choices.map((one) => [one._id, one.name]))
  return <Select label={label} name={name} options={{ '': 'Not given', ...options }} />
}
