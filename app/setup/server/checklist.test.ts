import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_SETTINGS } from '#app/settings/server/defaults.ts'
import type { ListedFinding, Step } from '#app/setup/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'

const shop = testShop({ RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'a long secret' })

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const as = () => ({ token: admin.token })

/** The steps that are done. */
async function doneIn(of = shop) {
  const { body } = await of.get<Step[]>('/setup/checklist', as())
  return body.filter(({ isDone }) => isDone).map(({ name }) => name)
}

describe('GET /setup/checklist', () => {
  it('has a step for each thing that a new shop needs, which are done when the shop has what they ask for', async () => {
    const { save } = settingsThrough(shop, () => admin)
    const { body } = await shop.get<Step[]>('/setup/checklist', as())
    expect(body.map(({ name }) => name)).toEqual([
      'brand',
      'contact',
      'product',
      'slides',
      'texts',
      'payments',
      'email',
      'address',
      'legal',
    ])
    expect(await doneIn()).toEqual([])

    await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
    expect(await doneIn()).toEqual(['product'])

    const photo = fileOf(await plain(40, 40).png().toBuffer())
    const upload = { ...as(), body: formOf({ photo }) }
    const { body: uploaded } = await shop.post<{ picture: { id: string } }>(
      '/settings/picture',
      upload,
    )
    await save({ logo: uploaded.picture.id })
    expect(await doneIn()).toEqual(['product'])
    await save({ name: 'Souk' })
    expect(await doneIn()).toEqual(['brand', 'product'])
  })

  it('asks for slides, contact data and texts until they are not those of the demo', async () => {
    const { save } = settingsThrough(shop, () => admin)
    const asked = async () => {
      const done = await doneIn()
      return ['contact', 'slides', 'texts'].filter((name) => !done.some((one) => one === name))
    }
    expect(await asked()).toEqual(['contact', 'slides', 'texts'])
    await save(DEMO_SETTINGS)
    expect(await asked()).toEqual(['contact', 'slides', 'texts'])
    await save({ email: 'ada@example.com' })
    expect(await asked()).toEqual(['slides', 'texts'])
    await save({ slides: [{ picture: 'slide-1', title: 'Tea', text: '', link: '' }] })
    expect(await asked()).toEqual(['texts'])
    await save({ about: 'Two sisters.', policy: 'We keep your address.' })
    expect(await asked()).toEqual(['texts'])
    await save({ contact: 'Call us.' })
    expect(await asked()).toEqual([])
    await save({ email: '', phone: '', tollFree: '', slides: [], about: '' })
    expect(await asked()).toEqual(['contact', 'slides', 'texts'])
  })

  it.each<[Record<string, string>, done: string[]]>([
    [{ SHOP_URL: 'http://localhost:3000' }, []],
    [{ SHOP_URL: 'https://localhost' }, []],
    [{ SHOP_URL: 'https://shop.example.com' }, []],
    [{ SHOP_URL: 'https://shop.example.com', TRUST_PROXY: 'loopback' }, ['address']],
    [{ SMTP_URL: '' }, []],
    [
      {
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'shop@example.com',
        SHOP_URL: 'https://shop.example.com',
        TRUST_PROXY: 'loopback',
      },
      ['email', 'address'],
    ],
    [
      {
        RAZORPAY_KEY_ID: 'rzp_live_1',
        RAZORPAY_KEY_SECRET: 'a long secret',
        RATE_LIMIT: 'on',
        CURRENCY_CHARGE: 'INR',
      },
      ['payments'],
    ],
  ])('depends on the settings of the environment: %j', async (settings, done) => {
    const other = await shopOn(shop.db, settings)
    expect(await doneIn(other)).toEqual(['brand', 'product', ...done])
    await other.app.close()
  })
})

describe('the step of legal texts', () => {
  const { save } = settingsThrough(shop, () => admin)
  const missing = async () => {
    const { body } = await shop.get<Step[]>('/setup/checklist', as())
    return body.find(({ name }) => name === 'legal')
  }

  it('is done by the country where its law asks for none', async () => {
    expect(await missing()).toEqual({ name: 'legal', isDone: false, missing: [] })
    await save({ country: 'IN' })
    expect(await missing()).toEqual({ name: 'legal', isDone: true, missing: [] })
  })

  it('names the texts that the law of the country asks for', async () => {
    await save({ country: 'DE', terms: 'Our terms.' })
    expect(await missing()).toEqual({
      name: 'legal',
      isDone: false,
      missing: ['imprint', 'returns', 'delivery'],
    })
    await save({ imprint: 'We.', returns: 'Fourteen days.', delivery: 'By post.' })
    expect(await missing()).toMatchObject({ isDone: true })
    await save({ country: 'CH', returns: '', delivery: '' })
    expect(await missing()).toMatchObject({ isDone: true })
  })
})

describe('GET /setup/findings', () => {
  it('has the sentences of the doctor about the running shop', async () => {
    const other = await shopOn(shop.db)
    const { body } = await other.get<ListedFinding[]>('/setup/findings', as())
    expect(body).toContainEqual({
      state: 'warning',
      about: 'Test payments',
      found: 'they go to the sandbox: no money is taken',
      advice:
        'Set RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET to take real payments. Then remove PAYMENTS=sandbox.',
    })
    expect(body).toContainEqual({ state: 'ok', about: 'Settings', found: 'all are valid' })
    await other.app.close()
  })
})
