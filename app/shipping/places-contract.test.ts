import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  COUNTRIES,
  countryName,
  formatAddress,
  namedCountries,
  placeName,
  placeOf,
  regionsOf,
} from './places-contract.ts'

const ADDRESS = {
  name: 'Asha Rao',
  street: '1 Market Lane',
  city: 'Bengaluru',
  country: 'IN',
  phone: '555 0100',
}

describe('countries', () => {
  it('are all of ISO 3166-1, each with a name of its own', () => {
    expect(new Set(COUNTRIES).size).toBe(249)
    const names = namedCountries().map(({ name }) => name)
    expect(new Set(names).size).toBe(249)
    expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([])
    expect(countryName('NO')).toBe('Norway')
    expect(countryName('XX')).toBe('XX')
  })
})

describe('a place', () => {
  it('is the same however its region is written', () => {
    for (const region of ['KA', 'ka', 'Karnataka', ' KARNATAKA '])
      expect(placeOf({ country: 'IN', region })).toEqual({ country: 'IN', region: 'KA' })
    expect(placeOf({ country: 'CA', region: 'Québec' }).region).toBe('QC')
    expect(placeOf({ country: 'NO', region: 'Trøndelag  fylke' }).region).toBe('TRØNDELAG FYLKE')
    for (const region of ['', ' ', undefined])
      expect(placeOf({ country: 'IN', region }).region).toBeNull()
  })

  it('stays the same when it is read again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), fc.string(), (country, text) => {
        const { region } = placeOf({ country, region: text })
        expect(placeOf({ country, region: region ?? '' }).region).toBe(region)
      }),
    )
    for (const { code, name } of regionsOf('IN'))
      expect(placeOf({ country: 'IN', region: name }).region).toBe(code)
  })

  it('has a name', () => {
    expect(placeName({ country: 'IN', region: 'KA' })).toBe('Karnataka, India')
    expect(placeName({ country: 'IN', region: null })).toBe('India')
  })

  it('has the name of a region that has no code without the capitals by which it is compared', () => {
    const written = { Bayern: 'Bayern', 'nordrhein-westfalen': 'Nordrhein-Westfalen', NRW: 'NRW' }
    for (const [region, name] of Object.entries(written))
      expect(placeName(placeOf({ country: 'DE', region }))).toBe(`${name}, Germany`)
  })
})

describe('an address as text', () => {
  it('leaves out what was not given', () => {
    expect(formatAddress(ADDRESS)).toBe('1 Market Lane, Bengaluru, India')
    const whole = { ...ADDRESS, region: 'KA', postalCode: '560001' }
    const berlin = { ...ADDRESS, city: 'Berlin', postalCode: '10115', country: 'DE' }
    expect(formatAddress(berlin)).toBe('1 Market Lane, Berlin 10115, Germany')
    expect(formatAddress({ ...berlin, region: 'Berlin', postalCode: '' })).toBe(
      '1 Market Lane, Berlin, Berlin, Germany',
    )
    expect(formatAddress(whole)).toBe('1 Market Lane, Bengaluru, Karnataka 560001, India')
  })
})
