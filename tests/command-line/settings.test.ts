import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownerCommands } from '#app/modules.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
const { read, save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const { exportSettings, importSettings } = ownerCommands
const context = (...file: string[]) => ({
  db: shop.db,
  input: Readable.from(file),
  personalData: {},
})
const exported = () => text(Readable.from(exportSettings(context(), {})))
const imported = (file: string, currency = 'INR', isFixed = false) =>
  text(Readable.from(importSettings(context(file), { chargeCurrency: { currency, isFixed } })))

/** Uploads a picture and returns its id. */
async function upload() {
  const body = formOf({ photo: fileOf(await plain(500, 300).png().toBuffer()) })
  const sent = { token: admin.token, body }
  const reply = await shop.post<{ picture: { id: string } }>('/settings/picture', sent)
  return reply.body.picture.id
}

describe('npm run shop settings', () => {
  it('exports the settings with their pictures, and imports them into another shop', async () => {
    const logo = await upload()
    await save({ name: 'Tea House', logo, slides: [], priceBands: [0, 10, 20] })
    const file = await exported()
    expect(JSON.parse(file)).toMatchObject({ format: 'haat-settings', pictures: [{ id: logo }] })
    await emptyTables(shop.db, ['settings', 'pictures'])
    expect((await read()).settings.name).toBe('Haat')
    expect(await imported(file)).toBe('imported')
    const { settings } = await read()
    expect(settings).toMatchObject({ name: 'Tea House', slides: [], priceBands: [0, 10, 20] })
    expect((await shop.get(`/settings/picture/${settings.logo}`)).status).toBe(200)
    // the same pictures again are not stored again
    const [, again] = [await imported(await exported()), await read()]
    expect(again.settings).toEqual(settings)
  })

  it('imports a file of a version that had fewer settings, and keeps the others', async () => {
    await save({ timeZone: 'Asia/Kolkata', mailsOrders: false })
    const { settings, ...file } = JSON.parse(await exported())
    const { timeZone: _, mailsOrders: _mailsOrders, ...former } = settings
    const older = { ...file, settings: { ...former, name: 'Older' } }
    expect(await imported(JSON.stringify(older))).toBe('imported')
    expect((await read()).settings).toEqual({ ...settings, name: 'Older' })
  })

  it.each([
    ['{', 'The file is not JSON.'],
    ['[]', 'The file is no export of settings: '],
    ['{"format":"haat-settings","version":2}', 'The file is no export of settings: '],
    ['{"format":"haat-settings","version":1,"pictures":[]}', 'The file is no export of settings: '],
    [
      '{"format":"haat-settings","version":1,"pictures":[],"settings":null}',
      'The file is no export of settings: ',
    ],
  ])('refuses the file %s', async (file, message) => {
    await expect(imported(file)).rejects.toThrow(message)
  })

  it('refuses a file with a wrong setting, or with another currency than live keys charge', async () => {
    const file = JSON.parse(await exported())
    const wrong = { ...file, settings: { ...file.settings, accent: '#ffffff' } }
    await expect(imported(JSON.stringify(wrong))).rejects.toThrow('accent: This colour')
    await expect(imported(JSON.stringify(file), 'EUR', true)).rejects.toThrow('charged in EUR')
  })
})
