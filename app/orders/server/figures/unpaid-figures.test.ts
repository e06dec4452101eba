import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { figuresShop } from '#tests/support/figures-shop.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'

const { shop, figures, setStatus } = figuresShop()

const DAY = 24 * 60 * 60_000

describe('GET /order/figures', () => {
  it('counts what was received of an unpaid order, and what is still owed until it is cancelled', async () => {
    const buyer = await addPerson(shop.db)
    const today = async () => (await figures()).days.at(-1)
    const before = await today()
    const unpaid = { method: 'bank_transfer' as const, dueAt: new Date(Date.now() + DAY) }
    const order = await addOrder(shop.db, buyer, { unpaid })
    expect(await today()).toEqual(before)
    expect((await figures()).owed).toEqual({ amount: 39.98, orders: 1 })
    const row = { source: '', is_included: true, tax_minor: 0, tax_rate: 5000 }
    const part = await addOrder(shop.db, buyer, {
      unpaid: { ...unpaid, received: 150_000 },
      lines: [{ ...LINE, product_id: uuidv7(), name: 'Samovar', quantity: 100, price_minor: 3000 }],
      adjustments: [
        { ...row, kind: 'tax', label: 'VAT 4 %', amount_minor: 12_000, basis_minor: 288_000 },
      ],
    })
    const { days, bestSellers, taxes, owed } = await figures()
    expect(days.at(-1)?.orders).toBe(Number(before?.orders) + 1)
    expect(days.at(-1)?.revenue).toBeCloseTo(Number(before?.revenue) + 1500, 2)
    expect(bestSellers).toMatchObject([{ name: 'Samovar', pieces: 100, revenue: 1500 }])
    expect(taxes).toEqual([{ label: 'VAT 4 %', basis: 1440, amount: 60 }])
    expect(owed).toEqual({ amount: 1539.98, orders: 2 })
    await setStatus(order, 'cancel')
    expect((await figures()).owed).toEqual({ amount: 1500, orders: 1 })
    await setStatus(part, 'cancel')
    expect(await figures()).toMatchObject({ taxes: [], owed: { amount: 0, orders: 0 } })
  })
})
