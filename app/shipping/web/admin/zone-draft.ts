import type { FieldProblem } from '#app/shared/contract/failure.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { moneyText, parseMoney } from '#app/shared/web/form/money-text.ts'
import type {
  RateKind,
  ShippingRate,
  ShippingZone,
  ZoneForm,
} from '#app/shipping/admin-contract.ts'
import { zoneConflicts, zoneProblems } from '#app/shipping/admin-model.ts'

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

type Amount = number | null | undefined

function rateDraft(
  { _id, name, kind, price, tiers, freeFrom }: ShippingRate,
  format: MoneyFormat,
): RateDraft {
  const textOf = (amount: Amount) => (amount == null ? '' : moneyText(amount, format))
  const endOf = (end: Amount) => (kind === 'weight' ? String(end ?? '') : textOf(end))
  return {
    key: newKey(),
    id: _id,
    name,
    kind,
    price: textOf(price),
    tiers: tiers
      ? tiers.map(({ upTo, price }) => ({ key: newKey(), upTo: endOf(upTo), price: textOf(price) }))
      : [newTier()],
    freeFrom: textOf(freeFrom),
  }
}

/** The form of a stored zone, with amounts in the shop's format. */
export const draftOf = (
  { name, isDefault, places, rates }: ShippingZone,
  format: MoneyFormat,
): ZoneDraft => ({
  name,
  isDefault,
  places: places.map(({ country, region = '' }) => ({ key: newKey(), country, region })),
  rates: rates.map((rate) => rateDraft(rate, format)),
})

const GRAMS = /^\d+$/

/** Whole grams; NaN for another text, null for an empty one. */
function gramsIn(text: string): number | null {
  if (text.trim() === '') return null
  return GRAMS.test(text.trim()) ? Number(text) : Number.NaN
}

function pricesOf({ kind, price, tiers, freeFrom }: RateDraft, format: MoneyFormat) {
  const amountIn = (text: string) => parseMoney(text, format).amount
  const required = (text: string) => amountIn(text) ?? Number.NaN
  const optional = (text: string) => amountIn(text) ?? undefined
  if (kind === 'pickup') return { price: optional(price) }
  if (!hasTiers(kind)) return { price: required(price), freeFrom: optional(freeFrom) }
  return {
    tiers: tiers.map(({ upTo, price }) => ({
      upTo: kind === 'weight' ? gramsIn(upTo) : amountIn(upTo),
      price: required(price),
    })),
    freeFrom: optional(freeFrom),
  }
}

const rateOf = (rate: RateDraft, format: MoneyFormat): ShippingRate => ({
  ...(rate.id !== undefined && { _id: rate.id }),
  name: rate.name.trim(),
  kind: rate.kind,
  ...pricesOf(rate, format),
})

/** The body that the form sends. A number that is not valid is NaN, which the rules refuse. */
export const formOf = (draft: ZoneDraft, format: MoneyFormat): ZoneForm => ({
  name: draft.name.trim(),
  isDefault: draft.isDefault,
  places: draft.places.map(({ country, region }) => ({
    country,
    ...(region.trim() !== '' && { region }),
  })),
  rates: draft.rates.map((rate) => rateOf(rate, format)),
})

/** The problems of the form: those of the rules, in the words of the amount that cannot be read. */
export function draftProblems(
  draft: ZoneDraft,
  { format, others }: { format: MoneyFormat; others: ShippingZone[] },
): FieldProblem[] {
  const body = formOf(draft, format)
  const texts = new Map(
    draft.rates
      .flatMap(({ kind, price, freeFrom, tiers }, at) => [
        [`rates.${at}.price`, price],
        [`rates.${at}.freeFrom`, freeFrom],
        ...tiers.flatMap((tier, tierAt) => [
          [`rates.${at}.tiers.${tierAt}.price`, tier.price],
          ...(kind === 'amount' ? [[`rates.${at}.tiers.${tierAt}.upTo`, tier.upTo]] : []),
        ]),
      ])
      .map(([field = '', text = '']) => [field, parseMoney(text, format).problem]),
  )
  const found = [...zoneProblems(body), ...zoneConflicts(body, others)]
  return found.map(({ field, message }) => ({ field, message: texts.get(field) ?? message }))
}
