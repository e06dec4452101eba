import { sql } from 'kysely'

/** Whether a product is in the shop, in a statement on `products`: what customers get has no others. */
export const PUBLISHED = sql<boolean>`products.status = 'published'`
