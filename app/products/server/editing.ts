/**
 * Editing products: concurrent edits and sales are never overwritten (optimistic locking), and
 * slugs are never reassigned.
 */
import { v7 as uuidv7 } from 'uuid'
import { CATEGORY_GONE, TAX_CLASS_GONE } from '#app/products/admin-contract.ts'
import { MAX_QUANTITY, type ProductForm } from '#app/products/form-contract.ts'
import type { Publication } from '#app/products/publication-contract.ts'
import { CELL_NAMES, isFormCell, type VariantEdit } from '#app/products/variant-contract.ts'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { isForeignKeyViolation } from '#app/shared/server/database-errors.ts'
import { invalid, notFound, stale, underField } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { PictureVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { claimSlug, slugify } from '#app/shared/server/slug.ts'
import type { Database } from '#db/schema.ts'
import { saveValues } from './attributes/values.ts'
import { columnsOf, offerOf } from './fields.ts'
import { setFirstPhoto } from './photos/edit.ts'
import { applyScheduleNow, isSaleIn, saleAfter, scheduleAfter } from './publication/publication.ts'
import { selectSale, updateSale } from './publication/store.ts'
import { publishEdits, publishPlans } from './publish.ts'
import {
  claimSlugs,
  deleteProduct,
  insertProduct,
  insertVariant,
  type ListedRow,
  NO_CATEGORY,
  NO_TAX_CLASS,
  selectEdition,
  selectLocked,
  selectProducts,
  updateListed,
  updateProduct,
} from './store.ts'
import { copyParts, lockCopied } from './variants/copy-store.ts'
import { refreshListings } from './variants/listing-store.ts'
import { failureOf, openVariants, writeEdit } from './variants/save.ts'
import { lockProducts } from './variants/store.ts'

/** The state that the editor read: the time of the last edit, and the quantity. */
export type ReadVersion = { updatedAt?: string; quantityRead?: number }

/** What a form has beside the fields of the product: `attributes` are the values as JSON. */
type Parts = { attributes?: string | undefined; variants?: VariantEdit | undefined }

type Edit = {
  id: string
  changes: Partial<ProductForm> & Publication & Parts
  seen: ReadVersion
  /** Of a correction of stock, for the history. */
  reason?: string | undefined
  photo?: PictureVariants
}

type LockedProduct = NonNullable<Awaited<ReturnType<typeof selectLocked>>>

const noSuchProduct = () => notFound('There is no such product.')

/** Throws `invalid` for a category or tax class that was deleted meanwhile. */
export function rethrowMissingReference(error: unknown): never {
  if (isForeignKeyViolation(error, NO_CATEGORY)) throw invalid(CATEGORY_GONE, 'category')
  if (isForeignKeyViolation(error, NO_TAX_CLASS)) throw invalid(TAX_CLASS_GONE, 'taxClass')
  throw error
}

const claimFor = (tx: Database, name: string, id: string) =>
  claimSlug(name, id, async (slug) => (await claimSlugs(tx, [{ id, slug }])) > 0)

type NewProduct = ProductForm & Publication & Parts & { copyOf?: string | undefined }

/** Writes the changes of variants that were sent with a product. Throws as `saveVariants` does, with paths in the form. */
async function saveEdit(tx: Database, id: string, edit: VariantEdit) {
  await writeEdit(tx, id, await openVariants(tx, id), edit).catch((error) => {
    throw underField('variants', error)
  })
}

/** Throws the reason why the database refused a form. */
const rethrow =
  (db: Database, id: string, { variants }: Parts) =>
  async (error: unknown) => {
    const failure = variants && (await failureOf(db, id, variants, error))
    if (failure) throw underField('variants', failure)
    return rethrowMissingReference(error)
  }

/** Sets the sale that was sent, and derives what the product is listed by. */
async function saveSale(tx: Database, id: string, sent: Publication) {
  if (isSaleIn(sent)) {
    const stored = await selectSale(tx, id)
    if (stored) await updateSale(tx, id, await saleAfter(tx, sent, stored, stored.highest))
  }
  await refreshListings(tx, [id])
}

/**
 * Creates a product with its photo and its variants, which are those that are sent, else those of `copyOf`, if it
 * exists, else one. Throws `invalid` when there is no such category or tax class.
 */
export async function addProduct(
  db: Database,
  actor: Actor,
  { copyOf, attributes, variants, ...form }: NewProduct,
  photo?: PictureVariants,
): Promise<ListedRow> {
  const id = uuidv7()
  return inTransaction(db, actor, async (tx) => {
    const copied = copyOf ? await lockCopied(tx, copyOf) : undefined
    const offer = { ...offerOf(form, await shopCurrencyOf(tx)), quantity: form.quantity }
    const listed_variant_id = variants?.added?.[0]?._id ?? uuidv7()
    await insertProduct(tx, {
      ...columnsOf(form),
      ...(await scheduleAfter(tx, form, null)),
      id,
      listed_variant_id,
      slug: await claimFor(tx, form.name, id),
    })
    if (photo) await setFirstPhoto(tx, id, photo)
    const parts = { withFirstPhoto: !photo, withVariants: !variants }
    if (copied) await copyParts(tx, { from: copied.id, to: id, ...parts })
    if (variants) await saveEdit(tx, id, variants)
    else if (copied) {
      await refreshListings(tx, [id])
      await updateListed(tx, id, offer)
    } else await insertVariant(tx, { ...offer, id: listed_variant_id, product_id: id })
    await saveSale(tx, id, form)
    if (attributes) await saveValues(tx, id, attributes)
    await publishEdits(tx, [])
    await applyScheduleNow(tx, id, form)
    return openProduct(tx, id)
  }).catch(rethrow(db, id, { variants }))
}

async function openProduct(tx: Database, id: string): Promise<ListedRow> {
  const [product] = await selectProducts(tx, [id])
  if (!product) throw noSuchProduct()
  return product
}

const FORM_CELLS = CELL_NAMES.filter(isFormCell)

/** Throws `invalid` for cells that are sent with the variants and beside them. */
function requireOneHome(changes: Edit['changes']) {
  if (Object.keys(changes.variants ?? {}).length === 0) return
  const twice = FORM_CELLS.find((name) => changes[name] !== undefined)
  if (twice) throw invalid(`${twice} is sent with the variants only.`, twice)
}

/** Locks the product with its variants. Throws `not_found` and `stale`. */
async function openForEdit(tx: Database, { id, seen }: Edit) {
  await lockProducts(tx, [id])
  const locked = await selectLocked(tx, id)
  if (!locked) throw noSuchProduct()
  requireFresh(locked, seen)
  return locked
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
 * The price after the edit. A client that reads the product while a sale runs, and sends it back, has the price of the
 * sale: the regular one stays.
 */
const priceAfter = (locked: LockedProduct, sent: number | undefined) =>
  sent === locked.price_now_minor ? locked.price_minor : sent

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
    requireOneHome(changes)
    const { name = locked.name } = changes
    const isRenamed = slugify(name) !== slugify(locked.name)
    if (reason?.trim()) await describeChange(tx, { reason: reason.trim() })
    const schedule = await scheduleAfter(tx, changes, locked)
    const sent = offerOf(changes, await shopCurrencyOf(tx))
    const offer = {
      ...sent,
      price_minor: priceAfter(locked, sent.price_minor),
      quantity: quantityAfter(locked, changes.quantity, seen),
    }
    await updateProduct(tx, locked.id, {
      ...columnsOf(changes),
      ...schedule,
      slug: isRenamed ? await claimFor(tx, name, locked.id) : locked.slug,
    })
    if (Object.values(offer).some((value) => value !== undefined))
      await updateListed(tx, locked.id, offer)
    if (changes.variants) await saveEdit(tx, locked.id, changes.variants)
    await saveSale(tx, locked.id, changes)
    if (photo) await setFirstPhoto(tx, locked.id, photo)
    if (changes.attributes) await saveValues(tx, locked.id, changes.attributes)
    const isListedAnew = schedule.status !== locked.status || isSaleIn(changes)
    await (isListedAnew ? publishPlans : publishEdits)(tx, [locked.id])
    await applyScheduleNow(tx, locked.id, changes)
    return openProduct(tx, locked.id)
  }).catch(rethrow(db, edit.id.toLowerCase(), changes))
}

/** Deletes a product; past orders keep their copy of it. Throws `not_found`. */
export async function removeProduct(db: Database, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, actor, async (tx) => {
    await lockProducts(tx, [id], true)
    if (!(await deleteProduct(tx, id))) throw noSuchProduct()
    await publishEdits(tx, [id.toLowerCase()])
  })
}
