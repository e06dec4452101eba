import { expect, it } from 'vitest'
import { type Described, sentenceOf } from './admin-model.ts'

const says = (facts: Partial<Described>) =>
  sentenceOf({ goods: [], customers: [], ...facts }, (amount) => `€${amount}`, '2026-11-27')

it('says every choice of a discount back', () => {
  expect(
    says({
      percent: 10,
      goods: ['Mugs'],
      code: 'SPRING',
      from: '2026-04-01',
      to: '2026-04-30',
      maxUses: 100,
      maxUsesEach: 1,
    }),
  ).toBe(
    '10 % off Mugs for customers with a confirmed e-mail address with the code SPRING, from 1 to 30 April, at most 100 times, once a customer.',
  )
  expect(says({ amount: 5, minimum: 20, audience: 'first_order', combinable: true })).toBe(
    '€5 off everything for a first order without a code, in carts from €20, also together with other discounts.',
  )
  expect(says({ freeShipping: true, audience: 'confirmed', maxUses: 1, maxUsesEach: 2 })).toBe(
    'Free delivery for customers with a confirmed e-mail address without a code, once in all, 2 times a customer.',
  )
})

it('names a few goods and customers, and counts the others', () => {
  const names = ['A', 'B', 'C', 'D', 'E']
  expect(says({ percent: 5, goods: names.slice(0, 4) })).toContain('off A, B, C and D for')
  expect(says({ freeShipping: true, goods: names })).toContain(
    'with A, B, C and 2 more in the cart',
  )
  const chosen = { percent: 5, audience: 'chosen' as const }
  expect(says({ ...chosen, customers: ['Asha', 'Ben'] })).toContain('for Asha and Ben without')
  expect(says(chosen)).toContain('for chosen customers')
})

it.each([
  ['2026-04-01', '2026-04-01', 'on 1 April'],
  ['2026-04-01', '2026-05-02', 'from 1 April to 2 May'],
  ['2026-12-24', '2027-01-06', 'from 24 December to 6 January 2027'],
  ['2027-04-01', '2027-04-30', 'from 1 to 30 April 2027'],
  ['2026-04-01', null, 'from 1 April'],
  [null, '2026-04-30', 'until 30 April'],
])('says the days from %s to %s', (from, to, text) => {
  expect(says({ percent: 5, from, to })).toBe(
    `5 % off everything for everybody without a code, ${text}.`,
  )
})
