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
} from './model.ts'

const ADDRESS = {
  name: 'Asha Rao',
  street: '1 Market Lane',
  city: 'Bengaluru',
  country: 'IN',
  phone: '555 0100',
}

describe('countries', () => {
  it('are all of ISO 3166-1 and Kosovo, each with a name of its own', () => {
    expect(new Set(COUNTRIES).size).toBe(250)
    const names = namedCountries('en').map(({ name }) => name)
    expect(new Set(names).size).toBe(250)
    expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([])
    expect(countryName('NO')).toBe('Norway')
    expect(countryName('XK')).toBe('Kosovo')
    // parts of countries, unions and groups, which have codes of CLDR or of taxes, too
    for (const code of ['XX', 'XI', 'IC', 'EA', 'EU', 'UN', 'UK', 'EL', 'ZZ', 'AN'])
      expect(countryName(code)).toBe(code)
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
    expect(formatAddress(berlin)).toBe('1 Market Lane, 10115 Berlin, Germany')
    expect(formatAddress({ ...berlin, region: 'Berlin', postalCode: '' })).toBe(
      '1 Market Lane, Berlin, Berlin, Germany',
    )
    expect(formatAddress(whole)).toBe('1 Market Lane, Bengaluru, Karnataka 560001, India')
  })

  it.each([
    ['US', 'Los Angeles', 'CA', '90012', 'Los Angeles, California 90012, United States'],
    ['CA', 'Montréal', 'QC', 'H2X 1Y4', 'Montréal, Quebec H2X 1Y4, Canada'],
    ['SG', 'Singapore', '', '018956', 'Singapore 018956, Singapore'],
    ['XK', 'Prishtinë', '', '10000', '10000 Prishtinë, Kosovo'],
    ['FR', 'Paris', '', '75001', '75001 Paris, France'],
    ['ES', 'Alcobendas', 'Madrid', '28100', '28100 Alcobendas, Madrid, Spain'],
    ['GB', 'London', '', 'SW1A 1AA', 'London, SW1A 1AA, United Kingdom'],
    ['IE', 'Naas', 'Co. Kildare', 'W91 X285', 'Naas, Co. Kildare, W91 X285, Ireland'],
  ])('has the postal code where %s writes it', (country, city, region, postalCode, town) => {
    const text = formatAddress({ ...ADDRESS, country, city, region, postalCode })
    expect(text).toBe(`1 Market Lane, ${town}`)
  })
})
