/** Countries and regions for the places of a zone. */
import type { Choice } from '#app/back-office/kit/combobox.client.tsx'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import {
  EU_STATES,
  isCountry,
  namedCountries,
  placeName,
  placeOf,
  regionsOf,
} from '#app/shipping/model.ts'
import { placeText } from './zone-form.ts'

export const choiceOf = (place: ShippingZone['places'][number]): Choice => ({
  value: placeText(place),
  label: placeName(placeOf(place)),
})

/** The countries of the European Union that no other zone has. */
function europeanUnion(others: ShippingZone[]): Choice[] {
  const isTaken = (state: string) =>
    others.some(({ places }) => places.some(({ country, region }) => country === state && !region))
  const free = EU_STATES.filter((state) => !isTaken(state))
  const taken = EU_STATES.length - free.length
  const note = `${free.length} countries${taken > 0 ? `; other zones have ${taken}` : ''}`
  const members = free.map((country) => choiceOf({ country }))
  return free.length > 0 ? [{ value: 'EU', label: 'European Union', note, members }] : []
}

/** Countries with their names in the language of the shop, and their known regions. */
function countriesAndRegions(locale: string): Choice[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  return namedCountries(locale).flatMap(({ code: country, name }) => {
    const own = names.of(country)
    return [
      { ...choiceOf({ country }), ...(own !== name && { note: own }) },
      ...regionsOf(country).map(({ code: region }) => choiceOf({ country, region })),
    ]
  })
}

const MAX_FOUND = 50

/** Finds the choices for a text, first those that begin with it; `Madeira, Portugal` is a region by its text. */
export function placeFinder(locale: string, others: ShippingZone[]) {
  const all = [...europeanUnion(others), ...countriesAndRegions(locale)]
  return async (text: string): Promise<Choice[]> => {
    const typed = text.toLowerCase()
    const [region = '', ofCountry = ''] = typed.split(/,\s*/, 2)
    const namesOf = ({ label, note = label }: Choice) => [label.toLowerCase(), note.toLowerCase()]
    const begins = (one: Choice) =>
      namesOf(one).some((name) => name.startsWith(typed)) || one.value === text.toUpperCase()
    const contains = (one: Choice) => namesOf(one).some((name) => name.includes(typed))
    const country = all.find((one) => namesOf(one).includes(ofCountry))?.value ?? ''
    const isTyped = isCountry(country) && regionsOf(country).length === 0 && region !== ''
    return [
      ...(isTyped ? [choiceOf({ country, region: text.split(',', 1)[0] })] : []),
      ...all.filter(begins),
      ...all.filter((one) => !begins(one) && contains(one)),
    ].slice(0, MAX_FOUND)
  }
}
