import { readFileSync } from 'node:fs'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { BROWSER_FIELDS } from './app/shared/contract/endpoint.ts'
import packageFile from './package.json' with { type: 'json' }

/** What every page needs of the shop itself. */
const SHOP = [
  /app\/shared\/(?!web\/(list|form|transfer|dialog|confirm-dialog)|model\/money-text)/,
  /app\/(accounts\/session-|(categories|products|settings|shipping)\/)contract\.ts/,
  /app\/(accounts\/web\/session|cart\/web\/cart\.ts|products\/web\/product-photo)/,
  /app\/(payments\/web\/payment-banner|settings\/web\/markdown-text)\.tsx/,
  /app\/layouts\/(?!countdown|guard|.*-layout)/,
]

/** Parts of pages that some pages of the shop and the back office have. */
const PART =
  /app\/shared\/web\/(confirm-dialog|list|transfer|form\/(?:select|text-area|unsaved-changes-prompt|radio-group|money-field))\.tsx?$/

/** With the small parts that are needed where an account's calls are. The first run's are needed by one page. */
const CALLS = /app\/(?:(?!setup)(\w+)\/contract|(accounts)\/web\/link-token)\.ts/

/**
 * Two files that every page needs, instead of many small chunks: what comes from npm, and what the
 * domains share. The pages stay files of their own, and what is only for some of them comes with
 * those, in one file where it is always needed together: the back office's calls, select and
 * charts are no visitor's business.
 */
const everyPage = {
  groups: [
    {
      name: 'vendor',
      test: /node_modules\/(react|react-dom|react-router|scheduler|nanostores|@nanostores)\//,
    },
    { name: 'shop', test: (file: string) => SHOP.some((part) => part.test(file)) },
    { name: 'cards', test: /app\/products\/(model\.ts|web\/list\/(?!filtered))/ },
    {
      name: 'finding',
      test: /app\/products\/(search-contract|web\/(list\/filtered|search\/(?!suggest)))/,
    },
    {
      name: 'paying',
      test: /app\/((orders|payments)\/contract|checkout\/(contract|web\/choices-key)|accounts\/profile-contract|accounts\/web\/(buyer|renewed-user)|payments\/web\/(verify-payment|unconfirmed|use-verification))\.ts/,
    },
    {
      name: 'orders',
      test: /app\/orders\/(model|web\/(order-total|relative-date))\.tsx?/,
    },
    // one file for every form: a part that few of them need would become a further file of all others
    {
      name: 'form',
      test: /app\/shared\/web\/form\/(field|labelled|problem|submit-form|use-submit)\.tsx?/,
    },
    // of the first run, too
    { name: 'options', test: /app\/settings\/web\/options\.ts/ },
    // by themselves, so that the back office's, which import them, do not take them along
    { name: (file: string) => `${CALLS.exec(file)?.slice(1).join('')}-calls`, test: CALLS },
    // last, so that it takes nothing that visitors need; the menu needs every domain's
    {
      name: 'back-office',
      test: /app\/\w+\/(admin-(contract|model)|(attribute|catalogue|handling|preview|publication|variant)-contract)\.ts/,
    },
    // the preview imports the page
    { name: 'product-page', test: /app\/products\/web\/product-page\.tsx/ },
    { name: 'dialog', test: /app\/shared\/web\/dialog\.tsx/ },
    // each by itself, so that the kit does not take it from visitors' pages
    { name: (file: string) => PART.exec(file)?.[1]?.replace('/', '-') ?? 'part', test: PART },
    {
      name: 'kit',
      test: /app\/(back-office\/download-button|emails\/web\/admin\/mail-checkbox)|app\/back-office\/kit\/(?!combobox|table|bulk|csv|grid|notes)|node_modules\/(lucide-react|use-sync-external-store)\//,
    },
    {
      name: 'table',
      test: /app\/back-office\/kit\/(table|bulk|csv)|node_modules\/@tanstack\/(?!\w+-virtual|virtual)/,
    },
  ],
}

/** Names of files: every page loads all of them with the site map, so their hashes are as short as can be. */
const fileNames = {
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
}

const isBrowser = ({ name }: { name: string }) => name === 'client'

/** Stands for TypeBox in the browser, where a contract is read for its paths and methods only. */
const NO_SCHEMAS = '\0no-schemas'
const PLACEHOLDER =
  'const schema = () => ({ properties: {} }); export const Type = new Proxy({}, { get: () => schema })'

type Node = { type: string; start: number; end: number; [part: string]: unknown }

const isNode = (value: unknown): value is Node =>
  value instanceof Object && 'type' in value && typeof value.type === 'string'

const nameOf = (node: unknown) => (isNode(node) ? node.name : undefined)

type Edit = { start: number; end: number; text: string }

const emptied = ({ start, end }: Node): Edit => ({ start, end, text: "''" })

/** With the comma that follows. */
const removed = ({ start, end }: Node, code: string): Edit => ({
  start,
  end: end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0),
  text: '',
})

/** Whether a function returns a schema: one of `Type`, or one of the contracts, such as `FilledText`. */
function isSchema(callee: Node): boolean {
  const name = `${nameOf(callee)}`
  return nameOf(callee.object) === 'Type' || (/^[A-Z]/.test(name) && !(name in globalThis))
}

const isForBrowser = (field: unknown) => BROWSER_FIELDS.some((name) => name === field)

/**
 * What the browser does not need of a node: the arguments of schemas, and of a call the tags of the page
 * cache and all but how it is made. What nothing uses then is left out of the build: schemas are pure.
 */
function unneededIn(node: Node, code: string): Edit[] {
  const { callee, start } = node
  const given = [node.arguments].flat().filter(isNode)
  if (isNode(callee) && isSchema(callee))
    return [{ start, end: start, text: '/* @__PURE__ */ ' }, ...given.map(emptied)]
  if (['endpoint', 'cachedEndpoint'].includes(`${nameOf(callee)}`)) {
    const parts = [given.at(-1)?.properties].flat().filter(isNode)
    return [
      ...given.slice(0, -1).map(emptied),
      ...parts.flatMap((part) =>
        isNode(part.key) && !isForBrowser(nameOf(part.key))
          ? [removed(part, code)]
          : unneededIn(part, code),
      ),
    ]
  }
  return Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((part) => unneededIn(part, code))
}

/** The browser calls the API by path and method: it validates nothing, and needs no library for it. */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  applyToEnvironment: isBrowser,
  resolveId: (id) => (id === 'typebox' ? NO_SCHEMAS : undefined),
  load: (id) => (id === NO_SCHEMAS ? PLACEHOLDER : undefined),
  transform: {
    filter: { id: /app\/.*contract(\/[\w-]+)?\.ts$/ },
    handler(code) {
      const program: unknown = this.parse(code, { lang: 'ts' })
      if (!isNode(program)) return null
      // from the end, so that the positions before stay valid
      return unneededIn(program, code).reduceRight(
        (left, { start, end, text }) => left.slice(0, start) + text + left.slice(end),
        code,
      )
    },
  },
}

/** Lets a page that another one imports be one file, which exports more than its route needs. */
const oneFileForPage: Plugin = {
  name: 'one-file-for-page',
  enforce: 'post',
  configEnvironment: (name) =>
    name === 'client'
      ? { build: { rolldownOptions: { preserveEntrySignatures: 'allow-extension' } } }
      : undefined,
}

/** The notices of all that the pages ship; it is served as `/licenses.md`. */
const LICENSES = 'licenses.md'

/** Styles and fonts in the pages: Vite names the packages of scripts only. */
const MORE_LICENSES = {
  tailwindcss: 'node_modules/tailwindcss/LICENSE',
  daisyui: 'node_modules/daisyui/LICENSE',
  Figtree: 'app/fonts/figtree-OFL.txt',
  Fraunces: 'app/fonts/fraunces-OFL.txt',
}

const moreLicenses: Plugin = {
  name: 'more-licenses',
  applyToEnvironment: isBrowser,
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const file = bundle[LICENSES]
      if (file?.type !== 'asset') return
      const more = Object.entries(MORE_LICENSES).map(
        ([name, path]) => `\n## ${name}\n\n${readFileSync(path, 'utf8').trim()}\n`,
      )
      file.source = `${file.source}${more.join('')}`
    },
  },
}

/** The packages of a production install: the built pages import them, and contain all others. */
const installed = Object.keys(packageFile.dependencies)

export default defineConfig(({ command }) => ({
  plugins: [withoutSchemas, tailwindcss(), reactRouter(), oneFileForPage, moreLicenses],
  clearScreen: false,
  ...(command === 'build' && { ssr: { noExternal: true, external: installed } }),
  environments: {
    client: {
      build: {
        license: { fileName: LICENSES },
        rolldownOptions: {
          output: { codeSplitting: everyPage, ...fileNames },
        },
      },
    },
  },
}))
