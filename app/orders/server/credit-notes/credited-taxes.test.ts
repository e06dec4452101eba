import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '#app/shared/server/shares.ts'
import { type Credited, creditedTaxes } from './credited-taxes.ts'

/** Credit notes of amounts. */
const amountsAsNotes = (amounts: number[]): Credited[] =>
  amounts.map((amountMinor) => ({ amountMinor, lines: null }))

const minor = fc.nat(10_000_000)
const taxes = fc.array(fc.record({ basis_minor: minor, amount_minor: minor }), { maxLength: 4 })

/** The taxes of an order with its total, and the amounts of its credit notes, which are the total or less. */
const credited = fc
  .record({ taxes, untaxed: minor, parts: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }) })
  .map(({ taxes: all, untaxed, parts }) => {
    const totalMinor =
      untaxed + sum(all.map(({ basis_minor, amount_minor }) => basis_minor + amount_minor))
    let left = totalMinor
    const amounts = parts.flatMap((part) => {
      const amount = Math.min(left, Math.ceil((totalMinor * part) / 1000))
      left -= amount
      return amount > 0 ? [amount] : []
    })
    return { order: { totalMinor, taxes: all }, amounts, left }
  })

type Case = typeof credited extends fc.Arbitrary<infer Value> ? Value : never

/** The sums of the credit notes of each part: basis and tax of each rate. */
const sums = ({ taxes: all }: Case['order'], notes: ReturnType<typeof creditedTaxes>) =>
  all.map((_, rate) => ({
    basis_minor: sum(notes.map((note) => note[rate]?.basis_minor ?? 0)),
    amount_minor: sum(notes.map((note) => note[rate]?.amount_minor ?? 0)),
  }))

describe('the taxes of the credit notes of an order', () => {
  it('are never below nothing, fit into the amount, and are never more than those of the order', () => {
    fc.assert(
      fc.property(credited, ({ order, amounts }) => {
        const notes = creditedTaxes(order, amountsAsNotes(amounts))
        notes.forEach((note, at) => {
          const parts = note.flatMap(({ basis_minor, amount_minor }) => [
            basis_minor ?? 0,
            amount_minor,
          ])
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
          expect(sum(parts)).toBeLessThanOrEqual(amounts[at] ?? 0)
        })
        sums(order, notes).forEach((credit, rate) => {
          expect(credit.basis_minor).toBeLessThanOrEqual(order.taxes[rate]?.basis_minor ?? 0)
          expect(credit.amount_minor).toBeLessThanOrEqual(order.taxes[rate]?.amount_minor ?? 0)
        })
      }),
    )
  })

  it('are all of the taxes of the order when all of it is refunded, in however many parts', () => {
    fc.assert(
      fc.property(credited, ({ order, amounts, left }) => {
        const all = left > 0 ? [...amounts, left] : amounts
        expect(sums(order, creditedTaxes(order, amountsAsNotes(all)))).toEqual(order.taxes)
      }),
    )
  })

  it('differ from the share of the first amount by less than one minor unit', () => {
    fc.assert(
      fc.property(credited, ({ order, amounts: [amount = 0] }) => {
        const [note = []] = creditedTaxes(order, amountsAsNotes([amount]))
        note.forEach((tax, rate) => {
          const exact = ((order.taxes[rate]?.amount_minor ?? 0) * amount) / order.totalMinor || 0
          expect(Math.abs(tax.amount_minor - exact)).toBeLessThan(1)
        })
      }),
    )
  })

  it('have no basis where that of the order is not known', () => {
    const order = { totalMinor: 1180, taxes: [{ basis_minor: null, amount_minor: 180 }] }
    expect(creditedTaxes(order, amountsAsNotes([590, 590]))).toEqual([
      [{ basis_minor: null, amount_minor: 90 }],
      [{ basis_minor: null, amount_minor: 90 }],
    ])
  })

  it('of lines are those of the lines, as long as they are left', () => {
    const taxes = [
      { basis_minor: 1000, amount_minor: 190 },
      { basis_minor: 2000, amount_minor: 140 },
    ]
    const order = { totalMinor: 3330, taxes }
    const lines = {
      amountMinor: 595,
      taxes: [
        { basis_minor: 500, amount_minor: 95 },
        { basis_minor: 0, amount_minor: 0 },
      ],
    }
    const [first, rest] = creditedTaxes(order, [
      { amountMinor: 595, lines },
      { amountMinor: 2735, lines: null },
    ])
    expect(first).toEqual(lines.taxes)
    expect(rest).toEqual([{ basis_minor: 500, amount_minor: 95 }, taxes[1]])
  })

  it('of lines, of whatever amount, are at most those of the order, and all of them in the end', () => {
    const ofLines = fc.record({ at: fc.nat(3), part: fc.nat(1000) })
    fc.assert(
      fc.property(credited, fc.array(fc.option(ofLines)), ({ order, amounts, left }, lines) => {
        const all = left > 0 ? [...amounts, left] : amounts
        const notes = amountsAsNotes(all).map((note, n): Credited => {
          const chosen = lines[n]
          const tax = chosen && order.taxes[chosen.at]
          if (!chosen || !tax) return note
          const share = (minor: number) => Math.floor((minor * chosen.part) / 1000)
          const own = {
            basis_minor: share(tax.basis_minor),
            amount_minor: share(tax.amount_minor),
          }
          const ofRates = order.taxes.map((_, rate) =>
            rate === chosen.at ? own : { basis_minor: 0, amount_minor: 0 },
          )
          const amountMinor = own.basis_minor + own.amount_minor
          return { ...note, lines: { amountMinor, taxes: ofRates } }
        })
        const taxes = creditedTaxes(order, notes)
        for (const [n, note] of taxes.entries()) {
          const parts = note.flatMap((tax) => [tax.basis_minor ?? 0, tax.amount_minor])
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
          expect(sum(parts)).toBeLessThanOrEqual(all[n] ?? 0)
        }
        expect(sums(order, taxes)).toEqual(order.taxes)
      }),
    )
  })
})
