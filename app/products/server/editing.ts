/**
 * Editing products: concurrent edits and sales are never overwritten (optimistic locking), and
 * slugs are never reassigned.
 */
import { v7 as uuidv7 } from 'uuid'
import {
  CATEGORY_GONE,
  MAX_QUANTITY,
  type ProductForm,
  TAX_CLASS_GONE,
} from '#app/products/admin-contract.ts'
import type { Publication } from '#app/products/publication-contract.ts'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { isForeignKeyViolation } from '#app/shared/server/database-errors.ts'
import { invalid, notFound, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { PictureVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { claimSlug, slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { saveValues } from './attributes/values.ts'
import { columnsOf } from './fields.ts'
import { setFirstPhoto } from './photos/edit.ts'
import { doAtOnce, isSaleIn, planAfter } from './publication/publication.ts'
import { interruptSales } from './publication/store.ts'
import { publishEdits, publishPlans } from './publish.ts'
import {
  claimSlugs,
  deleteProduct,
  insertProduct,
  type ListedRow,
  lockProduct,
  NO_CATEGORY,
  NO_TAX_CLASS,
  selectEdition,
  selectProducts,
  updateProduct,
} from './store.ts'
import { copyParts, lockCopied } from './variants/copy-store.ts'
import { lockProducts } from './variants/store.ts'

/** The state that the editor read: the time of the last edit, and the quantity. */
export type ReadVersion = { updatedAt?: string; quantityRead?: number }

type Edit = {
  id: string
  /** `attributes` are the values as JSON. */
  changes: Partial<ProductForm> & Publication & { attributes?: string | undefined }
  seen: ReadVersion
  /** Of a correction of stock, for the history. */
  reason?: string | undefined
  photo?: PictureVariants
}

type LockedProduct = NonNullable<Awaited<ReturnType<typeof lockProduct>>>

const noSuchProduct = () => notFound('There is no such product.')

/** Throws `invalid` for a category or tax class that was deleted meanwhile. */
export function rethrowMissingReference(error: unknown): never {
  if (isForeignKeyViolation(error, NO_CATEGORY)) throw invalid(CATEGORY_GONE, 'category')
  if (isForeignKeyViolation(error, NO_TAX_CLASS)) throw invalid(TAX_CLASS_GONE, 'taxClass')
  throw error
}

const claimFor = (tx: Database, name: string, id: string) =>
  claimSlug(name, id, async (slug) => (await claimSlugs(tx, [{ id, slug }])) > 0)

type NewProduct = ProductForm &
  Publication & { copyOf?: string | undefined; attributes?: string | undefined }

/** The price before a reduction to a price in minor units, of a copied product. */
const compareAtOf = (copied: { compare_at_minor: number | null } | undefined, minor: number) => {
  const before = copied?.compare_at_minor ?? null
  return before !== null && before > minor ? before : null
}

/**
 * Creates a product with its photo; as a copy of `copyOf`, with options, variants and photos of that, if it exists.
 * Throws `invalid` when there is no such category or tax class.
 */
export async function addProduct(
  db: Database,
  actor: Actor,
  { copyOf, attributes, ...form }: NewProduct,
  photo?: PictureVariants,
): Promise<ListedRow> {
  const id = uuidv7()
  return inTransaction(db, actor, async (tx) => {
    const copied = copyOf ? await lockCopied(tx, copyOf) : undefined
    const columns = columnsOf(form, await shopCurrencyOf(tx))
    await insertProduct(tx, {
      ...columns,
      ...(await planAfter(tx, form, null, columns.price_minor)),
      id,
      slug: await claimFor(tx, form.name, id),
      quantity: form.quantity,
      compare_at_minor: compareAtOf(copied, columns.price_minor),
    })
    if (photo) await setFirstPhoto(tx, id, photo)
    if (copied) await copyParts(tx, { from: copied.id, to: id, withFirstPhoto: !photo })
    if (attributes) await saveValues(tx, id, attributes)
    await publishEdits(tx, [])
    await doAtOnce(tx, id, form)
    return openProduct(tx, id)
  }).catch(rethrowMissingReference)
}

async function openProduct(tx: Database, id: string): Promise<ListedRow> {
  const [product] = await selectProducts(tx, [id])
  if (!product) throw noSuchProduct()
  return product
}

/**
 * Locks the product, and where its sale is being edited ends the running one, so that its price is the regular one.
 * Undefined when there is none.
 */
async function openForEdit(tx: Database, { id, changes, seen }: Edit) {
  const locked = await lockProduct(tx, id)
  if (!locked) throw noSuchProduct()
  requireFresh(locked, seen)
  if (locked.regular_price_minor === null || !isSaleIn(changes)) return locked
  await interruptSales(tx, [locked.id])
  return (await lockProduct(tx, id)) ?? locked
}

/** Throws `stale` when the product was edited since the editor read it. */
function requireFresh(
  { updated_at }: Pick<LockedProduct, 'updated_at'>,
  { updatedAt }: ReadVersion,
) {
  if (updatedAt === undefined) return
  const read = Date.parse(updatedAt)
  if (Number.isNaN(read)) throw invalid('updatedAt is not valid.', 'updatedAt')
  if (read === updated_at.getTime()) return
  throw stale('This product was changed in the meantime. Please load it again.')
}

/**
 * The quantity after the edit: sales since the editor read it are subtracted. Without the quantity
 * that was read, the sent one is set.
 */
function quantityAfter(
  { quantity: now }: LockedProduct,
  quantity: number | undefined,
  { quantityRead }: ReadVersion,
) {
  if (quantity === undefined || quantityRead === undefined) return quantity
  const after = now + quantity - quantityRead
  if (after >= 0 && after <= MAX_QUANTITY) return after
  throw stale(`The stock has changed: ${now} left. Please load the product again.`)
}

/** Throws as `changeProduct` would, before a photo is processed in vain. */
export async function requireEditable(db: Database, id: string, seen: ReadVersion): Promise<void> {
  const edition = await selectEdition(db, id)
  if (!edition) throw noSuchProduct()
  requireFresh(edition, seen)
}

/**
 * Changes the given fields. A new name gets a new slug; former slugs keep answering. Throws
 * `not_found`, `stale` when the product was edited since the editor read it, and `invalid` when
 * there is no such category or tax class.
 */
export async function changeProduct(db: Database, actor: Actor, edit: Edit): Promise<ListedRow> {
  const { changes, seen, reason, photo } = edit
  return inTransaction(db, actor, async (tx) => {
    const locked = await openForEdit(tx, edit)
    const { name = locked.name } = changes
    const isRenamed = slugify(name) !== slugify(locked.name)
    if (reason?.trim()) await describeChange(tx, { reason: reason.trim() })
    const columns = columnsOf(changes, await shopCurrencyOf(tx))
    const plan = await planAfter(tx, changes, locked, columns.price_minor ?? locked.price_minor)
    await updateProduct(tx, locked.id, {
      ...columns,
      ...plan,
      slug: isRenamed ? await claimFor(tx, name, locked.id) : locked.slug,
      quantity: quantityAfter(locked, changes.quantity, seen),
    })
    if (photo) await setFirstPhoto(tx, locked.id, photo)
    if (changes.attributes) await saveValues(tx, locked.id, changes.attributes)
    await (plan.status === locked.status ? publishEdits : publishPlans)(tx, [locked.id])
    await doAtOnce(tx, locked.id, changes)
    return openProduct(tx, locked.id)
  }).catch(rethrowMissingReference)
}

/** Deletes a product; past orders keep their copy of it. Throws `not_found`. */
export async function removeProduct(db: Database, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, actor, async (tx) => {
    await lockProducts(tx, [id], true)
    if (!(await deleteProduct(tx, id))) throw noSuchProduct()
    await publishEdits(tx, [id.toLowerCase()])
  })
}
