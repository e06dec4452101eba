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
  const { openEmbedded } = await import('#db/embedded.ts')
  const { close } = await openEmbedded(dataDir)
  await close()
}
