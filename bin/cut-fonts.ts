/** Cuts the shop's fonts to what it writes with, into app/fonts/: a first visit waits for every byte. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const FOLDER = new URL('../app/fonts/', import.meta.url)

/** Headings have one weight, everything else three. */
const FONTS = { figtree: { min: 400, max: 700 }, fraunces: 600 }

/** Basic Latin and Latin-1, and the signs of prices and of typography. */
const range = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at))
const TEXT = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœŠšŸŽž–—‘’‚“”„†•…‹›€₹™−`

for (const [name, wght] of Object.entries(FONTS)) {
  const source = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`
  const whole = readFileSync(fileURLToPath(import.meta.resolve(source)))
  const cut = await subsetFont(whole, TEXT, {
    targetFormat: 'woff2',
    variationAxes: { wght },
    // without the alternate forms that nothing asks for
    noLayoutClosure: true,
  })
  writeFileSync(new URL(`${name}.woff2`, FOLDER), cut)
  console.log(`${name}: ${whole.length} bytes, of which ${cut.length} are left`)
}
