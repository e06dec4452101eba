import { describe, expect, it } from 'vitest'
import type { ZoneForm } from '#app/shipping/admin-contract.ts'
import { zoneProblems } from '#app/shipping/admin-model.ts'
import { placeText, zoneIn } from './zone-form.ts'

const ZONE: ZoneForm = {
  name: 'India',
  isDefault: false,
  places: [{ country: 'IN' }, { country: 'LK', region: 'WESTERN' }],
  rates: [
    {
      _id: '1',
      name: 'Standard',
      kind: 'flat',
      price: 40.5,
      freeFrom: 0,
      days: { least: 0, most: 3 },
    },
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
}

/** The texts of the form by the paths of their controls. */
const textsOf = (value: unknown, path: string[] = []): [string, string][] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => textsOf(part, [...path, name]))
  return value === false ? [] : [[path.join('.'), String(value ?? '')]]
}

const formWith = (texts: Record<string, string>, zone: object = ZONE) => {
  const form = new FormData()
  const { places = [], ...others }: Partial<ZoneForm> = zone
  // the list of places has an empty value, too
  for (const place of ['', ...places.map(placeText)]) form.append('places', place)
  for (const [name, text] of Object.entries({ ...Object.fromEntries(textsOf(others)), ...texts }))
    form.set(name, text)
  return form
}

const refusedWith = (texts: Record<string, string>, zone: object = ZONE) =>
  zoneProblems(zoneIn(formWith(texts, zone))).map(({ field, message }) => `${field} | ${message}`)

describe('the form of a zone', () => {
  it('sends what was read when nothing is changed', () => {
    expect(zoneIn(formWith({}))).toEqual(ZONE)
    expect(zoneIn(formWith({ isDefault: 'on' }))).toEqual({ ...ZONE, isDefault: true })
    expect(refusedWith({})).toEqual([])
  })

  it('says at its field what is not a number', () => {
    // as a field of money has it where its text cannot be read
    expect(refusedWith({ 'rates.0.price': 'NaN', 'rates.0.freeFrom': 'NaN' })).toEqual([
      'rates.0.price | Enter a price.',
      'rates.0.freeFrom | Enter an amount, or nothing.',
    ])
    expect(refusedWith({ 'rates.0.price': '', 'rates.0.freeFrom': ' ' })).toEqual([
      'rates.0.price | Enter a price.',
    ])
  })

  it('takes a pick-up without a price', () => {
    const pickup = { 'rates.0.kind': 'pickup', 'rates.0.price': '' }
    expect(refusedWith(pickup)).toEqual([])
    expect(refusedWith({ ...pickup, 'rates.0.price': 'NaN' })).toEqual([
      'rates.0.price | Enter a price.',
    ])
  })

  it('takes both days or none', () => {
    const days = (least: string, most: string) =>
      refusedWith({ 'rates.0.days.least': least, 'rates.0.days.most': most })
    const wrong = 'Enter whole days from 0 to 60, or nothing in both fields.'
    expect([days('', ' '), days('2', '2')]).toEqual([[], []])
    expect(days('', '4')).toEqual([`rates.0.days.least | ${wrong}`])
    expect(days('2', '')).toEqual([`rates.0.days.most | ${wrong}`])
    expect(days('1.5', '61')).toEqual([
      `rates.0.days.least | ${wrong}`,
      `rates.0.days.most | ${wrong}`,
    ])
    expect(days('5', '4')).toEqual(['rates.0.days.most | Enter at least 5.'])
  })

  it('says at its field what is wrong with a tier', () => {
    const tier = (at: number) => `rates.1.tiers.${at}`
    expect(refusedWith({ [`${tier(1)}.upTo`]: '400' })).toEqual([
      `${tier(1)}.upTo | Enter more than 500: the tier above ends there, and tiers do not overlap.`,
    ])
    expect(refusedWith({ [`${tier(0)}.upTo`]: '', [`${tier(1)}.price`]: '' })).toEqual([
      `${tier(1)}.price | Enter a price.`,
      `${tier(1)}.upTo | The tier above has no end: it overlaps with this one.`,
    ])
    for (const upTo of ['a', '1.000', '0x1F4', '1e2'])
      expect(refusedWith({ [`${tier(0)}.upTo`]: upTo })).toEqual([
        `${tier(0)}.upTo | Enter a number, or nothing for no end.`,
      ])
  })

  it('of a new zone names everything that is missing', () => {
    const days = { least: '', most: '' }
    const rate = { name: '', kind: 'flat', price: '', freeFrom: '', days }
    const empty = { name: '', places: [], rates: [rate] }
    expect(refusedWith({}, empty)).toEqual([
      'name | Enter a name.',
      'places | Add a place, or make this the default zone.',
      'rates.0.name | Enter a name.',
      'rates.0.price | Enter a price.',
    ])
    const none = { ...empty, places: [], rates: [] }
    expect(refusedWith({ name: 'A' }, none)).toEqual([
      'places | Add a place, or make this the default zone.',
      'rates | Add a rate.',
    ])
  })

  it('reads the entries that are left in their order', () => {
    const form = formWith({})
    for (const name of [...form.keys()]) if (name.startsWith('rates.0.')) form.delete(name)
    expect(zoneIn(form).rates).toEqual(ZONE.rates.slice(1))
  })
})
