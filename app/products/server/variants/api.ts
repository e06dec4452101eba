import {
  NOTHING_CHANGED,
  type VariantEdit,
  type variantCalls,
} from '#app/products/variant-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { cellsOf, type State, valuesOf } from './rows.ts'
import { openVariants, saveVariants } from './save.ts'
import { selectHeld } from './store.ts'

const counted = (count: number) => (count === 1 ? '1 variant' : `${count} variants`)

/** The message about a saved edit. */
function messageOf({ options }: VariantEdit, saved: number, removed: number): string {
  const done = [
    ...(saved > 0 ? [`${counted(saved)} saved.`] : []),
    ...(removed > 0 ? [`${counted(removed)} removed.`] : []),
  ]
  if (done.length > 0) return done.join(' ')
  return options ? 'The options are saved.' : NOTHING_CHANGED
}

/** The options and variants of a product as they are edited. */
export async function presentVariants(
  db: Database,
  id: string,
  { options, variants, currency }: Omit<State, 'name'>,
) {
  const held = new Map((await selectHeld(db, id)).map((row) => [row.variant_id, row.pieces]))
  return {
    options,
    variants: variants.map((row) => ({
      _id: row.id,
      values: valuesOf(row),
      held: held.get(row.id) ?? 0,
      ...cellsOf(row, currency),
      updatedAt: row.updated_at.toISOString(),
    })),
  }
}

export const variantHandlers = ({ db }: { db: Database }): Handlers<typeof variantCalls> => ({
  async getVariants({ params }) {
    const { id, name, slug, ...state } = await openVariants(db, params.id)
    return { product: { _id: id, name, slug }, ...(await presentVariants(db, id, state)) }
  },
  async saveVariants({ params, body, caller }) {
    const { saved, removed } = await saveVariants(db, admin(caller), params.id, body)
    const sent = new Map(
      [...(body.changed ?? [])].map(({ _id, quantity }) => [_id.toLowerCase(), quantity?.to]),
    )
    return {
      success: true,
      message: messageOf(body, saved.length, removed),
      variants: saved.map(({ id, updated_at, row }) => {
        const quantity = sent.get(id)
        return {
          _id: id,
          updatedAt: updated_at.toISOString(),
          ...(row && quantity !== undefined && quantity !== row.quantity
            ? { quantity: row.quantity }
            : {}),
        }
      }),
    }
  },
})
