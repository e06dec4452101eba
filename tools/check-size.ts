/**
 * Fails the build when a public page loads more script or style than the budget of a first visit, a tiny file, or the
 * calls of the back office. With `--last-build` it checks the last build if that is newer than its sources, and says so if not.
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { table } from '#bench/table.ts'
import { BUDGET } from '#bench/visit/budget.ts'
import { isBuilt } from '#bin/build-state.ts'

const CLIENT = fileURLToPath(new URL('../build/client/', import.meta.url))
/** A preview is opened from the back office: it is no first visit. */
const NOT_PUBLIC = [
  'layouts/user-area-layout',
  'back-office/back-office-layout',
  'products/web/preview-page',
]

type Route = {
  id: string
  parentId?: string
  module: string
  imports: string[]
  css: string[]
}

type Manifest = {
  url: string
  entry: { module: string; imports: string[] }
  routes: Record<string, Route>
}

if (process.argv.includes('--last-build') && !isBuilt()) {
  console.log(
    'Page sizes are not checked: the build is missing or older than its sources. `npm run build` checks them.',
  )
  process.exit()
}

/** React Router's manifest, as the browser gets it. */
function readManifest(): Manifest {
  const [file] = globSync('assets/manifest-*.js', { cwd: CLIENT })
  if (!file) throw new Error('There is no build to measure.')
  const script = readFileSync(CLIENT + file, 'utf8')
  return JSON.parse(script.slice(script.indexOf('=') + 1).replace(/;\s*$/, ''))
}

const { url, entry, routes } = readManifest()

/** The route of a page and its parent routes. */
function frames(route: Route | undefined): Route[] {
  return route ? [...frames(routes[route.parentId ?? '']), route] : []
}

/** Each file is a request: a part that is smaller joins a neighbour by a group of vite.config.ts. */
const MIN_BYTES = 300
const KB = 1024
const zippedKb = (paths: string[]) =>
  [...new Set(paths)].reduce((sum, path) => sum + gzipSync(readFileSync(CLIENT + path)).length, 0) /
  KB

const all = Object.values(routes)
const pages = all
  .filter(({ id }) => !all.some(({ parentId }) => parentId === id))
  .map((page) => ({ name: page.id, parts: frames(page) }))
  .filter(({ parts }) => !parts.some(({ id }) => NOT_PUBLIC.includes(id)))
  .map(({ name, parts }) => ({
    name,
    scripts: [
      url,
      entry.module,
      ...entry.imports,
      ...parts.flatMap(({ module, imports }) => [module, ...imports]),
    ],
    imports: parts.flatMap(({ imports }) => imports),
    styles: parts.flatMap(({ css }) => css),
  }))
const isVendor = (path: string) => path.includes('/vendor-')
const sizes = pages.map(({ name, scripts, styles }) => ({
  name,
  vendor: zippedKb(scripts.filter(isVendor)),
  own: zippedKb(scripts.filter((path) => !isVendor(path) && path !== url)),
  siteMap: zippedKb([url]),
  styles: zippedKb(styles),
}))

const kb = (size: number) => `${size.toFixed(1)} KB`
console.log(
  table(
    ['page, gzip', 'own scripts', 'styles'],
    sizes.map(({ name, own, styles }) => [name, kb(own), kb(styles)]),
  ),
)
const [first] = sizes
if (first) console.log(`Each page: vendor ${kb(first.vendor)}, site map ${kb(first.siteMap)}.`)

const KINDS = {
  vendor: 'scripts of packages',
  own: 'scripts of its own',
  siteMap: 'site map',
  styles: 'styles',
} as const
const tooLarge = sizes.flatMap(({ name, ...size }) =>
  (['vendor', 'own', 'siteMap', 'styles'] as const)
    .filter((kind) => size[kind] > BUDGET.sizeKb[kind])
    .map(
      (kind) =>
        `Too large: ${name} loads ${kb(size[kind])} of ${KINDS[kind]}; the budget is ${kb(BUDGET.sizeKb[kind])}.`,
    ),
)
const ofBackOffice = pages
  .filter(({ scripts }) => scripts.some((path) => path.includes('/back-office-')))
  .map(
    ({ name }) =>
      `${name} loads the calls of the back office: see codeSplitting in vite.config.ts.`,
  )
const sizeOf = (path: string) => statSync(CLIENT + path).size
const tooSmall = pages.flatMap(({ name, imports }) =>
  imports
    .filter((path) => sizeOf(path) < MIN_BYTES)
    .map((path) => `Too small: ${name} loads ${path} of ${sizeOf(path)} bytes by itself.`),
)
const problems = [...tooLarge, ...tooSmall, ...ofBackOffice]
if (pages.length === 0) problems.push('There is no page to measure.')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
