/** Where the shop delivers, and delivery addresses with the part of them that prices depend on. */
import { type Static, Type } from 'typebox'
import { SETTINGS_TAG } from '../settings/contract.ts'
import { type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { FilledCode, FilledName, stripped, Text } from '../shared/contract/fields.ts'

export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const Region = stripped(
  'name',
  Text({
    maxLength: 100,
    description: 'State or region: its name, or its code of ISO 3166-2 without the country',
  }),
)

/** The part of a delivery address that rates depend on. */
export const DeliveryPlace = Type.Object({ country: Country, region: Type.Optional(Region) })
export type DeliveryPlace = Static<typeof DeliveryPlace>

/** A delivery address in parts, beside the free text of the profile. */
export const DeliveryAddress = Type.Object({
  name: FilledName(200),
  street: FilledName(500),
  city: FilledName(200),
  region: Type.Optional(Region),
  postalCode: Type.Optional(stripped('code', Text({ maxLength: 20 }))),
  country: Country,
  phone: FilledCode(50),
})
export type DeliveryAddress = Static<typeof DeliveryAddress>

/** The address of who pays; of any country. */
export const BillingAddress = {
  ...DeliveryAddress,
  description:
    'Who pays, for the invoice; without it that is the account, at the address of the delivery',
}

/** The delivery address in an answer; a part that was not given is empty. */
export const SavedAddress = Type.Record(Type.KeyOf(DeliveryAddress), Type.String())

const Days = Type.Integer({ minimum: 0 })

/** How long a delivery takes. */
export const DeliveryDays = Type.Object(
  { least: Days, most: Days },
  { description: 'Working days, from the least to the most, which is at most 60' },
)
export type DeliveryDays = Static<typeof DeliveryDays>

/** The cache tag of shipping zones with their rates. */
export const SHIPPING_TAG = 'shipping'

export const shippingCalls = {
  getCountries: cachedEndpoint(() => [SHIPPING_TAG, SETTINGS_TAG], {
    method: 'GET',
    path: '/shipping/countries',
    access: 'public',
    summary: 'The countries that the shop delivers to, its own first',
    answer: Type.Object({ countries: Type.Array(Country) }),
  }),
} satisfies Contract
