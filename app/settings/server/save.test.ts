import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import { SETTINGS_ID, type Settings } from '#app/settings/admin-contract.ts'
import { contrastOf, contrastOfAccent, themesOf } from '#app/settings/theme-model.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let admin: Person
const { read, save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
})

const slide = (facts: object) => ({
  slides: [{ picture: 'slide-1', title: 'New', text: '', link: '', ...facts }],
})

describe('PUT /settings/all', () => {
  it.each<[Partial<Settings>, field: string, message: RegExp]>([
    [{ name: ' ' }, 'name', /Enter the name of the shop/],
    [{ name: 'x'.repeat(101) }, 'name', /at most 100 characters/],
    [{ email: 'help at example' }, 'email', /such as help@example.com/],
    [{ phone: 'call us' }, 'phone', /phone number of digits/],
    [{ accent: 'red' }, 'accent', /such as #b4441f/],
    [{ accent: '#b4441f;}body{display:none' }, 'accent', /such as #b4441f/],
    [
      { accent: '#e9a23b' },
      'accent',
      /contrast of 1\.9 : 1 .* at least 4\.5 : 1\. Choose a darker/,
    ],
    [slide({ link: 'javascript:alert(1)' }), 'slides.0.link', /starts with https/],
    [slide({ link: '//evil.example' }), 'slides.0.link', /Enter a path/],
    [slide({ link: '/\\evil.example' }), 'slides.0.link', /Enter a path/],
    [slide({ link: '/\t/evil.example' }), 'slides.0.link', /Enter a path/],
    [slide({ title: '' }), 'slides.0.title', /Enter a title/],
    [slide({ picture: '' }), 'slides.0.picture', /Choose a picture/],
    [slide({ picture: 'AAAAAAAAAAAA' }), 'slides.0.picture', /does not exist any more/],
    [{ logo: 'AAAAAAAAAAAA' }, 'logo', /does not exist any more/],
    [{ logo: 'slide-1' }, 'logo', /does not exist any more/],
    [{ about: 'x'.repeat(50_001) }, 'about', /at most 50000 characters/],
    [{ about: `Text\n${'>'.repeat(50_000 - 5)}` }, 'about', /nested at most 10 levels/],
    [{ contact: '- '.repeat(11) }, 'contact', /nested at most 10 levels/],
    [{ policy: '*a_'.repeat(16_000) }, 'policy', /at most 500 of the characters/],
    [{ currencyDisplay: 'XYZ' }, 'currencyDisplay', /ISO 4217/],
    [{ currencyDisplay: 'CLF' }, 'currencyDisplay', /ISO 4217/],
    [{ locale: 'en_US' }, 'locale', /such as en-US/],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone', /such as Europe\/Berlin/],
    [{ timeZone: '+05:30' }, 'timeZone', /such as Europe\/Berlin/],
    [{ timeZone: '' }, 'timeZone', /such as Europe\/Berlin/],
    [{ lowStock: -1 }, 'lowStock', /whole number from 0/],
    [{ lowStock: 1.5 }, 'lowStock', /whole number from 0/],
    [{ priceBands: [0] }, 'priceBands', /2 to 10 prices/],
    [{ priceBands: [5, 10] }, 'priceBands', /first price must be 0/],
    [{ priceBands: [0, 10, 10] }, 'priceBands', /higher than the one before/],
    [{ priceBands: [0, 10.5] }, 'priceBands', /whole prices/],
  ])('refuses a setting that is wrong: %#', async (changes, field, message) => {
    const before = await read()
    const reply = await save(changes)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(reply.body.message).toMatch(new RegExp(`^${field}: `))
    expect(reply.body.message).toMatch(message)
    expect(await read()).toEqual(before)
  })

  it('refuses texts far beyond any page before they are read', async () => {
    expect((await save({ about: 'x'.repeat(100_001) })).body.message).toBe(
      'settings.about may have at most 100000 characters.',
    )
    expect((await save({ about: 'x'.repeat(2 ** 20) })).status).toBe(413)
  })

  it('refuses the save of a second admin on what the first has saved', async () => {
    const { revision } = await read()
    const both = await Promise.all([
      save({ name: 'One' }, revision),
      save({ name: 'Two' }, revision),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = both.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({
      code: 'stale',
      message: 'These settings were changed meanwhile. Your changes are not saved yet.',
    })
    expect((await read()).revision).toBe(revision + 1)
  })

  it('is in the audit log, field by field', async () => {
    await save({ name: 'Bazaar', lowStock: 3 })
    await save({ name: 'Souk' })
    const path = `/audit-log?object=${SETTINGS_ID}`
    const { body } = await shop.get<AuditEntry[]>(path, { token: admin.token })
    expect(body[0]).toMatchObject({
      actor: { name: 'Ada' },
      action: 'update',
      object: { kind: 'settings' },
      changes: [{ field: 'name', before: 'Bazaar', after: 'Souk' }],
    })
  })
})

describe('the colours derived from an accent colour', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  const colour = fc
    .tuple(channel, channel, channel)
    .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)

  it('have a contrast of 4.5 in both themes, for every colour that is accepted', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        fc.pre(contrastOfAccent(accent) >= 4.5)
        const { light, dark } = themesOf(accent)
        for (const theme of [light, dark])
          for (const name of ['primary', 'secondary', 'accent'] as const)
            expect(contrastOf(theme[name], theme[`${name}-content`])).toBeGreaterThanOrEqual(4.5)
        for (const background of ['#1c1612', '#2a211b'])
          expect(contrastOf(dark.primary, background)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('are measured as WCAG does', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })
})
