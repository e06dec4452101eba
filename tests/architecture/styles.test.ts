/** The two style sheets: Tailwind takes every word of a source file for a class name, and daisyUI has common words. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'tailwindcss'
import { describe, expect, it } from 'vitest'

const APP = fileURLToPath(new URL('../../app/', import.meta.url))
const { resolve: find } = createRequire(import.meta.url)
const read = (path: string) => readFileSync(path, 'utf8')

const openSheet = (name: string) =>
  compile(read(APP + name), {
    base: dirname(APP + name),
    async loadStylesheet(id, base) {
      const path = id.startsWith('.') ? resolve(base, id) : find(`${id}/index.css`)
      return { path, base: dirname(path), content: read(path) }
    },
    loadModule: async (id, base) => ({ path: id, base, module: (await import(id)).default }),
  })

type Sheet = Awaited<ReturnType<typeof openSheet>>

/** The texts of the files that a sheet takes its classes from. */
function textsOf({ sources }: Sheet): string[] {
  const patternsOf = (isNegated: boolean) =>
    sources
      .filter(({ negated }) => negated === isNegated)
      .map(({ base, pattern }) => resolve(base, pattern))
  return globSync(patternsOf(false), { exclude: patternsOf(true) }).map(read)
}

/** Class names: those of `className` and `classList`, and strings that can be nothing else. */
const CLASS_NAMES = [
  /className(?:=|: )"([^"]*)"/g,
  /className=\{`([^`]*)`/g,
  /classList\.\w+\('([^']*)'/g,
  /(["'`])((?:[\w:[\]/.%()-]+ )*\w+-[^"'`]*)\1/g,
]

const classesIn = (texts: string[]) =>
  texts.flatMap((text) =>
    CLASS_NAMES.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
      (match) => match.at(-1)?.split(/\s+/) ?? [],
    ),
  )

const wordsIn = (texts: string[]) =>
  texts.flatMap((text) => text.match(/(?<![\w:/!-])[a-z]+(?:-[a-z]+)*(?![\w:/[-])/g) ?? [])

/** Words that add to a sheet without being a class of an element. */
async function strayWords(name: string, more = ''): Promise<string[]> {
  const sheet = await openSheet(name)
  const texts = textsOf(sheet)
  const classes = new Set(classesIn(texts))
  let css = sheet.build([...classes])
  return [...new Set(wordsIn([...texts, more]))].filter((word) => {
    if (classes.has(word)) return false
    const before = css
    css = sheet.build([word])
    return css !== before
  })
}

/** Every class of daisyUI. */
const DAISY = new Set(
  globSync('components/*/object.js', { cwd: dirname(find('daisyui')) }).flatMap((path) =>
    [...read(resolve(dirname(find('daisyui')), path)).matchAll(/\.([a-z][\w-]*)/g)].map(
      ([, name]) => name,
    ),
  ),
)

/** Classes of daisyUI that elements have and the sheet has not. */
async function missingClasses(name: string, more = ''): Promise<string[]> {
  const sheet = await openSheet(name)
  const classes = classesIn([...textsOf(sheet), more]).filter((one) => DAISY.has(one))
  const css = sheet.build(classes)
  return [...new Set(classes)].filter((one) => !new RegExp(`\\.${one}(?![\\w-])`).test(css))
}

describe.each(['app.css', 'back-office/back-office.css'])('app/%s', (name) => {
  it('has no class for a word that is none: it would be left out by `@source not inline`', async () => {
    expect(await strayWords(name)).toEqual([])
    expect(await strayWords(name, 'rating, resize')).toEqual(['resize'])
  })

  it('has each class of daisyUI that its pages use, by the `include` of its plugin', async () => {
    expect(await missingClasses(name)).toEqual([])
    expect(await missingClasses(name, 'className="rating"')).toEqual(['rating'])
  })
})
