import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
const settings = settingsThrough(shop, () => admin)

const NAMES = ['Zubehör', 'apfel', 'Öle', 'Łódź', 'Art & Paper', 'Østers', 'Ärzte', 'Zz']
const GERMAN = ['apfel', 'Art & Paper', 'Ärzte', 'Łódź', 'Öle', 'Østers', 'Zubehör', 'Zz']
const SWEDISH = ['apfel', 'Art & Paper', 'Łódź', 'Zubehör', 'Zz', 'Ärzte', 'Öle', 'Østers']

const ZONE = { isDefault: false, rates: [{ name: 'Post', kind: 'flat', price: 1 }] }
const COUNTRIES = ['AT', 'BE', 'CH', 'DE', 'ES', 'FR', 'GR', 'HU']
const ATTRIBUTE = { kind: 'text', unit: null, isFilterable: true, choices: [] }

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  const { token } = admin
  for (const [at, name] of NAMES.entries()) {
    const category = await addCategory(shop.db, name)
    for (const _ of [1, 2]) await addProduct(shop.db, { category, name: 'Lantern' })
    const send = (path: string, body: object) => shop.post(path, { token, body })
    await send('/product/attributes', { ...ATTRIBUTE, name })
    await send('/tax/classes', { name })
    await send('/shipping/zone', { ...ZONE, name, places: [{ country: COUNTRIES[at] }] })
  }
})

/** The names in lists of a call, in their order. */
async function namesOf(path: string, pick: (body: never) => { name: string }[]) {
  const { body } = await shop.get<never>(path, { token: admin.token })
  return [...new Set(pick(body).map(({ name }) => name))].filter((name) => NAMES.includes(name))
}

type Named = { name: string }[]
const LISTS: [string, (body: never) => Named][] = [
  ['/category/get-category', ({ category }: { category: Named }) => category],
  ['/category/all-categories', (body: Named) => body],
  ['/product/attributes', (body: Named) => body],
  ['/tax/classes', (body: Named) => body],
  ['/tax', ({ classes }: { classes: Named }) => classes],
  ['/shipping/zones', ({ zones }: { zones: Named }) => zones],
  [
    '/product/search-results?keyword=lantern',
    ({ facets }: { facets: { categories: Named } }) => facets.categories,
  ],
]

describe('lists by name', () => {
  it.each(LISTS)('%s is sorted as the language of the shop sorts', async (path, pick) => {
    await settings.save({ locale: 'de-DE' })
    expect(await namesOf(path, pick)).toEqual(GERMAN)
    await settings.save({ locale: 'sv-SE' })
    expect(await namesOf(path, pick)).toEqual(SWEDISH)
  })
})
