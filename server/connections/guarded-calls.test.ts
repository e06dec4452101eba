import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ RATE_LIMIT: 'on' })

/** Sends calls at the same time; `answered` counts the answers so far that are no refusals. */
function flood(count: number, send: () => Promise<{ status: number }>) {
  const answers: number[] = []
  const all = Array.from({ length: count }, async () => {
    answers.push((await send()).status)
  })
  const answered = () => answers.filter((status) => status !== 429).length
  return { answered, statuses: Promise.all(all).then(() => answers) }
}

it('wrong tokens of one /48 do not delay the calls of others, and are refused above the queue', async () => {
  const { token } = await addPerson(shop.db)
  let address = 0
  const { answered, statuses } = flood(300, () => {
    address += 1
    return shop.get('/auth/user-auth', {
      token: `made-up-${address}`,
      from: `2001:db8:5:${address.toString(16)}::1`,
    })
  })
  const { status } = await shop.get('/auth/user-auth', { token, from: '198.51.100.7' })
  expect(status).toBe(200)
  expect(answered()).toBeLessThan(20)
  expect((await statuses).filter((status) => status === 429)).toHaveLength(98)
})

it('starts of payments from one address do not delay the calls of others', async () => {
  const category = await addCategory(shop.db, 'Cups')
  const { id } = await addProduct(shop.db, { category, price: 10, quantity: 100 })
  const buyer = await addPerson(shop.db)
  const other = await addPerson(shop.db)
  const body = { amount: 1000, cart: [{ _id: id }] }
  const { answered, statuses } = flood(30, () =>
    shop.post('/product/razorpay/order', { token: buyer.token, body, from: '203.0.113.9' }),
  )
  const { status } = await shop.get('/auth/orders', { token: other.token, from: '198.51.100.8' })
  expect(status).toBe(200)
  expect(answered()).toBeLessThan(10)
  expect(new Set(await statuses)).toEqual(new Set([200]))
})

it('slow uploads do not delay the calls of the same address', async () => {
  const { token } = await addPerson(shop.db, { admin: true })
  const from = '203.0.113.10'
  const files = Array.from({ length: 6 }, () => new PassThrough())
  const uploads = files.map((payload) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      headers: { authorization: token, 'content-type': 'text/csv' },
      remoteAddress: from,
      payload,
    }),
  )
  expect((await shop.get('/auth/user-auth', { token, from })).status).toBe(200)
  for (const file of files) file.end('name,description,price,quantity,category\n')
  await Promise.all(uploads)
})

it('large bodies of one address that do not arrive are limited', async () => {
  const people = await Promise.all([addPerson(shop.db), addPerson(shop.db)])
  const bodies: PassThrough[] = []
  const send = (token: string, from: string) => {
    const payload = new PassThrough()
    bodies.push(payload)
    return shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/razorpay/verify',
      headers: { authorization: token, 'content-type': 'application/json' },
      remoteAddress: from,
      payload,
    })
  }
  const sent = people.flatMap(({ token }) =>
    Array.from({ length: 35 }, () => send(token, '203.0.113.11')),
  )
  const refused = await Promise.race(sent)
  expect(refused.statusCode).toBe(429)
  for (const body of bodies) body.end('{}')
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  const again = send(people[0].token, '203.0.113.11')
  bodies.at(-1)?.end('{}')
  expect((await again).statusCode).toBe(400)
})

it('log-ins of one /48 do not delay the calls of others', async () => {
  const { token } = await addPerson(shop.db)
  let address = 0
  const { answered, statuses } = flood(300, () => {
    address += 1
    const body = { email: `nobody-${address}@example.com`, password: 'a long secret' }
    return shop.post('/auth/login', { body, from: `2001:db8:6:${address.toString(16)}::1` })
  })
  const { status } = await shop.get('/auth/user-auth', { token, from: '198.51.100.9' })
  expect(status).toBe(200)
  expect(answered()).toBeLessThan(20)
  expect((await statuses).filter((status) => status === 429).length).toBeGreaterThanOrEqual(90)
})

it('calls that do not exist are limited like pages', async () => {
  const call = async (from: string) => (await shop.get('/nothing', { from })).status
  const statuses: number[] = []
  for (let calls = 0; calls < 31; calls++) statuses.push(await call('203.0.113.12'))
  expect(new Set(statuses.slice(0, 30))).toEqual(new Set([404]))
  expect(statuses.at(-1)).toBe(429)
  expect(await call('203.0.113.13')).toBe(404)
})
