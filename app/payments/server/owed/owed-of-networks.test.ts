/** Unpaid orders of the buyers of one network. */
import { expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { unpaidShop } from '#tests/support/unpaid-orders.ts'

const { shop, order, cup } = unpaidShop({ RATE_LIMIT: 'on' })

it.each([
  ['an eleventh of a /64', 10, () => '2001:db8:a:1::1'],
  ['a twenty-first of a /56', 20, (n: number) => `2001:db8:b:${n}::1`],
  ['a forty-first of a /48', 40, (n: number) => `2001:db8:c:${n}00::1`],
])('refuses %s, and no order of another network', async (_, max, addressOf) => {
  const product = await cup({ quantity: 100 })
  const orderFrom = async (from: string) => order(await addPerson(shop.db), product, { from })
  for (let n = 0; n < max; n += 1) expect((await orderFrom(addressOf(n))).status, `${n}`).toBe(200)
  expect(await orderFrom(addressOf(max))).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Too many orders of your network/) },
  })
  expect((await orderFrom('2001:db8:d::1')).status).toBe(200)
})
