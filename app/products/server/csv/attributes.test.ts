import { beforeAll, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  await addCategory(shop.db, 'Boards')
  const add = (facts: object) =>
    shop.post('/product/attributes', {
      token,
      body: { unit: null, isFilterable: true, choices: [], kind: 'text', ...facts },
    })
  await add({ name: 'Wood', kind: 'choice', choices: [{ name: 'Oak' }, { name: 'Elm, old' }] })
  await add({ name: 'Weight', kind: 'number', unit: 'kg' })
  await add({ name: 'Note' })
})

const HEADER = 'slug,name,description,price,quantity,category,attributes'

async function outcome(payload: string) {
  const { body } = await shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    headers: { authorization: token, 'content-type': 'text/csv' },
    payload,
  })
  const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
  if (last.step !== 'done') throw new Error(body)
  return last
}
const board = (attributes: string) =>
  outcome(`${HEADER}\nboard,Board,Flat.,12,3,Boards,"${attributes.replaceAll('"', '""')}"`)
const shown = async () =>
  (await shop.get<{ product: DetailedProduct }>('/product/get-product/board')).body.product
    .attributes
const exported = async () => (await shop.get('/product/export', { token })).bytes.toString()

it('a file gives new and other products their attributes, and an export is imported without a change', async () => {
  const made = await board('weight: 1.50\r\nWOOD: elm, old\nNote: care: oil it: twice')
  expect(made).toMatchObject({ imported: true, report: { created: 1, problems: [] } })
  const values = [
    { name: 'Note', value: 'care: oil it: twice' },
    { name: 'Weight', value: 1.5, unit: 'kg' },
    { name: 'Wood', value: 'Elm, old' },
  ]
  expect(await shown()).toEqual(values)
  const file = await exported()
  expect(file).toContain('"Note: care: oil it: twice\nWeight: 1.5\nWood: Elm, old"')
  expect((await outcome(file)).report).toMatchObject({ unchanged: 1, updated: 0 })
  // a file without the column leaves them
  await outcome('slug,price\nboard,13')
  expect(await shown()).toEqual(values)
  expect((await board('Wood: Oak')).report.updated).toBe(1)
  expect(await shown()).toEqual([{ name: 'Wood', value: 'Oak' }])
  await board('')
  expect(await shown()).toBeUndefined()
})

it.each([
  ['Colour: red', 'There is no attribute "Colour".'],
  ['Wood', 'Wood has no value, or one of more than 200 characters.'],
  ['Wood: Ash', 'Wood has no choice "Ash".'],
  ['Wood:\u0085', 'Wood has no value, or one of more than 200 characters.'],
  ['Weight: 1,5', 'Weight: "1,5" is not a number such as 12.5.'],
  ['Wood: Oak\nwood: Oak', '"wood: Oak" is a second value.'],
])('a row with %j is refused', async (attributes, reason) => {
  const { imported, report } = await board(attributes)
  expect([imported, report.problems]).toEqual([false, [{ line: 2, reason }]])
})
