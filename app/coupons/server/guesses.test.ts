import { beforeAll, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addCoupon, quotes } from '#tests/support/coupons.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ RATE_LIMIT: 'on' })
const quote = quotes(shop)

let cup: { id: string }
let buyer: Person
beforeAll(async () => {
  cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen'), price: 10 })
  await addCoupon(shop.db, { code: 'RIGHT' })
})

let guess = 0
const wrongCodes = (many: number) => Array.from({ length: many }, () => `WRONG-${guess++}`)

const ALL_WRONG = /^Too many wrong codes\. Try again in \d+ minutes\.$/

it('counts wrong codes by network, and then takes no code of it for an hour', async () => {
  const from = '203.0.113.1'
  for (let left = 6; left > 0; left -= 1) {
    const { notices } = await quote(cartOf(cup), wrongCodes(5), undefined, from)
    expect(notices.map(({ message }) => message)).toEqual(Array(5).fill('There is no such code.'))
  }
  expect(await quote(cartOf(cup), ['RIGHT'], undefined, from)).toMatchObject({
    totalMinor: 1000,
    notices: [{ source: 'RIGHT', message: expect.stringMatching(ALL_WRONG) }],
  })
  expect(await quote(cartOf(cup), ['RIGHT'], undefined, '198.51.100.1')).toMatchObject({
    totalMinor: 900,
  })
})

it('counts no right codes', async () => {
  const from = '203.0.113.2'
  for (let left = 40; left > 0; left -= 1)
    expect(await quote(cartOf(cup), ['RIGHT'], undefined, from)).toMatchObject({ totalMinor: 900 })
})

it('counts by account, in the quote and in the start together, from any network', async () => {
  buyer = await addPerson(shop.db)
  const { start } = purchases(shop)
  for (let at = 0; at < 2; at += 1) {
    await quote(cartOf(cup), wrongCodes(5), buyer, `203.0.113.${10 + at}`)
    await start(buyer, { amount: 999, cart: cartOf(cup), couponCodes: wrongCodes(5) })
  }
  const reply = await start<{ quote: { notices: { message: string }[] } }>(buyer, {
    amount: 900,
    cart: cartOf(cup),
    couponCodes: ['RIGHT'],
  })
  expect(reply).toMatchObject({ status: 409, body: { code: 'price_changed' } })
  expect(reply.body.quote.notices[0]?.message).toMatch(ALL_WRONG)
})

it('counts codes before they are looked up, so that many calls at once are not more', async () => {
  const from = '203.0.113.30'
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => quote(cartOf(cup), wrongCodes(5), undefined, from)),
  )
  const lookedUp = answers.filter(({ notices }) => notices[0]?.message === 'There is no such code.')
  expect(lookedUp).toHaveLength(6)
})

it('counts the same wrong code once an hour, such as one that was deleted and is left in a cart', async () => {
  const from = '203.0.113.40'
  for (let left = 40; left > 0; left -= 1) await quote(cartOf(cup), ['DELETED'], undefined, from)
  expect(await quote(cartOf(cup), ['RIGHT'], undefined, from)).toMatchObject({ totalMinor: 900 })
})

it('takes a code above the limit that the account was quoted before, and tells nobody else about it', async () => {
  const from = '203.0.113.50'
  const asha = await addPerson(shop.db)
  await quote(cartOf(cup), ['RIGHT'], asha, from)
  for (let left = 6; left > 0; left -= 1) await quote(cartOf(cup), wrongCodes(5), undefined, from)
  expect(await quote(cartOf(cup), ['RIGHT'], asha, from)).toMatchObject({ totalMinor: 900 })
  for (const other of [undefined, await addPerson(shop.db)]) {
    const { notices } = await quote(cartOf(cup), ['RIGHT'], other, from)
    expect(notices[0]?.message).toMatch(ALL_WRONG)
  }
})
