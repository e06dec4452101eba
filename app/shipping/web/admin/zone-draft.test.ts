import { describe, expect, it } from 'vitest'
import { PLAIN_FORMAT } from '#app/shared/web/form/money-text.ts'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { draftOf, draftProblems, formOf, newZone, type RateDraft } from './zone-draft.ts'

const format = PLAIN_FORMAT
const german = { ...format, decimal: ',', group: '.' }

const zone: ShippingZone = {
  _id: '0',
  name: 'India',
  isDefault: false,
  places: [{ country: 'IN' }, { country: 'LK', region: 'WESTERN' }],
  rates: [
    { _id: '1', name: 'Standard', kind: 'flat', price: 40.5, freeFrom: 0 },
    {
      _id: '2',
      name: 'By weight',
      kind: 'weight',
      tiers: [
        { upTo: 500, price: 10 },
        { upTo: null, price: 0 },
      ],
    },
  ],
  updatedAt: '2026-11-21T10:00:00.000Z',
}

/** The problems of the zone with one rate, which is changed. */
const problemsWith = (facts: Partial<RateDraft>, spoken = format) => {
  const draft = draftOf(zone, spoken)
  const [rate] = draft.rates
  const changed = { ...draft, rates: rate ? [{ ...rate, ...facts }] : [] }
  return draftProblems(changed, { format: spoken, others: [] })
}
const fieldsWith = (facts: Partial<RateDraft>) => problemsWith(facts).map(({ field }) => field)

describe('the form of a zone', () => {
  it('sends what was read when nothing is changed', () => {
    const { _id, updatedAt, ...sent } = zone
    expect(formOf(draftOf(zone, format), format)).toEqual(sent)
  })

  it('says at its field what is not a price', () => {
    for (const price of ['', '1,2,5', '-1', '1.005', '1e3', 'forty'])
      expect(fieldsWith({ price })).toEqual(['rates.0.price'])
    for (const price of [' 40.50 ', '40,50', '1,234.50']) expect(fieldsWith({ price })).toEqual([])
    expect(fieldsWith({ freeFrom: 'never' })).toEqual(['rates.0.freeFrom'])
    expect(fieldsWith({ freeFrom: ' ' })).toEqual([])
  })

  it('has amounts in the way of the shop, and says in it what cannot be read', () => {
    const [rate] = draftOf(zone, german).rates
    expect([rate?.price, rate?.freeFrom]).toEqual(['40,50', '0,00'])
    expect(formOf(draftOf(zone, german), german)).toEqual(formOf(draftOf(zone, format), format))
    expect(problemsWith({ price: '1,234', freeFrom: '4,9,0' }, german)).toEqual([
      {
        field: 'rates.0.price',
        message: '“1,234” can be read in two ways. Enter 1234,00 or 1,23.',
      },
      { field: 'rates.0.freeFrom', message: 'Enter an amount, such as 4,90.' },
    ])
  })

  it('sends a pick-up without a price as it is, and without an amount from which it is free', () => {
    const pickup = { kind: 'pickup' as const, freeFrom: '30' }
    expect(fieldsWith({ ...pickup, price: '' })).toEqual([])
    expect(fieldsWith({ ...pickup, price: 'none' })).toEqual(['rates.0.price'])
    const draft = draftOf(zone, format)
    const [rate] = draft.rates
    const sent = formOf(
      { ...draft, rates: rate ? [{ ...rate, ...pickup, price: '' }] : [] },
      format,
    )
    expect(sent.rates).toEqual([{ _id: '1', name: 'Standard', kind: 'pickup' }])
  })

  it('says at its field what is wrong with a tier', () => {
    const tier = (upTo: string, price = '1') => ({ key: upTo, upTo, price })
    const fieldsOf = (...tiers: ReturnType<typeof tier>[]) => fieldsWith({ kind: 'weight', tiers })
    expect(fieldsOf(tier('500'), tier('400'))).toEqual(['rates.0.tiers.1.upTo'])
    expect(fieldsOf(tier(''), tier('400'))).toEqual(['rates.0.tiers.1.upTo'])
    expect(fieldsOf(tier('a'))).toEqual(['rates.0.tiers.0.upTo'])
    expect(fieldsOf(tier('500', ''))).toEqual(['rates.0.tiers.0.price'])
    expect(fieldsOf()).toEqual(['rates.0.tiers'])
    expect(fieldsOf(tier('500'), tier(''))).toEqual([])
    expect(fieldsOf(tier('500', ''), tier('400', 'x'))).toEqual([
      'rates.0.tiers.0.price',
      'rates.0.tiers.1.price',
      'rates.0.tiers.1.upTo',
    ])
  })

  it('of a new zone names everything that is missing', () => {
    expect(draftProblems(newZone(), { format, others: [] })).toEqual([
      { field: 'name', message: 'Enter a name.' },
      { field: 'places.0', message: 'Please choose a country.' },
      { field: 'rates.0.name', message: 'Enter a name.' },
      { field: 'rates.0.price', message: 'Enter a price.' },
    ])
  })
})
