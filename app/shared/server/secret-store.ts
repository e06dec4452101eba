import { randomBytes } from 'node:crypto'
import type { Database } from '#db/schema.ts'

/**
 * A random secret, kept in the database under this name: the first process that needs it creates it,
 * and all processes of the shop share it.
 */
export async function sharedSecret(
  db: Database,
  key: 'network_key' | `${string}_secret`,
): Promise<string> {
  const select = () =>
    db.selectFrom('shop_facts').select('value').where('key', '=', key).executeTakeFirst()
  const known = await select()
  if (known) return known.value
  await db
    .insertInto('shop_facts')
    .values({ key, value: randomBytes(32).toString('base64url') })
    .onConflict((fact) => fact.column('key').doNothing())
    .execute()
  return (await select())?.value ?? ''
}
