import type {
  RateKind,
  ShippingRate,
  ShippingZone,
  ZoneForm,
} from '#app/shipping/admin-contract.ts'

/** The texts of the form; each entry of a list has a key for React. */
export type TierDraft = { key: string; upTo: string; price: string }
export type RateDraft = {
  key: string
  id?: string | undefined
  name: string
  kind: RateKind
  price: string
  tiers: TierDraft[]
  freeFrom: string
}
export type PlaceDraft = { key: string; country: string; region: string }
export type ZoneDraft = {
  name: string
  isDefault: boolean
  places: PlaceDraft[]
  rates: RateDraft[]
}

export const KIND_NAMES: Record<RateKind, string> = {
  flat: 'One price',
  weight: 'By weight',
  amount: 'By amount',
  pickup: 'Pick-up',
}

export const hasTiers = (kind: RateKind): boolean => kind === 'weight' || kind === 'amount'

const newKey = () => crypto.randomUUID()

export const newTier = (): TierDraft => ({ key: newKey(), upTo: '', price: '' })

export const newPlace = (): PlaceDraft => ({ key: newKey(), country: '', region: '' })

export const newRate = (): RateDraft => ({
  key: newKey(),
  name: '',
  kind: 'flat',
  price: '',
  tiers: [newTier()],
  freeFrom: '',
})

export const newZone = (): ZoneDraft => ({
  name: '',
  isDefault: false,
  places: [newPlace()],
  rates: [newRate()],
})

const textOf = (number: number | null | undefined) => (number == null ? '' : String(number))

const rateDraft = ({ _id, name, kind, price, tiers, freeFrom }: ShippingRate): RateDraft => ({
  key: newKey(),
  id: _id,
  name,
  kind,
  price: textOf(price),
  tiers: tiers
    ? tiers.map(({ upTo, price }) => ({ key: newKey(), upTo: textOf(upTo), price: textOf(price) }))
    : [newTier()],
  freeFrom: textOf(freeFrom),
})

/** The form of a stored zone. */
export const draftOf = ({ name, isDefault, places, rates }: ShippingZone): ZoneDraft => ({
  name,
  isDefault,
  places: places.map(({ country, region = '' }) => ({ key: newKey(), country, region })),
  rates: rates.map(rateDraft),
})

const DECIMAL = /^\d+(\.\d{1,2})?$/

/** The number that was entered; NaN when there is none. */
const numberOf = (text: string) => (DECIMAL.test(text.trim()) ? Number(text) : Number.NaN)

/** The same; an empty text is no number. */
const optionalNumberOf = (text: string) => (text.trim() === '' ? undefined : numberOf(text))

const pricesOf = ({ kind, price, tiers, freeFrom }: RateDraft) => {
  if (kind === 'pickup') return { price: optionalNumberOf(price) }
  if (!hasTiers(kind)) return { price: numberOf(price), freeFrom: optionalNumberOf(freeFrom) }
  return {
    tiers: tiers.map(({ upTo, price }) => ({
      upTo: optionalNumberOf(upTo) ?? null,
      price: numberOf(price),
    })),
    freeFrom: optionalNumberOf(freeFrom),
  }
}

const rateOf = (rate: RateDraft): ShippingRate => ({
  ...(rate.id !== undefined && { _id: rate.id }),
  name: rate.name.trim(),
  kind: rate.kind,
  ...pricesOf(rate),
})

/** The body that the form sends. A number that is not valid is NaN, which the rules refuse. */
export const formOf = (draft: ZoneDraft): ZoneForm => ({
  name: draft.name.trim(),
  isDefault: draft.isDefault,
  places: draft.places.map(({ country, region }) => ({
    country,
    ...(region.trim() !== '' && { region }),
  })),
  rates: draft.rates.map(rateOf),
})
