/**
 * Subsets the shop's fonts into app/fonts/, because a first visit waits for every byte. Characters
 * of nearly every page are in one file; rare characters are in a second file, which browsers load
 * on demand by the `unicode-range` that app/fonts/font-face.css declares. It is written here, too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const FOLDER = new URL('../app/fonts/', import.meta.url)

/** Headings have one weight, text has three. */
const FONTS = {
  figtree: { family: 'Figtree', wght: { min: 400, max: 700 }, weight: '400 700' },
  fraunces: { family: 'Fraunces', wght: 600, weight: '600' },
}

const range = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at))

/** The characters of the fonts: Latin-1, and the other letters of its languages. */
const TEXT = [...`${range(0x20, 0x7e)}${range(0xa0, 0xff)}ıŒœŠšŸŽž–—‘’‚“”„†•…‹›€₹™−`]

/**
 * Frequent characters: Basic Latin, the small letters of Latin-1, currency signs and typographic
 * punctuation.
 */
const FREQUENT = /[\u0020-\u007e\u00df-\u00ff\u00a0£©·×–—‘’“”…€₹−]/
/** Of these, characters that names and descriptions hardly contain. */
const RARE = /[\\^_`{|}~<>ðý÷þÿ]/

const isFrequent = (character: string) => FREQUENT.test(character) && !RARE.test(character)
const FREQUENT_TEXT = TEXT.filter(isFrequent).join('')
const EXTENDED_TEXT = TEXT.filter((character) => !isFrequent(character)).join('')

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, '0')

/** Code points as `unicode-range`, with consecutive ones merged. */
function rangesOf(text: string): string {
  const ranges: { from: number; to: number }[] = []
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  for (const code of codes.sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.to === code - 1) last.to = code
    else ranges.push({ from: code, to: code })
  }
  return ranges.map(({ from, to }) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ''}`).join(', ')
}

const fontFaces: string[] = []
/** Omits alternate glyphs that no style uses, and hinting, which only old screens need. */
const REDUCTIONS = {
  noLayoutClosure: true,
  noHinting: true,
  dropTables: ['gasp', 'prep', 'STAT'],
}

for (const [name, { family, wght, weight }] of Object.entries(FONTS)) {
  const source = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`
  const whole = readFileSync(fileURLToPath(import.meta.resolve(source)))
  for (const [file, text] of Object.entries({
    [name]: FREQUENT_TEXT,
    [`${name}-extended`]: EXTENDED_TEXT,
  })) {
    const subset = await subsetFont(whole, text, {
      targetFormat: 'woff2',
      variationAxes: { wght },
      ...REDUCTIONS,
    })
    writeFileSync(new URL(`${file}.woff2`, FOLDER), subset)
    fontFaces.push(`@font-face {
  font-family: "${family}";
  font-display: optional;
  font-weight: ${weight};
  src: url("./${file}.woff2") format("woff2");
  unicode-range:
    ${rangesOf(text)};
}
`)
    console.log(`${file}: of ${whole.length} bytes ${subset.length} are left`)
  }
}

/** For pictures, which are drawn with a whole font file of one weight. */
const fraunces = import.meta.resolve(
  '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2',
)
const whole = readFileSync(fileURLToPath(fraunces))
const drawn = await subsetFont(whole, TEXT.join(''), {
  targetFormat: 'truetype',
  variationAxes: { wght: FONTS.fraunces.wght },
  ...REDUCTIONS,
})
writeFileSync(new URL('../app/seo/server/pictures/fraunces.ttf', import.meta.url), drawn)

writeFileSync(
  new URL('font-face.css', FOLDER),
  `/* Written by tools/subset-fonts.ts. \`optional\` never swaps a font under a reader's eyes. */
${fontFaces.join('\n')}`,
)
