/**
 * `node packages-start.ts [DATA_DIR]`: imports the largest packages of the shop, opens its embedded
 * database if it has one, and exits: the part of a start that is not the shop's own.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const PACKAGES = ['fastify', 'kysely', 'pg', 'typebox', 'react-dom/server', 'react-router']

const [, , dataDir] = process.argv
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
for (const name of PACKAGES) await import(name)
if (dataDir) {
  // as the package opens it: how the shop compiles it is a part of the shop
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const { pgdataIn } = await import('#db/data-folder.ts')
  const pglite = await PGlite.create({ dataDir: pgdataIn(dataDir), extensions: { pg_trgm } })
  await pglite.close()
}
