import { useState } from 'react'
import { Link, replace, useLocation, useRevalidator } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { ChangeDialog, PromptDialog } from '#app/back-office/kit/form-dialog.tsx'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { CATEGORY_GONE, productAdminCalls } from '#app/products/admin-contract.ts'
import { ATTRIBUTES_FAILED, attributeCalls } from '#app/products/attribute-contract.ts'
import { editPath, productPath } from '#app/products/contract.ts'
import { previewPath } from '#app/products/preview-contract.ts'
import { publicationCalls, type StoredProduct } from '#app/products/publication-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure, messageOf } from '#app/shared/web/call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrFailure, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import type { Route } from './+types/edit-product-page.ts'
import { PhotosCard } from './photos-card.tsx'
import { type Choices, ProductFields } from './product-fields.tsx'
import { editOf, newOf, photoIn } from './product-form.ts'

const NEW = href('/dashboard/admin/create-product')

/** A new product may begin as a copy of another one, whose slug is the address's `copy`. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const slug = params.slug ?? new URL(request.url).searchParams.get('copy')
  const [found, categories, taxClasses, attributes] = await Promise.all([
    slug === null
      ? { loaded: null, failure: null }
      : loadOrFailure(call(publicationCalls.openProduct, { params: { slug } })),
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
    loadOrToast(call(taxAdminCalls.getTaxClasses), TAX_CLASSES_FAILED),
    loadOrToast(call(attributeCalls.getAttributes), ATTRIBUTES_FAILED),
  ])
  const { loaded, failure } = found
  // a renamed product has a new URL
  if (params.slug && loaded && loaded.product.slug !== slug) throw replace(editPath(loaded.product))
  return { slug, product: loaded?.product ?? null, failure, categories, taxClasses, attributes }
}

/** Creates a product; or edits or deletes one (spec §2). */
export default function EditProductPage({ loaderData, params }: Route.ComponentProps) {
  const { slug, failure } = loaderData
  const product = useLastLoaded(loaderData.product, slug ?? '')
  const categories = useLastLoaded(loaderData.categories)?.category ?? []
  const taxClasses = useLastLoaded(loaderData.taxClasses) ?? []
  const attributes = useLastLoaded(loaderData.attributes)
  const choices = { categories, taxClasses, attributes }
  if (!params.slug)
    return <ProductEditor key={slug} copied={product} copyFailure={failure} {...choices} />
  if (!product) return <ErrorPage error={failure} />
  return <ProductEditor key={product._id} product={product} {...choices} />
}

type Props = Choices & {
  /** Undefined for a new product. */
  product?: StoredProduct
  /** The product with which the form of a new one begins. */
  copied?: StoredProduct | null
  /** Why that could not be loaded. */
  copyFailure?: CallFailure | null
}

/** The form of a product. After a save it begins anew. */
function ProductEditor({ product, copied, copyFailure, ...choices }: Props) {
  // as it was first read, or saved here and then loaded: no save overwrites another admin's edit unnoticed
  const [read, setRead] = useState(product)
  const [savedAt, setSavedAt] = useState<string>()
  if (product && product.updatedAt === savedAt) {
    setRead(product)
    setSavedAt(undefined)
  }
  const [created, setCreated] = useState(0)
  const { state } = useLocation()
  const { revalidate } = useRevalidator()
  // at the page and search of the link followed
  const list = href('/dashboard/admin/products') + (state?.list ?? '')
  const send = (form: FormData) => {
    const photo = photoIn(form)
    if (!read) return call(productAdminCalls.createProduct, { body: newOf(form, copied), photo })
    const params = { id: read._id }
    return call(productAdminCalls.updateProduct, { params, body: editOf(read, form), photo })
  }
  const save = async (_: unknown, form: FormData) => {
    const next = form.get('next')
    form.delete('next')
    if (next === 'draft') form.set('status', 'draft')
    if (next === 'publish') {
      form.set('status', 'published')
      // at once, not at the time that is entered
      form.delete('publishAt')
    }
    const { message, products } = await send(form).catch((error) => {
      // the selected category was deleted
      if (error instanceof CallFailure && error.serverMessage === CATEGORY_GONE) void revalidate()
      throw error
    })
    if (read) {
      setSavedAt(products.updatedAt)
      return { message, to: editPath(products) }
    }
    setCreated(created + 1)
    if (next === 'draft') return { message, to: editPath(products) }
    return { message, to: next === 'another' ? NEW : list }
  }
  const readAgain = async () => {
    if (!read) return
    const { slug } = read
    const { product: now } = await call(publicationCalls.openProduct, { params: { slug } })
    setRead(now)
  }
  const isDraft = read?.status === 'draft'
  const begin = read ? withRegularPrice(read) : copied && withoutPlans(copied)
  return (
    <FormPage
      title={read ? 'Update Product' : 'Create Product'}
      tab={read && `Update ${read.name}`}
      note={read?.name}
      back={{ href: list, label: 'Products' }}
      tools={read && <Tools product={read} list={list} />}
      save={save}
      failed={read ? 'The product could not be saved.' : MESSAGES.productCreateFailed}
      action={read ? 'UPDATE PRODUCT' : 'CREATE PRODUCT'}
      actions={
        <>
          {!read && <SaveAs next="another">Save and add another</SaveAs>}
          {!read && <SaveAs next="draft">Save as draft</SaveAs>}
          {isDraft && <SaveAs next="publish">Publish</SaveAs>}
        </>
      }
      isNew={!read || isDraft}
      readAgain={readAgain}
      values={{ shipping: 1, ...begin, attribute: begin?.attributeValues }}
      edition={read?.updatedAt ?? String(created)}
      toasts
      after={read && <PhotosCard product={read} />}
    >
      {copyFailure && (
        <p role="alert">{messageOf(copyFailure, 'The product could not be copied.')}</p>
      )}
      <ProductFields product={read} copied={copied} {...choices} />
    </FormPage>
  )
}

/** The price that is edited is the regular one, also while a sale runs. */
const withRegularPrice = (product: StoredProduct): StoredProduct => ({
  ...product,
  price: product.regularPrice ?? product.price,
})

/** A copy has none of the plans of its product. */
const withoutPlans = (copied: StoredProduct) => ({
  ...withRegularPrice(copied),
  publishAt: undefined,
  unpublishAt: undefined,
  salePrice: undefined,
  saleFrom: undefined,
  saleUntil: undefined,
})

/** Another button that saves. */
const SaveAs = ({ next, children }: { next: string; children: string }) => (
  <button type="submit" name="next" value={next} className="btn">
    {children}
  </button>
)

type ToolsProps = { product: StoredProduct; list: string }

const Tools = ({ product, list }: ToolsProps) => (
  <>
    <HistoryLink object={product._id} className="btn" />
    <Link to={href('/dashboard/admin/variants/:id', { id: product._id })} className="btn">
      Options and variants
    </Link>
    {product.status === 'published' ? (
      <a href={productPath(product)} target="_blank" rel="noreferrer" className="btn">
        View in the shop
      </a>
    ) : (
      <a href={previewPath(product)} target="_blank" rel="noreferrer" className="btn">
        Preview
      </a>
    )}
    <Link to={`${NEW}?${new URLSearchParams({ copy: product.slug })}`} className="btn">
      Duplicate
    </Link>
    <DialogButton
      dialog={<DeleteProduct product={product} list={list} />}
      className="btn btn-outline btn-error"
    >
      DELETE PRODUCT
    </DialogButton>
  </>
)

/** Deletes a product after a prompt for a word and a confirmation (spec §2). */
function DeleteProduct({ product: { _id: id, name }, list }: ToolsProps) {
  const [isConfirming, setConfirming] = useState(false)
  return isConfirming ? (
    <ChangeDialog
      title={`Delete ${name}?`}
      action="Delete product"
      deletes
      run={() => call(productAdminCalls.deleteProduct, { params: { id } })}
      to={list}
      failed="The product could not be deleted."
    >
      “{name}” is deleted from the shop. This cannot be undone. Past orders keep their copy of it.
    </ChangeDialog>
  ) : (
    <PromptDialog
      title="Are you sure you want to delete this product?"
      label="Type anything to continue"
      hint={name}
      onAnswer={() => setConfirming(true)}
    />
  )
}
