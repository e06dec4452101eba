import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareByLargestRemainder, sum } from './shares.ts'

describe('shares by largest remainder', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 20_000_000_000 }), { maxLength: 12 })

  it('add up to the amount, and no share is larger than its weight', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (all, part) => {
        const amount = Math.floor(sum(all) * part)
        const shares = shareByLargestRemainder(amount, all)
        expect(sum(shares)).toBe(sum(all) === 0 ? 0 : amount)
        shares.forEach((share, at) => {
          expect(Number.isSafeInteger(share)).toBe(true)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(all[at] ?? 0)
        })
      }),
    )
  })

  it('differ from the exact share by less than one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1 }), fc.nat(1_000_000), (all, more) => {
        const total = sum(all)
        const amount = Math.min(more, total)
        shareByLargestRemainder(amount, all).forEach((share, at) => {
          if (total > 0) expect(Math.abs(share - (amount * (all[at] ?? 0)) / total)).toBeLessThan(1)
        })
      }),
    )
  })

  it('give what is left to the largest remainders', () => {
    expect(shareByLargestRemainder(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(shareByLargestRemainder(10, [300, 500, 201])).toEqual([3, 5, 2])
    expect(shareByLargestRemainder(0, [5, 0])).toEqual([0, 0])
  })
})
