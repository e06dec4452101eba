import { expect, it } from 'vitest'
import { slugify } from './slug.ts'

it.each([
  ['Harbour Wireless Headphones', 'harbour-wireless-headphones'],
  ['  Potter’s   mug, No. 7!  ', 'potters-mug-no-7'],
  ['Kitchen & Pantry', 'kitchen-and-pantry'],
  ['Crème brûlée', 'creme-brulee'],
  ['Straße, Œuvre, Łódź, Ærø', 'strasse-oeuvre-lodz-aero'],
  ['ﬁne ½ Ⅳ', 'fine-1-2-iv'],
  ['C++', 'c'],
  ['1984', '1984'],
  ['50 % 🫖', '50'],
  ['Чайник Bosch 2', 'bosch-2'],
])('folds %j to %s', (name, slug) => expect(slugify(name)).toBe(slug))

it.each(['चाय की केतली', '茶壺', 'чайник', '🫖', '++', '', '茶壺 2', 'Чайник 2', '0.5 लीटर'])(
  'gives %j an address of its own',
  (name) => expect(slugify(name)).toMatch(/^[0-9a-f]{8}$/),
)

it('gives different names without Latin letters different addresses, the same one each time', () => {
  expect(slugify('茶壺')).not.toBe(slugify('急須'))
  expect(slugify('茶壺')).toBe(slugify('茶壺'))
})

it('cuts a long name after a word, and a long word anywhere', () => {
  const long = slugify('a very long name '.repeat(20))
  expect(long).toBe(`${'a-very-long-name-'.repeat(4)}a-very-long`)
  expect(slugify('x'.repeat(200))).toBe('x'.repeat(80))
})
