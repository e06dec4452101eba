import { useRef, useState } from 'react'
import { replace, useLocation, useRevalidator } from 'react-router'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { CATEGORY_GONE } from '#app/products/admin-contract.ts'
import { ATTRIBUTES_FAILED, attributeCalls } from '#app/products/attribute-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { publicationCalls } from '#app/products/publication-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure, messageOf } from '#app/shared/web/call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { useMoneyFormat } from '#app/shared/web/form/use-money-format.ts'
import { loadOrFailure, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES, pluralize } from '#app/shared/web/texts.ts'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import type { Route } from './+types/edit-product-page.ts'
import { PhotosCard } from './photos-card.tsx'
import { type Choices, ProductFields } from './product-fields.tsx'
import { atFields } from './product-form.ts'
import { ProductTools } from './product-tools.tsx'
import {
  create,
  firstCells,
  refusalOf,
  requireAdded,
  type Stored,
  update,
  withoutPlans,
} from './save-product.ts'
import { fieldsOf, needsVariants, newDraft, withFields } from './variants/only-variant.ts'
import { useDraft } from './variants/use-draft.ts'
import { useLoss } from './variants/use-loss.tsx'
import { loadVariantsCard, VariantFields } from './variants/variant-fields.tsx'

const NEW = href('/dashboard/admin/create-product')

/** A product, and the grid where it has variants. */
async function openProduct(slug: string) {
  const stored = await call(publicationCalls.openProduct, { params: { slug } })
  if (stored.options.length > 0) await loadVariantsCard()
  return stored
}

/** A new product may begin as a copy of another one, whose slug is the address's `copy`. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const slug = params.slug ?? new URL(request.url).searchParams.get('copy')
  const [{ loaded: stored, failure }, categories, taxClasses, attributes] = await Promise.all([
    slug === null ? { loaded: null, failure: null } : loadOrFailure(openProduct(slug)),
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
    loadOrToast(call(taxAdminCalls.getTaxClasses), TAX_CLASSES_FAILED),
    loadOrToast(call(attributeCalls.getAttributes), ATTRIBUTES_FAILED),
  ])
  // a renamed product has a new URL
  if (params.slug && stored && stored.product.slug !== slug) throw replace(editPath(stored.product))
  return { slug, stored, failure, categories, taxClasses, attributes }
}

/** Creates a product; or edits or deletes one (spec §2). */
export default function EditProductPage({ loaderData, params }: Route.ComponentProps) {
  const { slug, failure } = loaderData
  const stored = useLastLoaded(loaderData.stored, slug ?? '')
  const categories = useLastLoaded(loaderData.categories)?.category ?? []
  const taxClasses = useLastLoaded(loaderData.taxClasses) ?? []
  const attributes = useLastLoaded(loaderData.attributes)
  const choices = { categories, taxClasses, attributes }
  if (!params.slug)
    return <ProductEditor key={slug} copied={stored} copyFailure={failure} {...choices} />
  if (!stored) return <ErrorPage error={failure} />
  return <ProductEditor key={stored.product._id} stored={stored} {...choices} />
}

type Props = Choices & {
  /** Undefined for a new product. */
  stored?: Stored
  /** The product with which the form of a new one begins. */
  copied?: Stored | null
  /** Why that could not be loaded. */
  copyFailure?: CallFailure | null
}

/**
 * The product as it was first read, or saved here and then loaded: no save overwrites another admin's edit unnoticed.
 */
function useRead(stored: Stored | undefined) {
  const [read, setRead] = useState(stored)
  const [savedAt, noteSaved] = useState<string>()
  if (stored && stored.product.updatedAt === savedAt) {
    setRead(stored)
    noteSaved(undefined)
  }
  const readAgain = async () => {
    if (!read) return
    setRead(await openProduct(read.product.slug))
  }
  return { read, readAgain, noteSaved }
}

/** The form of a product with its variants. After a save it begins anew. */
function ProductEditor({ stored, copied, copyFailure, ...choices }: Props) {
  const { read, readAgain, noteSaved } = useRead(stored)
  const [created, setCreated] = useState(0)
  const { state } = useLocation()
  const { revalidate } = useRevalidator()
  const format = useMoneyFormat()
  const variants = useDraft(read, format, () => newDraft(copied ? firstCells(copied) : {}, format))
  const { onLoss, dialog } = useLoss(variants)
  const fields = useRef<FormData>(null)
  // at the page and search of the link followed
  const list = href('/dashboard/admin/products') + (state?.list ?? '')
  const product = read?.product
  /** Those of a copy are made by the server. */
  const areCopied = !read && (copied?.options.length ?? 0) > 0
  const isCopy = !read && Boolean(copied) && !areCopied
  const hasOptions = areCopied || variants.draft.options.length > 0
  const save = async (_: unknown, form: FormData) => {
    const next = form.get('next')
    setStatus(form, next)
    requireAdded(form)
    const sent = withFields(variants.draft, form, format)
    const wrong = read || needsVariants(sent) || isCopy ? variants.check(sent) : null
    if (wrong) throw refusalOf(wrong, hasOptions)
    const edit = variants.editOf(sent)
    const sending = product
      ? update(product, form, edit)
      : create({ form, copied, sent, format, edit: needsVariants(sent) || isCopy ? edit : null })
    const { message, products } = await sending.catch((error) => {
      if (!(error instanceof CallFailure)) throw error
      // the selected category was deleted
      if (error.serverMessage === CATEGORY_GONE) void revalidate()
      if (hasOptions) variants.refuse(sent, error.fields)
      throw hasOptions ? error : atFields(error)
    })
    if (read) {
      variants.noteSaved(sent)
      noteSaved(products.updatedAt)
      return { message, to: editPath(products) }
    }
    variants.beginAnew()
    setCreated(created + 1)
    if (next === 'draft') return { message, to: editPath(products) }
    return { message, to: next === 'another' ? NEW : list }
  }
  const present = () =>
    fields.current ? withFields(variants.draft, fields.current, format) : variants.draft
  const isDraft = product?.status === 'draft'
  const begin = product ?? (copied && withoutPlans(copied.product))
  return (
    <FormPage
      title={product ? 'Update Product' : 'Create Product'}
      tab={product && `Update ${product.name}`}
      note={product?.name}
      back={{ href: list, label: 'Products' }}
      tools={product && <ProductTools product={product} list={list} />}
      save={save}
      failed={product ? 'The product could not be saved.' : MESSAGES.productCreateFailed}
      action={product ? 'UPDATE PRODUCT' : 'CREATE PRODUCT'}
      actions={<Actions isNew={!product} isDraft={isDraft} />}
      isNew={!product || isDraft}
      readAgain={readAgain}
      values={{
        shipping: 1,
        ...begin,
        ...fieldsOf(variants.draft, format),
        attribute: begin?.attributeValues,
      }}
      edition={product?.updatedAt ?? String(created)}
      onEdit={(form) => {
        fields.current = form
      }}
      onDiscard={variants.discard}
      toasts
      after={
        <>
          {product && <PhotosCard product={product} />}
          {dialog}
        </>
      }
    >
      {copyFailure && (
        <p role="alert">{messageOf(copyFailure, 'The product could not be copied.')}</p>
      )}
      <ProductFields
        product={product}
        copied={copied?.product}
        hasOptions={hasOptions}
        {...choices}
      />
      {areCopied && copied ? (
        <CopiedVariants copied={copied} />
      ) : (
        <VariantFields product={product} variants={variants} present={present} onLoss={onLoss} />
      )}
    </FormPage>
  )
}

/** What a copy has of the variants of its product. */
const CopiedVariants = ({ copied: { product, variants } }: { copied: Stored }) => (
  <Card title="Variants">
    <p>
      The options and {pluralize(variants.length, 'variant', false)} of “{product.name}” are copied,
      without stock, SKU and barcode. You can change them once this product is created.
    </p>
  </Card>
)

/** Sets the status that the button that was pressed asks for. */
function setStatus(form: FormData, next: FormDataEntryValue | null) {
  if (next === 'draft') form.set('status', 'draft')
  if (next !== 'publish') return
  form.set('status', 'published')
  // at once, not at the time that is entered
  form.delete('publishAt')
}

/** The other buttons that save. */
const Actions = ({ isNew, isDraft }: { isNew: boolean; isDraft: boolean }) => (
  <>
    {isNew && <SaveAs next="another">Save and add another</SaveAs>}
    {isNew && <SaveAs next="draft">Save as draft</SaveAs>}
    {isDraft && <SaveAs next="publish">Publish</SaveAs>}
  </>
)

/** Another button that saves. */
const SaveAs = ({ next, children }: { next: string; children: string }) => (
  <button type="submit" name="next" value={next} className="btn">
    {children}
  </button>
)
