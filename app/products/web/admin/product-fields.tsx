import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import type { ProductForm } from '#app/products/admin-contract.ts'
import { type DetailedProduct, photoUrl } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { STANDARD_CLASS, type TaxClass } from '#app/taxes/admin-contract.ts'
import { PhotoInput } from './photo-input.tsx'
import { PlainCategorySelect } from './plain-category-select.tsx'

/**
 * Loaded separately, because the server renders no form of the back office. When it cannot be
 * loaded, as after a deploy while the page is open, a native select is used.
 */
const CategorySelect = lazy(() =>
  import('./category-select.tsx').catch(() => ({ default: PlainCategorySelect })),
)

type Props = {
  categories: Category[]
  /** Null when they could not be loaded. */
  taxClasses: TaxClass[] | null
  /** The product to edit; undefined for a new one. */
  product?: DetailedProduct
  /** While the product is saved, which a photo makes slow, nothing can be entered: it would be lost. */
  isSaving: boolean
}

/** The control of each field, in the order of the form. */
const CONTROLS: Record<keyof ProductForm, (given: Omit<Props, 'isSaving'>) => ReactNode> = {
  category: ({ categories, product }) => (
    <div className="col-span-full">
      <Suspense fallback={<CategoryOnItsWay chosen={product?.category} />}>
        <CategorySelect categories={categories} chosen={product?.category} />
      </Suspense>
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
      <Labelled label="Description" name="description">
        {(id, problem) => (
          <textarea
            id={id}
            name="description"
            rows={6}
            defaultValue={product?.description}
            className="textarea w-full bg-base-200 aria-invalid:border-error"
            {...problem}
          />
        )}
      </Labelled>
    </div>
  ),
  price: ({ product }) => <MoneyField label="Price" name="price" defaultValue={product?.price} />,
  quantity: ({ product }) => (
    <NumberField label="Quantity" name="quantity" defaultValue={product?.quantity} />
  ),
  shipping: ({ product }) => (
    <Labelled
      label="Shipping"
      name="shipping"
      hint="Yes: it has to be delivered, at the rates of your shipping zones. No: such as a file."
    >
      {(id, problem) => (
        <select
          {...problem}
          id={id}
          name="shipping"
          defaultValue={product?.shipping ?? 1}
          className="select w-full bg-base-200"
        >
          <option value={0}>No</option>
          <option value={1}>Yes</option>
        </select>
      )}
    </Labelled>
  ),
  weightGrams: ({ product }) => (
    <NumberField label="Weight in grams" name="weightGrams" defaultValue={product?.weightGrams} />
  ),
  taxClass: ({ product, taxClasses }) => (
    <TaxClassSelect classes={taxClasses} chosen={product?.taxClass} />
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

type TaxClassProps = { classes: TaxClass[] | null; chosen: string | undefined }

/** A select of the tax class; without classes to choose from, a hidden field keeps the present one. */
function TaxClassSelect({ classes, chosen = '' }: TaxClassProps) {
  if (!classes || classes.length === 0)
    return <input type="hidden" name="taxClass" value={chosen} />
  return (
    <Labelled label="Tax class" name="taxClass">
      {(id, problem) => (
        <select
          {...problem}
          id={id}
          name="taxClass"
          defaultValue={chosen}
          className="select w-full bg-base-200"
        >
          <option value="">{STANDARD_CLASS}</option>
          {classes.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

/** The placeholder until the select is loaded: as high, and its hidden field keeps the category. */
const CategoryOnItsWay = ({ chosen }: { chosen?: Category }) => (
  <Labelled label="Category">
    {(id) => (
      <>
        <input id={id} disabled defaultValue={chosen?.name} className="input w-full bg-base-200" />
        <input type="hidden" name="category" value={chosen?._id ?? ''} />
      </>
    )}
  </Labelled>
)

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
