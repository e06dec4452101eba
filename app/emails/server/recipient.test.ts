import { expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()
const { start, verify } = purchases(shop)

const ROSE = {
  name: 'Grandma Rose',
  street: 'Rosenweg 5',
  postalCode: '1010',
  city: 'Wien',
  country: 'AT',
  phone: '+43 1 5550199',
}

it('The confirmation and the report of an order name who receives it, with their phone', async () => {
  const admin = await addPerson(shop.db, { admin: true })
  const buyer = await addPerson(shop.db, { name: 'Sam Rivera' })
  const cup = await addProduct(shop.db, { category: await addCategory(shop.db, 'Cups') })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(cup), delivery: ROSE })
  await verify(buyer, signedPayment(body.id))
  await sendEmails(shop)
  const textTo = (email: string) => smtp.received.find(({ to }) => to === email)?.text
  const to = 'Delivery to: Grandma Rose, Rosenweg 5, 1010 Wien, Austria'
  expect(textTo(buyer.email)).toContain(to)
  const report = textTo(admin.email)
  expect(report).toContain('Customer: Sam Rivera')
  expect(report).toContain(to)
  expect(report).toContain(`Contact: ${buyer.email}, 555 0100`)
  expect(report).toContain("Recipient's phone: +43 1 5550199")
})
