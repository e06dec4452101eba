import { describe, expect, it } from 'vitest'
import { seed } from '#bench/seed/seed.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addOrder, addRefund, LINE } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

describe('GET /order/export', () => {
  const exported = async (token = '') => {
    const reply = await shop.get('/order/export', { token })
    return { ...reply, lines: reply.bytes.toString().trim().split('\r\n') }
  }

  it('has a row for each line of each order, which add up to the totals', async () => {
    await seed(shop.db, { products: 5, users: 3, orders: 501 })
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines, headers } = await exported(token)
    expect(headers['content-disposition']).toMatch(/filename="orders-/)
    const [header, ...rows] = lines.map((line) => line.split(',').map((cell) => cell.trim()))
    expect(header?.slice(1)).toEqual(
      '"date","status","buyer","email","payment_id","product","pieces","unit_price","line_total","currency","phone","address","test","recipient","recipient_phone","street","city","region","postal_code","country","kind","discount","tax","tax_rate","invoice","refunded","tax_label","order_number","refund_date","credit_note","owed","sku","billing_name","billing_phone","billing_street","billing_city","billing_region","billing_postal_code","billing_country"'.split(
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

  it('has phones as label printers read them, and no formula in their place', async () => {
    const buyer = await addPerson(shop.db)
    for (const buyer_phone of ['+43 1 5550199', "+1+cmd|' /C calc'!A0"]) {
      const { id } = await addOrder(shop.db, buyer)
      await shop.db.updateTable('orders').set({ buyer_phone }).where('id', '=', id).execute()
    }
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines } = await exported(token)
    expect(lines.slice(-2).map((line) => line.split(',')[11])).toEqual([
      '"+43 1 5550199"',
      `"'+1+cmd|' /C calc'!A0"`,
    ])
  })

  it('has rows for discounts, shipping and added tax, and the tax of each row with its rate', async () => {
    const buyer = await addPerson(shop.db)
    const row = { source: '', is_included: false, tax_minor: 0, tax_rate: null, basis_minor: null }
    const shipping = { ...row, kind: 'shipping' as const, label: 'Post', amount_minor: 500 }
    const tax = { ...row, kind: 'tax' as const, label: 'GST 18 %', tax_rate: 18_000 }
    const lines = [{ ...LINE, discount_minor: 398, tax_minor: 648, tax_rate: 18_000 }]
    const { id, total_minor } = await addOrder(shop.db, buyer, {
      lines,
      adjustments: [
        { ...row, kind: 'discount', label: 'SPRING', amount_minor: -398 },
        { ...shipping, tax_minor: 90, tax_rate: 18_000 },
        { ...shipping, kind: 'fee', label: 'Cash', tax_minor: 18, tax_rate: 18_000 },
        { ...tax, amount_minor: 738, basis_minor: 4100 },
        { ...tax, label: 'Cess 1 %', tax_rate: 1000, amount_minor: 41, is_included: true },
      ],
    })
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines: text } = await exported(token)
    const rows = text.filter((line) => line.includes(id)).map((line) => line.split(','))
    expect(rows.map((cells) => cells.slice(21, 25))).toEqual([
      ['"product"', '3.98', '6.48', '18'],
      ['"discount"', '""', '""', '""'],
      ['"shipping"', '""', '0.9', '18'],
      ['"fee"', '""', '0.18', '18'],
      ['"tax"', '""', '""', '""'],
    ])
    expect(rows.map((cells) => cells[27])).toEqual([
      '"GST 18 %"',
      '""',
      '"GST 18 %"',
      '"GST 18 %"',
      '"GST 18 %"',
    ])
    expect(rows.map((cells) => cells[6])).toEqual([
      '"Clay cup"',
      '"SPRING"',
      '"Post"',
      '"Cash"',
      '"GST 18 %"',
    ])
    const paid = rows.reduce((sum, cells) => sum + Math.round(Number(cells[9]) * 100), 0)
    expect(paid).toBe(total_minor)
  })
  it('has the numbers of order and invoice, the label of included tax, and a row for each refund', async () => {
    const buyer = await addPerson(shop.db)
    const line = { ...LINE, tax_minor: 190, tax_rate: 5000 }
    const row = { source: '', tax_minor: 0, is_included: true, basis_minor: 3808 }
    await addOrder(shop.db, buyer, { test: true })
    const order = await addOrder(shop.db, buyer, {
      lines: [line, { ...line, name: 'Bowl', tax_rate: null }],
      adjustments: [{ ...row, kind: 'tax', label: 'VAT 5 %', tax_rate: 5000, amount_minor: 190 }],
    })
    const { id, number } = order
    const refunded = { state: 'done' as const, reason: 'Cracked' }
    const days = ['2026-11-21', '2026-11-22'].map((day) => new Date(`${day}T10:00:00Z`))
    await addRefund(shop.db, order, 1050, { ...refunded, done_at: days[0] })
    await addRefund(shop.db, order, 20, { ...refunded, done_at: days[1] })
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines: text } = await exported(token)
    const rows = text.filter((row) => row.includes(id)).map((row) => row.split(','))
    const { number: invoice } = await shop.db
      .selectFrom('invoices')
      .select('number')
      .where('order_id', '=', id)
      .executeTakeFirstOrThrow()
    const ofOrder = [String(invoice), '""', '"VAT 5 %"', String(number), '""', '""']
    expect(rows.map((cells) => cells.slice(25, 31))).toEqual([
      ofOrder,
      ofOrder.with(2, '""'),
      [String(invoice), '10.5', '""', String(number), '"2026-11-21T10:00:00.000Z"', '1'],
      [String(invoice), '0.2', '""', String(number), '"2026-11-22T10:00:00.000Z"', '2'],
    ])
    expect(rows.slice(2).map((cells) => [...cells.slice(6, 10), cells[21]])).toEqual([
      ['"Cracked"', '""', '""', '""', '"refund"'],
      ['"Cracked"', '""', '""', '""', '"refund"'],
    ])
  })

  it('has what is still owed in the first row of an order, and no invoice of an unpaid one', async () => {
    const buyer = await addPerson(shop.db)
    const { id } = await addOrder(shop.db, buyer, {
      lines: [LINE, { ...LINE, name: 'Bowl' }],
      unpaid: { method: 'pay_on_delivery', dueAt: new Date(), received: 996 },
    })
    const { token } = await addPerson(shop.db, { admin: true })
    const { lines: text } = await exported(token)
    const rows = text.filter((row) => row.includes(id)).map((row) => row.split(','))
    expect(rows.map((cells) => [cells[31], cells[25]])).toEqual([
      ['70', '""'],
      ['""', '""'],
    ])
  })
})
