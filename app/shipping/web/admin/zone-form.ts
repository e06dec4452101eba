import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { fieldsOf } from '#app/shared/web/form/use-submit.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import {
  RATE_KINDS,
  type RateKind,
  type ShippingRate,
  type ShippingZone,
  shippingAdminCalls,
  type ZoneForm,
} from '#app/shipping/admin-contract.ts'
import { zoneProblems } from '#app/shipping/admin-model.ts'

export const loadZones = () =>
  loadOrToast(call(shippingAdminCalls.getZones), 'The shipping zones could not be loaded.')

export const KIND_NAMES: Record<RateKind, string> = {
  flat: 'One price',
  weight: 'By weight',
  amount: 'By amount',
  pickup: 'Pick-up',
}

export const kindOf = (value: string): RateKind =>
  RATE_KINDS.find((kind) => kind === value) ?? 'flat'

const numberIn = (text: string) => (text.trim() === '' ? undefined : Number(text))

/** A whole number. `1.000` is refused: it is a thousand in some languages, and one in others. */
const wholeIn = (text: string) => numberIn(/^\s*\d*\s*$/.test(text) ? text : 'NaN')

/** Both days are missing, or none. */
function daysIn(least: string, most: string): Pick<ShippingRate, 'days'> {
  const days = { least: wholeIn(least), most: wholeIn(most) }
  if (days.least === undefined && days.most === undefined) return {}
  return { days: { least: days.least ?? Number.NaN, most: days.most ?? Number.NaN } }
}

/** A place of the form: its country, and behind a bar its region. */
export const placeText = ({ country, region }: { country: string; region?: string | undefined }) =>
  region ? `${country}|${region}` : country

function placeIn(text: string) {
  const [country = '', region] = text.split('|', 2)
  return { country, region }
}

/**
 * The body that the form sends, in which each control has the name of its path. A number that cannot be read
 * is NaN, which the rules refuse.
 */
export function zoneIn(form: FormData): ZoneForm {
  const field = fieldsOf(form)
  const pathsIn = (list: string) => {
    const inList = [...form.keys()].filter((name) => name.startsWith(`${list}.`))
    const depth = list.split('.').length + 1
    return [...new Set(inList.map((name) => name.split('.', depth).join('.')))]
  }
  const rateIn = (path: string) => {
    const kind = kindOf(field(`${path}.kind`))
    const tiers = pathsIn(`${path}.tiers`).map((tier) => ({
      upTo: (kind === 'weight' ? wholeIn : numberIn)(field(`${tier}.upTo`)) ?? null,
      price: numberIn(field(`${tier}.price`)) ?? Number.NaN,
    }))
    return {
      _id: field(`${path}._id`) || undefined,
      name: field(`${path}.name`).trim(),
      kind,
      price: numberIn(field(`${path}.price`)),
      tiers: tiers.length > 0 ? tiers : undefined,
      freeFrom: numberIn(field(`${path}.freeFrom`)),
      ...daysIn(field(`${path}.days.least`), field(`${path}.days.most`)),
    }
  }
  return {
    name: field('name').trim(),
    isDefault: field('isDefault') !== '',
    // a zone without places has an empty one
    places: form.getAll('places').flatMap((text) => (text === '' ? [] : placeIn(String(text)))),
    rates: pathsIn('rates').map(rateIn),
  }
}

type Edit = {
  /** The zone as it was read; undefined for a new one. */
  zone: ShippingZone | undefined
  others: ShippingZone[]
  /** Asks whether the shop, which delivers everywhere, is to deliver only to the places of its zones. */
  mayNarrow: () => Promise<boolean>
}

const deliversEverywhere = (zones: Pick<ShippingZone, 'isDefault'>[]) =>
  zones.length === 0 || zones.some(({ isDefault }) => isDefault)

/**
 * Saves a zone; null when it is not to be saved after all. What is wrong with it by itself is said before
 * anything is sent.
 */
export async function saveZone(form: FormData, { zone, others, mayNarrow }: Edit) {
  const body = zoneIn(form)
  const fields = zoneProblems(body)
  try {
    if (fields[0]) throw new CallFailure(400, { message: fields[0].message, fields })
    const isNarrower =
      deliversEverywhere(zone ? [zone, ...others] : others) &&
      !deliversEverywhere([body, ...others])
    if (isNarrower && !(await mayNarrow())) return null
    const { _id: id = '', updatedAt } = zone ?? {}
    return await (zone
      ? call(shippingAdminCalls.updateZone, { params: { id }, body: { ...body, updatedAt } })
      : call(shippingAdminCalls.createZone, { body }))
  } catch (error) {
    // the refusals of single places are those of the field that has all of them
    if (error instanceof CallFailure)
      for (const one of error.fields) if (one.field.startsWith('places')) one.field = 'places'
    throw error
  }
}
