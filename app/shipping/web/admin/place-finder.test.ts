import { describe, expect, it } from 'vitest'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { placeFinder } from './place-finder.ts'

const zone = (name: string, ...countries: string[]): ShippingZone => ({
  _id: name,
  name,
  isDefault: false,
  places: countries.map((country) => ({ country })),
  rates: [],
  updatedAt: '',
})

describe('the places of a zone', () => {
  it('are found by their names in the language of the shop, too', async () => {
    const find = placeFinder('de-DE', [])
    expect(await find('Deutschl')).toEqual([{ value: 'DE', label: 'Germany', note: 'Deutschland' }])
    expect((await find('germ'))[0]?.value).toBe('DE')
    expect((await find('Madeira, portugal'))[0]?.label).toBe('Madeira, Portugal')
  })

  it('have the countries of the European Union that no other zone has', async () => {
    const [all] = await placeFinder('en', [])('european')
    expect(all).toMatchObject({ value: 'EU', note: '27 countries' })
    const [rest] = await placeFinder('en', [zone('Home', 'DE'), zone('Alps', 'AT', 'CH')])('EU')
    expect(rest?.note).toBe('25 countries; other zones have 2')
    expect(rest?.members?.map(({ value }) => value)).not.toContain('DE')
  })
})
