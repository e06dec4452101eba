/** The back office's calls for shipping: zones with their places and rates. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  FilledName,
  GivenPrice,
  Id,
  Nullable,
  Text,
  Timestamp,
} from '../shared/contract/fields.ts'
import { DeliveryDays, DeliveryPlace } from './contract.ts'

/**
 * The price of a rate: one price, a price by the weight of the goods, or one by their
 * amount. With `pickup` the customer comes for the goods.
 */
export const RATE_KINDS = ['flat', 'weight', 'amount', 'pickup'] as const
export type RateKind = (typeof RATE_KINDS)[number]

/** A price up to a weight in grams or an amount, both included. */
const Tier = Type.Object({
  upTo: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 10_000_000,
      description: 'Grams or, of a rate by amount, major units; null: without an end',
    }),
  ),
  price: GivenPrice,
})

const ShippingRate = Type.Object({
  _id: Type.Optional({ ...Id, description: 'Of a rate that stays' }),
  name: FilledName(100),
  kind: Type.Enum([...RATE_KINDS]),
  price: Type.Optional({
    ...GivenPrice,
    description: 'Of a flat rate; of a pick-up, which is free without one',
  }),
  tiers: Type.Optional(
    Type.Array(Tier, { maxItems: 50, description: 'Of a rate by weight or by amount, ascending' }),
  ),
  freeFrom: Type.Optional({
    ...GivenPrice,
    description: 'The amount of goods after discounts from which it is free',
  }),
  days: Type.Optional(DeliveryDays),
})
export type ShippingRate = Static<typeof ShippingRate>

/** A zone as it is sent. */
export const ZoneForm = Type.Object({
  name: FilledName(100),
  isDefault: Type.Boolean({ description: 'Takes every place that no other zone has' }),
  places: Type.Array(DeliveryPlace, { maxItems: 1000 }),
  rates: Type.Array(ShippingRate, { maxItems: 50 }),
  updatedAt: Type.Optional(
    Text({ maxLength: 40, description: 'As last read: refuses to save over a later edit' }),
  ),
})
export type ZoneForm = Static<typeof ZoneForm>

/** A zone as it is answered. */
export const ShippingZone = Type.Object({
  _id: Id,
  ...Type.Omit(ZoneForm, ['updatedAt']).properties,
  updatedAt: Timestamp,
})
export type ShippingZone = Static<typeof ShippingZone>

const ById = Type.Object({ id: Id })
const Saved = Type.Object({ ...Done.properties, zone: ShippingZone })

export const shippingAdminCalls = {
  getZones: endpoint({
    method: 'GET',
    path: '/shipping/zones',
    access: 'admin',
    summary: 'All shipping zones by name, with their places and rates',
    answer: Type.Object({
      zones: Type.Array(ShippingZone),
      productsWithoutWeight: Type.Optional(
        Type.Integer({
          description: 'Products to be shipped without a weight, when a rate by weight exists',
        }),
      ),
    }),
  }),
  createZone: endpoint({
    method: 'POST',
    path: '/shipping/zone',
    access: 'admin',
    summary: 'Adds a shipping zone; a place belongs to one zone, and one zone is the default',
    body: ZoneForm,
    answer: Saved,
    status: 201,
  }),
  updateZone: endpoint({
    method: 'PUT',
    path: '/shipping/zone/:id',
    access: 'admin',
    summary: 'Replaces a shipping zone with its places and rates',
    params: ById,
    body: ZoneForm,
    answer: Saved,
  }),
  deleteZone: endpoint({
    method: 'DELETE',
    path: '/shipping/zone/:id',
    access: 'admin',
    summary: 'Deletes a shipping zone with its rates',
    params: ById,
    answer: Done,
  }),
} satisfies Contract
