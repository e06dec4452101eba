/**
 * `node bin/start.ts [FILE]`: starts the shop, with the settings in FILE where the environment does
 * not say otherwise; builds the site first when there is no build, or an older one. `npm start` names
 * .env, which may be missing; any other FILE that is missing stops the start.
 */
import { execSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const BUILT = join(root, 'build/server/index.js')
/** What the build is made of. */
const FOLDERS = ['app', 'public']
const FILES = ['package-lock.json', 'react-router.config.ts', 'vite.config.ts']

/** Folders too, because a removed file shows only there. */
const sources = () => [
  ...FILES,
  ...FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, `${path}`)),
  ]),
]

const changedAt = (path: string) => statSync(path).mtimeMs

function isBuilt() {
  if (!existsSync(BUILT)) return false
  const built = changedAt(BUILT)
  return sources().every((path) => changedAt(join(root, path)) <= built)
}

const [, , settings] = process.argv
if (settings && existsSync(settings)) process.loadEnvFile(settings)
else if (settings === '.env')
  console.log('No .env file here: settings come from the environment, else they are the defaults.')
else if (settings) {
  console.error(`There is no file ${settings} to read the settings from.`)
  process.exit(1)
}
if (!isBuilt()) execSync('npm run build', { cwd: root, stdio: 'inherit' })
// before React is loaded: it asks once, and is several times slower while developing
process.env.NODE_ENV ??= 'production'
enableCompileCache(join(root, 'node_modules/.cache/compiled'))
await import('../server/main.ts')
