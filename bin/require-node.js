/**
 * Ends with a sentence where Node is too old to run TypeScript. It is JavaScript, which every Node reads.
 * A newer one that lacks security fixes is refused by bin/start.ts. With `--silent` it prints nothing.
 */
import { readFileSync } from 'node:fs'

if (!process.features.typescript) {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const floors = engines.node.match(/\d+\.\d+\.\d+/g).join(', ')
  const why = `Node ${process.versions.node} cannot run the shop: install Node ${floors} or a newer one of these.`
  if (!process.argv.includes('--silent')) console.error(why)
  process.exit(1)
}
