import { describe, expect, it } from 'vitest'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { zoneProblem } from '#app/shipping/problems-contract.ts'
import { draftOf, formOf, newZone, type RateDraft } from './zone-draft.ts'

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

const problemWith = (facts: Partial<RateDraft>) => {
  const draft = draftOf(zone)
  const [rate] = draft.rates
  return zoneProblem(formOf({ ...draft, rates: rate ? [{ ...rate, ...facts }] : [] }))
}

describe('the form of a zone', () => {
  it('sends what was read when nothing is changed', () => {
    const { _id, updatedAt, ...sent } = zone
    expect(formOf(draftOf(zone))).toEqual(sent)
  })

  it('says at its field what is not a price', () => {
    for (const price of ['', '1,5', '-1', '1.005', '1e3', 'forty'])
      expect(problemWith({ price })).toMatchObject({ field: 'rates.0.price' })
    expect(problemWith({ price: ' 40.50 ' })).toBeNull()
    expect(problemWith({ freeFrom: 'never' })).toMatchObject({ field: 'rates.0.freeFrom' })
    expect(problemWith({ freeFrom: ' ' })).toBeNull()
  })

  it('sends a pick-up without a price as it is, and without an amount from which it is free', () => {
    const pickup = { kind: 'pickup' as const, freeFrom: '30' }
    expect(problemWith({ ...pickup, price: '' })).toBeNull()
    expect(problemWith({ ...pickup, price: 'none' })).toMatchObject({ field: 'rates.0.price' })
    const draft = draftOf(zone)
    const [rate] = draft.rates
    const sent = formOf({ ...draft, rates: rate ? [{ ...rate, ...pickup, price: '' }] : [] })
    expect(sent.rates).toEqual([{ _id: '1', name: 'Standard', kind: 'pickup' }])
  })

  it('says at its field what is wrong with a tier', () => {
    const tier = (upTo: string, price = '1') => ({ key: upTo, upTo, price })
    const fieldOf = (...tiers: ReturnType<typeof tier>[]) =>
      problemWith({ kind: 'weight', tiers })?.field
    expect(fieldOf(tier('500'), tier('400'))).toBe('rates.0.tiers.1.upTo')
    expect(fieldOf(tier(''), tier('400'))).toBe('rates.0.tiers.1.upTo')
    expect(fieldOf(tier('a'))).toBe('rates.0.tiers.0.upTo')
    expect(fieldOf(tier('500', ''))).toBe('rates.0.tiers.0.price')
    expect(fieldOf()).toBe('rates.0.tiers')
    expect(fieldOf(tier('500'), tier(''))).toBeUndefined()
  })

  it('of a new zone asks for a name first', () => {
    expect(zoneProblem(formOf(newZone()))).toEqual({ field: 'name', message: 'Enter a name.' })
    const named = { ...formOf(newZone()), name: 'India' }
    expect(zoneProblem(named)).toMatchObject({ field: 'places.0' })
  })
})
