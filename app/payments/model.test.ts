import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOfNext, type PartAmount, type SoldPart } from './model.ts'

/** A part as it was sold, and the quantities in which all of it is refunded, one after the other. */
const sold = fc
  .record({
    quantity: fc.integer({ min: 1, max: 60 }),
    priceMinor: fc.oneof(fc.nat(9), fc.nat(2_000_000_000)),
    discount: fc.nat(1000),
    taxRate: fc.nat(300),
    isTaxAdded: fc.boolean(),
    steps: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 60 }),
  })
  .map(({ quantity, priceMinor, discount, taxRate, isTaxAdded, steps }) => {
    const goods = priceMinor * quantity
    const discountMinor = Math.floor((goods * discount) / 1000)
    const net = goods - discountMinor
    const taxMinor = Math.round((net * taxRate) / (isTaxAdded ? 1000 : 1000 + taxRate))
    const part: SoldPart = {
      kind: 'product',
      position: 0,
      quantity,
      refunded: 0,
      priceMinor,
      discountMinor,
      taxMinor,
    }
    const counts: number[] = []
    for (let left = quantity, at = 0; left > 0; at += 1) {
      const count = Math.min(left, steps[at] ?? left)
      counts.push(count)
      left -= count
    }
    return { part, counts, isTaxAdded }
  })

/** The amounts of each step. */
function stepsOf({
  part,
  counts,
  isTaxAdded,
}: {
  part: SoldPart
  counts: number[]
  isTaxAdded: boolean
}) {
  let refunded = 0
  return counts.map((count) => {
    const amount = amountOfNext({ ...part, refunded }, count, isTaxAdded)
    refunded += count
    return { count, amount }
  })
}

/** What the part costs: its goods, less the discount, with the tax that is added. */
const totalOf = (
  { priceMinor, quantity, discountMinor, taxMinor }: SoldPart,
  isTaxAdded: boolean,
) => priceMinor * quantity - discountMinor + (isTaxAdded ? taxMinor : 0)

const total = (amounts: PartAmount[], name: keyof PartAmount) =>
  amounts.reduce((sum, amount) => sum + amount[name], 0)

describe('the amounts of a refund by lines', () => {
  it('are those of the part, when all of it is refunded in any steps', () => {
    fc.assert(
      fc.property(sold, ({ part, counts, isTaxAdded }) => {
        const amounts = stepsOf({ part, counts, isTaxAdded }).map(({ amount }) => amount)
        expect(total(amounts, 'amountMinor')).toBe(totalOf(part, isTaxAdded))
        expect(total(amounts, 'discountMinor')).toBe(part.discountMinor)
        expect(total(amounts, 'taxMinor')).toBe(part.taxMinor)
      }),
    )
  })

  it('are never below nothing, and explain themselves', () => {
    fc.assert(
      fc.property(sold, (one) => {
        for (const { count, amount } of stepsOf(one)) {
          const { goodsMinor, discountMinor, taxMinor, amountMinor } = amount
          expect(goodsMinor).toBe(one.part.priceMinor * count)
          for (const minor of [discountMinor, taxMinor, amountMinor])
            expect(minor).toBeGreaterThanOrEqual(0)
          expect(amountMinor).toBe(goodsMinor - discountMinor + (one.isTaxAdded ? taxMinor : 0))
          if (!one.isTaxAdded) expect(taxMinor).toBeLessThanOrEqual(amountMinor)
        }
      }),
    )
  })

  it('share a discount that cannot be divided: three cups with a discount of 1.00', () => {
    const part: SoldPart = {
      kind: 'product',
      position: 0,
      quantity: 3,
      refunded: 0,
      priceMinor: 1250,
      discountMinor: 100,
      taxMinor: 0,
    }
    const steps = stepsOf({ part, counts: [1, 1, 1], isTaxAdded: false })
    expect(steps.map(({ amount }) => amount.amountMinor)).toEqual([1217, 1216, 1217])
  })
})
