import { describe, expect, it } from 'vitest'
import { seed } from '#bench/seed/seed.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

describe('GET /order/export', () => {
  const exported = async (token = '') => {
    const reply = await shop.get('/order/export', { token })
    return { ...reply, lines: reply.bytes.toString().trim().split('\r\n') }
  }

  it('is for admins', async () => {
    expect((await exported()).status).toBe(401)
    expect((await exported((await addPerson(shop.db)).token)).status).toBe(403)
  })

  it('has a row for each line of each order, which add up to the totals', async () => {
    await seed(shop.db, { products: 5, users: 3, orders: 501 })
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines, headers } = await exported(token)
    expect(headers['content-disposition']).toMatch(/filename="orders-/)
    const [header, ...rows] = lines.map((line) => line.split(',').map((cell) => cell.trim()))
    expect(header?.slice(1)).toEqual(
      '"date","status","buyer","email","payment_id","product","pieces","unit_price","line_total","currency","phone","address","test","recipient","recipient_phone","street","city","region","postal_code","country"'.split(
        ',',
      ),
    )
    const orders = await shop.db.selectFrom('orders').orderBy('id').selectAll().execute()
    const byOrder = Map.groupBy(rows, ([id]) => id)
    const totals = [...byOrder.values()].map((lines) =>
      lines.reduce((sum, cells) => sum + Math.round(Number(cells[9]) * 100), 0),
    )
    expect([...byOrder.keys()]).toEqual(orders.map(({ id }) => `"${id}"`))
    expect(totals).toEqual(orders.map(({ total_minor }) => total_minor))
  })
})
