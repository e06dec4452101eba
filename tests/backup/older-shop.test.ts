import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Figures } from '#app/orders/admin-contract.ts'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import { openEmbedded } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { openTestDatabase } from '../support/database.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { addPerson } from '../support/people.ts'
import { shopOn } from '../support/shop.ts'

const MIGRATIONS = new URL('../../db/migrations/', import.meta.url)

/** A shop that has had this many migrations, with an order of 10.00 in it. */
async function openOldShop(folder: string, migrations: number) {
  for (const name of (await readdir(MIGRATIONS)).sort().slice(0, migrations))
    await cp(new URL(name, MIGRATIONS), join(folder, name))
  const opened = await openEmbedded()
  await migrate(opened.db, pathToFileURL(`${folder}/`))
  const columns = migrations > 2 ? '(id, payment_id, amount_minor, currency)' : '(id, payment_id)'
  const id = "'01a1ff0e-0000-7000-8000-000000000001'"
  for (const statement of [
    `users (id, name, email, email_key, password_hash, answer_hash, phone, address)
      values (${id}, 'Åsa', 'a@example.com', 'a@example.com', '-', '-', '1', E'Lane 1\\nTown')`,
    `payments (id, user_id, provider, provider_order_id, amount_minor, currency, priced_cart, settled_at)
      values (${id}, ${id}, 'sandbox', 'order_1', 1000, 'INR', true, now())`,
    `provider_payments ${columns}
      values ('pay_1', ${id}${migrations > 2 ? ", 1000, 'INR'" : ''})`,
    `orders (id, payment_id, user_id, buyer_name, total_minor) values (${id}, ${id}, ${id}, 'Åsa', 1000)`,
    `order_lines values (${id}, 0, ${id}, 1, 'Cup', 'cup', '', 1000)`,
  ])
    await sql.raw(`insert into ${statement}`).execute(opened.db)
  return opened
}

it('a backup of an older shop goes through the migrations that came since', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-older-'))
  const [old, opened] = [await openOldShop(folder, 2), await openTestDatabase()]
  const file = join(folder, 'old.backup')
  await writeBackup(old.db, file)
  await restoreBackup(opened.db, file)
  expect(await contradictionsIn(opened.db)).toEqual({})
  const money = await opened.db.selectFrom('provider_payments').selectAll().execute()
  expect(money).toMatchObject([{ id: 'pay_1', state: 'kept', amount_minor: 1000, currency: 'INR' }])
  const orders = await opened.db.selectFrom('orders').selectAll().execute()
  expect(orders).toMatchObject([{ buyer_name: 'Åsa', search: 'asa a@example.com' }])
  await migrate(opened.db)
  await old.close()
  await opened.close()
  await rm(folder, { recursive: true })
}, 60_000)

it('a shop of before there were test orders keeps its figures, and goes on selling', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-older-'))
  const { db, close } = await openOldShop(folder, 7)
  await migrate(db)
  expect(await contradictionsIn(db)).toEqual({})
  const shop = await shopOn(db)
  const [admin, buyer] = [await addPerson(db, { admin: true }), await addPerson(db)]
  const figures = async () => {
    const { body } = await shop.get<Figures>('/order/figures', { token: admin.token })
    const { orders, revenue } = body.days.at(-1) ?? {}
    return [orders, revenue, body.latestOrders.length]
  }
  expect(await figures()).toEqual([1, 10, 1])
  const cup = await addProduct(db, { category: await addCategory(db, 'Kitchen') })
  const { start, verify } = purchases(shop)
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(cup) })
  expect((await verify(buyer, signedPayment(body.id))).body.order).toMatchObject({ test: true })
  expect(await figures()).toEqual([1, 10, 2])
  expect(await contradictionsIn(db)).toEqual({})
  await shop.app.close()
  await close()
  await rm(folder, { recursive: true })
}, 60_000)
