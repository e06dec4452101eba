/** A purchase in the process that has created the tables: its database knows their types only as text. */
import { expect, it } from 'vitest'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { shopOn } from '../support/shop.ts'

it('a customer buys in a shop that was started for the first time', async () => {
  const opened = await openEmbedded()
  await migrate(opened.db)
  const shop = { ...opened, ...(await shopOn(opened.db)) }
  const { start, verify } = purchases(shop)
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Kitchen') })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
  await shop.app.close().finally(shop.close)
})
