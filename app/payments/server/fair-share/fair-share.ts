/** Fair shares promise that no network keeps a product from buyers elsewhere for ever, unpaid. */
import type { CartLine } from '#app/products/server/service.ts'
import { tooSoon } from '#app/shared/server/limits/limits.ts'
import type { Database } from '#db/schema.ts'
import { continueSpells, deleteOldSpells, selectOvertaken } from './store.ts'

/**
 * For how many minutes a network may keep a product without a sale, however many accounts take
 * turns; and for how many, once the last of its holds is over, half of the product is others'.
 */
export const spellOf = (holdMinutes: number) => ({ longest: 4 * holdMinutes, pause: holdMinutes })

type Taken = { network: string; lines: CartLine[]; minutes: number }

/**
 * Counts what was just held for a buyer of the network. Throws `rate_limited` when one of the
 * products was kept there for too long and less than half of its pieces would be left to others.
 * No hold that was given is ever taken away for it.
 */
export async function heedOthers(tx: Database, { network, lines, minutes }: Taken): Promise<void> {
  const { longest, pause } = spellOf(minutes)
  const productIds = lines.map(({ product_id }) => product_id)
  const within = await continueSpells(tx, { network, productIds, minutes, longest, pause })
  const tooLong = productIds.filter((id) => !within.includes(id))
  if (tooLong.length === 0) return
  const overtaken = await selectOvertaken(tx, { network, productIds: tooLong, pause })
  if (!overtaken) return
  const name = lines.find(({ product_id }) => product_id === overtaken.product_id)?.name
  const why = `${name} was kept at your address, unpaid, for ${longest} minutes. It is others’ turn now.`
  throw tooSoon(why, overtaken.seconds * 1000)
}

/** Lets go of what is remembered of networks whose pause is over. */
export const forgetOldSpells = (db: Database, { holdMinutes }: { holdMinutes: number }) =>
  deleteOldSpells(db, spellOf(holdMinutes).pause)
