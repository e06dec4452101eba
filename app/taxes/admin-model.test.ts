import { expect, it } from 'vitest'
import { EU_STATES } from '../shipping/model.ts'
import type { TaxRate } from './admin-contract.ts'
import { EU_VAT, statesWithoutRate, untaxedPlaces } from './admin-model.ts'

const DAY = '2026-06-15'
const BOOKS = { _id: 'books', name: 'Books' }
const FOOD = { _id: 'food', name: 'Food' }

const rate = (country: string, facts: Partial<TaxRate> = {}): TaxRate => ({
  _id: crypto.randomUUID(),
  name: 'Tax',
  taxClass: null,
  country,
  region: null,
  rate: 18,
  validFrom: null,
  validTo: null,
  ...facts,
})
const ofBooks = (country: string, facts: Partial<TaxRate> = {}) =>
  rate(country, { taxClass: BOOKS._id, ...facts })

const warnings = (...rates: TaxRate[]) => untaxedPlaces([BOOKS], rates, DAY)

it('warns of a class without a rate in a country where Standard has one', () => {
  expect(warnings(rate('IN'))).toEqual([
    'Books has no rate in India: its products are not taxed there.',
  ])
  expect(warnings(rate('IN'), rate('DE'), ofBooks('DE'))).toHaveLength(1)
  expect(warnings(rate('IN'), ofBooks('IN'))).toEqual([])
  expect(warnings(ofBooks('IN'))).toEqual([])
})

it('names each class once, with its places', () => {
  const rates = [rate('IN'), rate('DE'), ofBooks('DE')]
  expect(untaxedPlaces([BOOKS, FOOD], rates, DAY)).toEqual([
    'Books has no rate in India: its products are not taxed there.',
    'Food has no rate in India and Germany: its products are not taxed there.',
  ])
})

it('takes the rate of a country for its regions', () => {
  const [here, both] = [rate('US', { region: 'NY' }), rate('US')]
  expect(warnings(here)).toEqual([
    'Books has no rate in New York, United States: its products are not taxed there.',
  ])
  expect(warnings(here, ofBooks('US'))).toEqual([])
  expect(warnings(here, ofBooks('US', { region: 'NY' }))).toEqual([])
  expect(warnings(here, both)).toEqual([
    'Books has no rate in United States: its products are not taxed there.',
  ])
  expect(warnings(both, ofBooks('US', { region: 'NY' }))).toEqual([
    'Books has no rate in the rest of United States: its products are not taxed there.',
  ])
})

it('compares the rates of one day', () => {
  const over = { validTo: '2026-06-14' }
  expect(warnings(rate('IN', over))).toEqual([])
  expect(warnings(rate('IN', { validFrom: '2026-06-16' }))).toEqual([])
  expect(warnings(rate('IN'), ofBooks('IN', over))).toHaveLength(1)
  expect(warnings(rate('IN'), ofBooks('IN', { validFrom: DAY }))).toEqual([])
})

it('counts the places beyond five', () => {
  const rates = ['IN', 'DE', 'FR', 'ES', 'IT', 'JP', 'SE'].map((country) => rate(country))
  expect(warnings(...rates)).toEqual([
    'Books has no rate in India, Germany, France, Spain, Italy, and 2 other places: its products are not taxed there.',
  ])
})

it('knows the rate of each member state of the EU, and which of them have one', () => {
  expect([...EU_VAT.keys()]).toEqual(EU_STATES)
  expect(Math.min(...EU_VAT.values())).toBeGreaterThanOrEqual(15)
  expect(statesWithoutRate([rate('DE'), ofBooks('FR')])).toEqual(
    EU_STATES.filter((code) => code !== 'DE'),
  )
})
