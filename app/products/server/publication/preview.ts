/** Signed tokens of previews. They name a product and when they expire, and are stored nowhere. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '#app/shared/contract/fields.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database, Row } from '#db/schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_MS = 7 * DAY_MS

/** The facts of a product that a token is of: those of one that was not archived yet end then. */
type Previewed = Pick<Row<'products'>, 'id' | 'status'>

const signatureOf = async (db: Database, { id, status }: Previewed, expires: string) =>
  createHmac('sha256', await sharedSecret(db, 'preview_secret'))
    .update(`${id}.${expires}${status === 'archived' ? '.archived' : ''}`)
    .digest()

/** A token for a week from today: all of a day are the same. */
export async function previewToken(db: Database, product: Previewed): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const expires = String(today + DAY_MS + LIFE_MS)
  const signature = await signatureOf(db, product, expires)
  return [product.id, expires, signature.toString('base64url')].join('.')
}

/** The id of the product that a token names; null when it is none, or has expired. */
export function idIn(token: string): string | null {
  const [id = '', expires = ''] = token.split('.')
  return isId(id) && Number(expires) > Date.now() ? id : null
}

/** Whether the shop has signed a token of this product, as it is now. */
export async function isSigned(db: Database, token: string, product: Previewed): Promise<boolean> {
  const [, expires = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = await signatureOf(db, product, expires)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
