import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import type { ProductForm } from '#app/products/admin-contract.ts'
import { type DetailedProduct, photoUrl } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { Select } from '#app/shared/web/form/select.tsx'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import type { TaxClass } from '#app/taxes/admin-contract.ts'
import { ClassSelect } from '#app/taxes/web/admin/class-select.tsx'
import { CategorySelect } from './category-select.client.tsx'
import { PhotoInput } from './photo-input.tsx'

type Props = {
  categories: Category[]
  /** Empty when they could not be loaded. */
  taxClasses: TaxClass[]
  /** The product to edit; undefined for a new one. */
  product?: DetailedProduct | undefined
  /** While the product is saved, which a photo makes slow, nothing can be entered: it would be lost. */
  isSaving: boolean
}

/** The control of each field, in the order of the form. */
const CONTROLS: Record<keyof ProductForm, (given: Omit<Props, 'isSaving'>) => ReactNode> = {
  category: ({ categories, product }) => (
    <div className="col-span-full">
      <CategorySelect categories={categories} chosen={product?.category} />
      {categories.length === 0 && (
        <p className="mt-1.5 text-sm">
          There are no categories yet.{' '}
          <Link to={href('/dashboard/admin/create-category')} className="link">
            Create one first
          </Link>
        </p>
      )}
    </div>
  ),
  name: ({ product }) => (
    <div className="col-span-full">
      <Field label="Name" name="name" autoComplete="off" defaultValue={product?.name} />
    </div>
  ),
  description: ({ product }) => (
    <div className="col-span-full">
      <TextArea
        label="Description"
        name="description"
        rows={6}
        defaultValue={product?.description}
      />
    </div>
  ),
  price: ({ product }) => <MoneyField label="Price" name="price" defaultValue={product?.price} />,
  quantity: ({ product }) => (
    <NumberField label="Quantity" name="quantity" defaultValue={product?.quantity} />
  ),
  shipping: ({ product }) => (
    <Select
      label="Shipping"
      name="shipping"
      hint="Yes: it has to be delivered, at the rates of your shipping zones. No: such as a file."
      defaultValue={product?.shipping ?? 1}
      options={[
        { value: '0', label: 'No' },
        { value: '1', label: 'Yes' },
      ]}
    />
  ),
  weightGrams: ({ product }) => (
    <NumberField label="Weight in grams" name="weightGrams" defaultValue={product?.weightGrams} />
  ),
  taxClass: ({ product: { taxClass = '' } = {}, taxClasses }) =>
    taxClasses.length > 0 ? (
      <ClassSelect label="Tax class" name="taxClass" classes={taxClasses} chosen={taxClass} />
    ) : (
      // keeps the present one
      <input type="hidden" name="taxClass" value={taxClass} />
    ),
}

/** The fields shared by creating and editing (spec §2). None is required by the browser. */
export function ProductFields({ isSaving, ...given }: Props) {
  const { product } = given
  return (
    <div
      inert={isSaving}
      className="grid items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-8"
    >
      <PhotoInput present={product && photoUrl(product, 640)} />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        {Object.entries(CONTROLS).map(([name, control]) => (
          <Fragment key={name}>{control(given)}</Fragment>
        ))}
      </div>
    </div>
  )
}

type NumberProps = { label: string; name: keyof ProductForm; defaultValue?: number | undefined }

/** A number field that ignores the mouse wheel. */
const NumberField = (props: NumberProps) => (
  <Field
    type="number"
    step="1"
    min={0}
    autoComplete="off"
    onWheel={({ currentTarget }) => currentTarget.blur()}
    {...props}
  />
)
