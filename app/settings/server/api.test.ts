import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Slide, TextNode } from '#app/settings/contract.ts'
import type { PublicSettings } from '#app/shared/contract/public-settings.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'

const shop = testShop({ SHOP_NAME: 'Bazaar', CURRENCY_DISPLAY: 'EUR' })

let admin: Person
const { save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const displayed = async () => (await shop.get<PublicSettings>('/settings')).body
const slides = async () => (await shop.get<Slide[]>('/settings/slides')).body
const text = async (page: string) =>
  (await shop.get<{ nodes: TextNode[]; summary: string }>(`/settings/texts/${page}`)).body

describe('GET /settings', () => {
  it('has the values of the environment at the first start, and the defaults', async () => {
    expect(await displayed()).toEqual({
      name: 'Bazaar',
      tagline: '',
      logo: null,
      email: '',
      phone: '',
      tollFree: '',
      address: '',
      accent: '#b4441f',
      legalPages: [],
      scheme: 'system',
      style: '',
      currencyDisplay: 'EUR',
      locale: 'en-US',
      timeZone: 'UTC',
      moneyFormats: {
        EUR: expect.objectContaining({ affixes: ['€', ''], decimal: '.', digits: 2 }),
        INR: expect.objectContaining({ affixes: ['₹', ''] }),
      },
      lowStock: 5,
      priceBands: [0, 20, 40, 60, 80, 100],
      hasAdmin: true,
    })
  })

  it('keeps what was saved when the environment changes', async () => {
    await save({ name: 'Souk' })
    const again = await shopOn(shop.db, { SHOP_NAME: 'Other', CURRENCY_DISPLAY: 'USD' })
    expect((await again.get('/settings')).body).toMatchObject({
      name: 'Souk',
      currencyDisplay: 'EUR',
    })
    await again.app.close()
  })

  it('has defaults while there is no row, and a save makes it', async () => {
    await emptyTables(shop.db, ['settings'])
    expect(await displayed()).toMatchObject({ name: 'Haat', currencyDisplay: 'USD' })
    expect((await save({ name: 'Made anew' })).status).toBe(200)
    expect((await displayed()).name).toBe('Made anew')
  })

  it('has the formats of the currencies in the locale', async () => {
    const { status } = await save({ locale: 'de-DE', currencyDisplay: 'EUR' })
    expect(status).toBe(200)
    expect((await displayed()).moneyFormats).toEqual({
      EUR: {
        affixes: ['', '\u00a0€'],
        negativeAffixes: ['-', '\u00a0€'],
        decimal: ',',
        digits: 2,
        group: '.',
        groupSizes: [3, 3],
        leastGrouped: 4,
        numerals: '0123456789',
      },
      INR: expect.objectContaining({ affixes: ['', '\u00a0₹'] }),
    })
    await save({ locale: 'en-US' })
  })

  it('has a style sheet with colours of the accent colour', async () => {
    await save({ accent: '#1D4ED8' })
    const { accent, style } = await displayed()
    expect(accent).toBe('#1d4ed8')
    expect(style).toMatch(/^:root\{--color-primary:#1d4ed8;/)
    expect(style).not.toMatch(/["<>&]/)
    await save({ accent: '#b4441f' })
  })
})

describe('GET /settings/slides', () => {
  it('has none in a new shop, then those that were saved', async () => {
    expect(await slides()).toEqual([])
    const slide = { picture: 'slide-2', title: ' Sale ', text: '', link: '/category/mugs' }
    const saved = { ...slide, title: 'Sale' }
    await save({ slides: [slide, saved] })
    expect(await slides()).toEqual([saved, saved])
    // what is saved can be saved again
    expect((await save({ name: 'Souk' })).status).toBe(200)
    await save({ slides: [] })
    expect(await slides()).toEqual([])
  })
})

describe('GET /settings/texts/:page', () => {
  it('has no text in a new shop', async () => {
    for (const page of ['about', 'contact', 'policy'])
      expect(await text(page)).toEqual({ nodes: [], summary: '' })
    expect((await shop.get('/settings/texts/other')).status).toBe(400)
  })

  it('renders Markdown: headings below that of the page, lists, links and tables', async () => {
    await save({ about: '# Us\n\n2. *fine* tea\n\n[Mail](mailto:a@example.com)\n\n|a|\n|-|\n|b|' })
    expect((await text('about')).nodes).toEqual([
      { tag: 'h2', children: ['Us'] },
      {
        tag: 'ol',
        start: 2,
        children: [{ tag: 'li', children: [{ tag: 'em', children: ['fine'] }, ' tea'] }],
      },
      { tag: 'p', children: [{ tag: 'a', href: 'mailto:a@example.com', children: ['Mail'] }] },
      {
        tag: 'table',
        children: [
          { tag: 'thead', children: [{ tag: 'tr', children: [{ tag: 'th', children: ['a'] }] }] },
          { tag: 'tbody', children: [{ tag: 'tr', children: [{ tag: 'td', children: ['b'] }] }] },
        ],
      },
    ])
  })

  it('keeps single line breaks, however they are typed', async () => {
    await save({ about: 'Haat\r\n1 **Long** Lane  \nLeeds\\\n*UK*\n\n- a\n  b' })
    const br = { tag: 'br', children: [] }
    expect((await text('about')).nodes).toEqual([
      {
        tag: 'p',
        children: [
          'Haat',
          br,
          '1 ',
          { tag: 'strong', children: ['Long'] },
          ' Lane',
          br,
          'Leeds',
          br,
          { tag: 'em', children: ['UK'] },
        ],
      },
      { tag: 'ul', children: [{ tag: 'li', children: ['a', br, 'b'] }] },
    ])
    expect((await text('about')).summary).toBe('Haat 1 Long Lane Leeds UK a b')
  })

  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[x](javascript:alert(1))',
    '[x](java\nscript:alert(1))',
    '<javascript:alert(1)>',
    '[x](data:text/html,hi)',
    '![x](javascript:alert(1))',
    '<style>body{display:none}</style>',
    '[x]( &#106;avascript:alert(1))',
  ])('leaves out what could run: %s', async (about) => {
    await save({ about })
    const { nodes } = await text('about')
    expect(JSON.stringify(nodes)).not.toMatch(/"tag":"(script|img|style)"|"href":"(?!https?:)/)
  })

  it.each<[what: string, Markdown: string]>([
    [
      'a wide table with many rows',
      `${'|a'.repeat(1500)}\n${'|-'.repeat(1500)}\n${'|\n'.repeat(1990)}`,
    ],
    ['deep quotations', `${'>'.repeat(10)} a\n\n`.repeat(100)],
    ['nested marks', `${'*a '.repeat(245)}${'a* '.repeat(245)}\n\n`.repeat(5)],
  ])('renders %s, and no more than it is', async (_what, about) => {
    expect(await save({ about })).toMatchObject({ status: 200 })
    const { status, bytes } = await shop.get('/settings/texts/about')
    expect(status).toBe(200)
    expect(bytes.length).toBeLessThan(1_000_000)
  })

  it('previews the same for an admin', async () => {
    const body = { text: '**Bold** <script>x</script>' }
    const preview = await shop.post('/settings/preview', { token: admin.token, body })
    expect(preview.body).toEqual({
      nodes: [{ tag: 'p', children: [{ tag: 'strong', children: ['Bold'] }, ' ', 'x'] }],
    })
    const deep = { token: admin.token, body: { text: '>'.repeat(11) } }
    expect(await shop.post('/settings/preview', deep)).toMatchObject({ status: 400 })
  })
})

describe('GET /settings/picture/:id', () => {
  const square = (background: string) =>
    sharp({ create: { width: 900, height: 900, channels: 4, background } })
      .png()
      .toBuffer()

  const upload = async (bytes: Buffer) =>
    shop.post<{ picture: { id: string; width: number; height: number } }>('/settings/picture', {
      token: admin.token,
      body: formOf({ photo: fileOf(bytes) }),
    })

  it('answers an uploaded logo in the size and format that suits, for ever', async () => {
    const { picture } = (await upload(await square('#00f8'))).body
    expect(picture).toMatchObject({ width: 900, height: 900 })
    await save({ logo: picture.id })
    expect((await displayed()).logo).toEqual(picture)
    const path = `/settings/picture/${picture.id}?w=400`
    const webp = await shop.get(path, { headers: { accept: 'image/webp' } })
    expect(webp.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringContaining('Accept'),
    })
    expect(await sharp(webp.bytes).metadata()).toMatchObject({ width: 400, hasAlpha: true })
    expect((await shop.get(path)).headers['content-type']).toBe('image/jpeg')
    expect((await shop.get('/settings/picture/unknown')).status).toBe(404)
  })

  it('refuses a picture that is none, and the same one again has the same id', async () => {
    expect((await upload(Buffer.from('<svg/>'))).status).toBe(415)
    const bytes = await square('#0f0')
    const ids = [await upload(bytes), await upload(bytes)].map(({ body }) => body.picture.id)
    expect(ids[0]).toBe(ids[1])
    const missing = await shop.post('/settings/picture', { token: admin.token, body: formOf({}) })
    expect(missing).toMatchObject({ status: 400, body: { message: 'photo is required.' } })
  })

  it('is deleted a day after its upload or its last use', async () => {
    const [used, unused] = [await upload(await square('#f00')), await upload(await square('#ff0'))]
    const of = ({ body }: typeof used) => body.picture.id
    await save({ slides: [{ picture: of(used), title: 'New', text: '', link: '' }], logo: null })
    const status = async (one: typeof used) =>
      (await shop.get(`/settings/picture/${of(one)}`)).status
    const pass = () =>
      shop.db
        .updateTable('pictures')
        .set({ used_at: new Date(0) })
        .where('used_at', 'is not', null)
        .execute()
    await pass()
    // pages that are open show the former slide
    await save({ slides: [] })
    expect([await status(used), await status(unused)]).toEqual([200, 404])
    await pass()
    await save({ name: 'Later' })
    expect(await status(used)).toBe(404)
  })
})
