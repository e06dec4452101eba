/** Signed tokens of previews. They name a product and when they expire, and are stored nowhere. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isId } from '#app/shared/contract/fields.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database } from '#db/schema.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_MS = 7 * DAY_MS

const signatureOf = async (db: Database, facts: string): Promise<Buffer> =>
  createHmac('sha256', await sharedSecret(db, 'preview_secret'))
    .update(facts)
    .digest()

/** A token for a week from today: all of a day are the same. */
export async function previewToken(db: Database, id: string): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const facts = `${id}.${today + DAY_MS + LIFE_MS}`
  return `${facts}.${(await signatureOf(db, facts)).toString('base64url')}`
}

/** The id of the product; null when the token is not the shop's, or has expired. */
export async function previewedId(db: Database, token: string): Promise<string | null> {
  const [id = '', expires = '', signature = ''] = token.split('.')
  if (!isId(id) || !(Number(expires) > Date.now())) return null
  const given = Buffer.from(signature, 'base64url')
  const expected = await signatureOf(db, `${id}.${expires}`)
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
}
