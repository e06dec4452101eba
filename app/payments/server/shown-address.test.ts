import { expect, it } from 'vitest'
import { accountCalls } from '#app/accounts/contract.ts'
import { profileCalls } from '#app/accounts/profile-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf } from '#tests/support/payments.ts'

const { shop, start, cup } = paymentShop()

const moved = async () => {
  const buyer = await addPerson(shop.db)
  const body = { address: '7 Lake Road, Nashik' }
  await shop.put(accountCalls.updateProfile.path, { token: buyer.token, body })
  return { buyer, before: '1 Market Lane', now: body.address }
}

it('says who is logged in as of now', async () => {
  const { buyer, now } = await moved()
  const reply = await shop.get(profileCalls.getProfile.path, { token: buyer.token })
  expect(reply.body).toMatchObject({ user: { _id: buyer.id, address: now } })
  // the specification's call answers nothing else
  const check = await shop.get('/auth/user-auth', { token: buyer.token })
  expect(check.body).toEqual({ ok: true })
})

it('refuses a payment whose buyer saw another address than the order would go to', async () => {
  const { buyer, before, now } = await moved()
  const cart = cartOf(await cup())
  for (const body of [{ amount: 1250, cart }, { amount: 1250 }])
    expect(await start(buyer, { ...body, shownAddress: before })).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        message:
          'The address in your profile was changed meanwhile. Please check where we deliver, and pay again.',
      },
    })
  for (const seen of [{ shownAddress: now }, {}])
    expect((await start(buyer, { amount: 1250, cart, ...seen })).status).toBe(200)
})
