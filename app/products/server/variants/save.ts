/** Saves the options and variants of a product in at most ten statements, whatever their number. */

import type { VariantEdit } from '#app/products/variant-contract.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { describeChange } from '#app/shared/server/actor/actor-store.ts'
import { isForeignKeyViolation, isUniqueViolation } from '#app/shared/server/database-errors.ts'
import { type Failure, invalid, invalidFields, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { publishEdits } from '../publish.ts'
import { applyEdit } from './edit.ts'
import { recordEdits } from './listing-store.ts'
import { SLOTS, type State } from './rows.ts'
import {
  deleteVariants,
  lockProducts,
  replaceOptions,
  selectProductsByCodes,
  selectStates,
  writeVariants,
} from './store.ts'

/** The product with its options and variants. Throws `not_found` when there is none. */
export async function openVariants(db: Database, id: string) {
  const [state] = (await selectStates(db, [id])).values()
  if (!state) throw notFound('There is no such product.')
  return state
}

/** Writes an edit of a product that `lockProducts` has locked; the caller records and publishes it. */
export async function writeEdit(tx: Database, id: string, state: State, edit: VariantEdit) {
  const { options, written, removed } = applyEdit(state, edit)
  if (edit.reason?.trim()) await describeChange(tx, { reason: edit.reason.trim() })
  if (removed.length > 0) await deleteVariants(tx, id, removed)
  if (edit.options) await replaceOptions(tx, id, options)
  const rows = written.length > 0 ? await writeVariants(tx, id, written) : []
  if (rows.length < written.length)
    throw invalid('A new variant has the id of another one.', 'added')
  const saved = rows.map(({ id: variant, updated_at }) => ({
    id: variant,
    updated_at,
    row: written.find((row) => row.id === variant),
  }))
  return { saved, removed: removed.length }
}

/** The foreign keys by which a value is one of its product. */
const VALUE_KEYS = SLOTS.map((slot) => `variants_${slot}_fkey`)

/** The failure to answer where a constraint of variants refused an edit: other products have its codes or ids. */
export async function failureOf(
  db: Database,
  id: string,
  edit: VariantEdit,
  error: unknown,
): Promise<Failure | null> {
  if (isUniqueViolation(error, 'variants_sku') || isUniqueViolation(error, 'variants_barcode'))
    return takenCodes(db, id, edit)
  if (VALUE_KEYS.some((key) => isForeignKeyViolation(error, key)))
    return invalid('A value of an option has the id of another product.', 'options')
  return null
}

/**
 * Saves an edit of one product. Throws `not_found`, `stale` with each cell that another admin has changed, and
 * `invalid` with each field that cannot be.
 */
export async function saveVariants(
  db: Database,
  actor: Actor,
  productId: string,
  edit: VariantEdit,
) {
  const id = productId.toLowerCase()
  return inTransaction(db, actor, async (tx) => {
    await lockProducts(tx, [id])
    const done = await writeEdit(tx, id, await openVariants(tx, id), edit)
    await recordEdits(tx, [id])
    await publishEdits(tx, [id])
    return done
  }).catch(async (error) => {
    throw (await failureOf(db, id, edit, error)) ?? error
  })
}

const CODES = ['sku', 'barcode'] as const

/** Names each SKU and barcode of an edit that another product has. */
async function takenCodes(db: Database, id: string, { changed = [], added = [] }: VariantEdit) {
  const sent = CODES.flatMap((cell) => [
    ...changed.map((one, at) => ({ cell, field: `changed.${at}.${cell}`, code: one[cell]?.to })),
    ...added.map((one, at) => ({ cell, field: `added.${at}.${cell}`, code: one[cell] })),
  ]).flatMap(({ code, ...rest }) => (code ? [{ ...rest, code: code.trim() }] : []))
  const taken = await selectProductsByCodes(
    db,
    sent.map(({ code }) => code),
  )
  return invalidFields(
    sent.flatMap(({ cell, field, code }) => {
      const other = taken.get(`${cell} ${code}`)
      return other && other.id !== id
        ? [{ field, message: `${other.name} has ${code} already.` }]
        : []
    }),
  )
}
