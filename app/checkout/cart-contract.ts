/** The cart as the browser sends it. A file of its own: the cart page needs no more of checkout. */
import { Type } from 'typebox'
import { Id } from '../shared/contract/fields.ts'

/** An order repeats each piece with its description, so a longer cart would make lists without end. */
export const MOST_PIECES_A_CART = 200

/**
 * A cart of whole products, of which only the ids are read. A product bought twice appears twice.
 */
export const Cart = Type.Array(Type.Object({ _id: Id }), { maxItems: MOST_PIECES_A_CART })
